/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/node.h"

#include <string.h>

#include "atspi/reader.h"
#include "atspi/role.h"
#include "atspi/splice.h"
#include "atspi/verb.h"

/* More than any widget has; an application decides how many it names, we how many we ask about. */
#define MOST_ACTIONS 50
/* The same for the length of a text, in bytes. */
#define LONGEST_TEXT 40000
/* Of what an action or a key binding is called. */
#define LONGEST_NAME 400

struct node *node_new(struct reader *reader, struct node *parent, const char *name, const char *path,
	int place)
{
	struct node *node = g_new0(struct node, 1);
	node->reader = reader;
	node->parent = parent;
	node->depth = parent != NULL ? parent->depth + 1 : 0;
	node->element = element_new();
	node->element->provider = g_strdup(name);
	node->element->object = g_strdup(path);
	node->element->role = g_strdup("unknown");
	node->element->name = g_strdup("");
	node->element->actions = g_new0(char *, 1);
	node->element->place = place;
	/* The applications of a desktop are not the registry's, either. */
	node->element->plugged = parent != NULL && !reader->reading->light
		&& (parent->element->plugged || strcmp(parent->element->provider, name) != 0);
	return node;
}

void node_free(struct node *node)
{
	if (node == NULL) {
		return;
	}
	g_clear_pointer(&node->children, g_ptr_array_unref);
	element_free(node->element);
	g_free(node);
}

static bool is_error(struct message *reply)
{
	return message_is_error(reply);
}

/* Replaces *field by the string, made valid; an empty one becomes `empty`. */
static void set_text(char **field, const char *text, const char *empty)
{
	g_free(*field);
	*field = text[0] != '\0' ? g_utf8_make_valid(text, (gssize)strnlen(text, LONGEST_TEXT))
		: g_strdup(empty);
}

/* Qt, whose tabs cannot be selected, says of the one whose page is shown that it has the focus. */
static void tell_shown_tab(struct node *node)
{
	struct element *element = node->element;
	if (node->role == ROLE_PAGE_TAB && (element->states & STATE_FOCUSED) != 0 && !node_is(node, ATSPI_SELECTABLE)) {
		element->states = (element->states & ~(unsigned)STATE_FOCUSED) | STATE_SELECTED;
	}
}

void node_set_role(struct node *node, uint32_t role)
{
	node->role = role;
	set_text(&node->element->role, role_name(role), "unknown");
	tell_shown_tab(node);
}

void node_set_name(struct node *node, const char *name)
{
	set_text(&node->element->name, name, "");
}

void node_set_description(struct node *node, const char *description)
{
	set_text(&node->element->description, description, NULL);
}

void node_set_states(struct node *node, uint64_t states)
{
	static const struct {
		enum atspi_state from;
		enum element_state to;
	} map[] = {
		{ ATSPI_ENABLED, STATE_ENABLED }, { ATSPI_SENSITIVE, STATE_ENABLED },
		{ ATSPI_FOCUSED, STATE_FOCUSED }, { ATSPI_FOCUSABLE, STATE_FOCUSABLE },
		{ ATSPI_CHECKED, STATE_CHECKED }, { ATSPI_PRESSED, STATE_PRESSED },
		{ ATSPI_SELECTED, STATE_SELECTED }, { ATSPI_EXPANDABLE, STATE_EXPANDABLE },
		{ ATSPI_EXPANDED, STATE_EXPANDED }, { ATSPI_EDITABLE, STATE_EDITABLE },
		{ ATSPI_READ_ONLY, STATE_READ_ONLY }, { ATSPI_INDETERMINATE, STATE_INDETERMINATE },
		{ ATSPI_MODAL, STATE_MODAL }, { ATSPI_BUSY, STATE_BUSY },
	};
	node->states = states;
	for (gsize i = 0; i < G_N_ELEMENTS(map); i++) {
		if (node_is(node, map[i].from)) {
			node->element->states |= map[i].to;
		}
	}
	tell_shown_tab(node);
	node->element->selectable = node_is(node, ATSPI_SELECTABLE);
	node->element->several = node_is(node, ATSPI_MULTISELECTABLE);
	node->gone |= node_is(node, ATSPI_DEFUNCT);
}

void node_enable_read_only(struct node *node)
{
	if (node_is(node, ATSPI_READ_ONLY) && node_is(node, ATSPI_FOCUSABLE)) {
		node->element->states |= STATE_ENABLED;
	}
}

void node_set_interfaces(struct node *node, unsigned interfaces)
{
	node->interfaces = interfaces;
	node->element->has_value = (interfaces & INTERFACE_VALUE) != 0;
}

uint64_t node_read_states(struct message *message)
{
	uint32_t pair[2] = { 0, 0 };
	message_read_words(message, 'u', pair, G_N_ELEMENTS(pair));
	return pair[0] | (uint64_t)pair[1] << 32;
}

unsigned node_read_interfaces(struct message *message)
{
	static const struct {
		const char *name;
		enum interface bit;
	} map[] = {
		{ "Action", INTERFACE_ACTION }, { "Component", INTERFACE_COMPONENT },
		{ "Text", INTERFACE_TEXT }, { "EditableText", INTERFACE_EDITABLE_TEXT },
		{ "Value", INTERFACE_VALUE }, { "Image", INTERFACE_IMAGE },
		{ "Selection", INTERFACE_SELECTION }, { "Table", INTERFACE_TABLE },
	};
	static const char prefix[] = "org.a11y.atspi.";
	const char *interface;
	unsigned interfaces = 0;
	if (message_enter(message, 'a', "s") < 0) {
		return 0;
	}
	while (message_read(message, "s", &interface) > 0) {
		for (gsize i = 0; i < G_N_ELEMENTS(map); i++) {
			if (g_str_has_prefix(interface, prefix)
				&& strcmp(interface + strlen(prefix), map[i].name) == 0) {
				interfaces |= map[i].bit;
			}
		}
	}
	return interfaces;
}

void node_take_role(struct message *reply, struct node *node)
{
	uint32_t role;
	if (is_error(reply)) {
		/* Every accessible has a role: without one the object does not exist. */
		node->gone = true;
	} else if (message_read(reply, "u", &role) > 0) {
		node_set_role(node, role);
	}
}

void node_take_name(struct message *reply, struct node *node)
{
	const char *name;
	if (!is_error(reply) && message_read(reply, "v", "s", &name) > 0) {
		node_set_name(node, name);
	}
}

void node_take_description(struct message *reply, struct node *node)
{
	const char *description;
	if (!is_error(reply) && message_read(reply, "v", "s", &description) > 0) {
		node_set_description(node, description);
	}
}

void node_take_states(struct message *reply, struct node *node)
{
	if (!is_error(reply)) {
		node_set_states(node, node_read_states(reply));
	}
}

void node_take_interfaces(struct message *reply, struct node *node)
{
	if (!is_error(reply)) {
		node_set_interfaces(node, node_read_interfaces(reply));
	}
}

void node_take_child_count(struct message *reply, struct node *node)
{
	int32_t count;
	if (!is_error(reply) && message_read(reply, "v", "i", &count) > 0) {
		node->child_count = count;
	}
}

void node_take_place(struct message *reply, struct node *node)
{
	int32_t place;
	if (!is_error(reply) && message_read(reply, "i", &place) > 0) {
		node->element->place = place;
	}
}

void node_take_extents(struct message *reply, struct node *node)
{
	struct screen_rect *frame = &node->element->frame;
	if (is_error(reply) || message_read(reply, "(iiii)", &frame->x, &frame->y, &frame->width,
		&frame->height) <= 0) {
		return;
	}
	node->element->has_told = screen_rect_plausible(*frame);
	node->element->told = *frame;
	node->element->has_frame = !screen_rect_empty(*frame) && node->element->has_told;
	if (!node->element->has_frame) {
		*frame = (struct screen_rect){ 0 };
	}
}

void node_take_inside(struct message *reply, struct node *node)
{
	struct screen_rect *inside = &node->element->inside;
	node->element->has_inside = !is_error(reply)
		&& message_read(
			   reply, "(iiii)", &inside->x, &inside->y, &inside->width, &inside->height)
			> 0;
}

void node_take_actions(struct message *reply, struct node *node)
{
	const char *name, *description, *binding;
	struct element *element = node->element;
	if (is_error(reply) || message_enter(reply, 'a', "(sss)") < 0) {
		return;
	}
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	while (names->len < MOST_ACTIONS && message_read(reply, "(sss)", &name, &description, &binding) > 0) {
		g_autofree char *valid = g_utf8_make_valid(
			name, (gssize)strnlen(name, LONGEST_NAME));
		/* GTK4's actions with a group before the dot are not translated. */
		g_ptr_array_add(names, verb_is_known(valid) || strchr(valid, '.') ? g_steal_pointer(&valid)
			: g_strconcat(NODE_TRANSLATED, valid, NULL));
		if (element->binding == NULL && binding[0] != '\0') {
			element->binding = g_utf8_make_valid(
				binding, (gssize)strnlen(binding, LONGEST_NAME));
		}
	}
	g_ptr_array_add(names, NULL);
	g_strfreev(element->actions);
	element->actions = (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

void node_set_actions(struct node *node, const char *const *names)
{
	g_strfreev(node->element->actions);
	node->element->actions = g_strdupv((char **)(uintptr_t)names);
}

void node_take_action_name(struct message *reply, struct node *node)
{
	const char *name = "";
	char **action = node->element->actions;
	while (*action != NULL && (*action)[0] != NODE_TRANSLATED[0]) {
		action++;
	}
	if (*action != NULL) {
		g_autofree char *translated = g_steal_pointer(action);
		if (!is_error(reply)) {
			message_read(reply, "s", &name);
		}
		if (node->element->plugged && name[0] == '\0' && action[1] == NULL && !element_is_item(node->element)) {
			/* Everything in a page of WebKitGTK has one, with a name where it does more than a click. */
			return;
		}
		set_text(action, name[0] != '\0' ? name : translated + 1, "unnamed");
	}
}

void node_take_binding(struct message *reply, struct node *node)
{
	const char *binding;
	if (!is_error(reply) && message_read(reply, "s", &binding) > 0 && binding[0] != '\0') {
		set_text(&node->element->binding, binding, NULL);
	}
}

void node_take_value(struct message *reply, struct node *node)
{
	double value;
	if (!is_error(reply) && message_read(reply, "v", "d", &value) > 0
		&& node->element->value == NULL) {
		char text[G_ASCII_DTOSTR_BUF_SIZE];
		node->element->value = g_strdup(g_ascii_formatd(text, sizeof text, "%.12g", value));
	}
}

void node_take_text(struct message *reply, struct node *node)
{
	const char *text;
	if (!is_error(reply) && message_read(reply, "s", &text) > 0) {
		/* The text of a spin button is what a person sees; its number may have more digits. */
		g_free(node->element->value);
		node->element->value = splice_clean(text, (gssize)strnlen(text, LONGEST_TEXT));
	}
}

void node_take_shown_value(struct message *reply, struct node *node)
{
	const char *name, *value;
	g_autofree char *shown = NULL, *otherwise = NULL;
	if (is_error(reply) || message_enter(reply, 'a', "{ss}") <= 0) {
		return;
	}
	while (message_read(reply, "{ss}", &name, &value) > 0) {
		if (strcmp(name, "valuetext") == 0) {
			g_free(shown);
			shown = g_utf8_make_valid(value, -1);
		} else if (strcmp(name, "placeholder") == 0) {
			g_free(otherwise);
			otherwise = g_utf8_make_valid(value, -1);
		}
	}
	/* A part of a date that is not there is a plain 0; one that is has two digits. */
	bool empty = shown == NULL || strcmp(shown, "0") == 0;
	if (!empty || otherwise != NULL) {
		g_free(node->element->value);
		node->element->value = empty ? g_steal_pointer(&otherwise) : g_steal_pointer(&shown);
	}
}

void node_take_prose(struct message *reply, struct node *node)
{
	static const char object[] = "\xef\xbf\xbc";
	const char *text;
	if (is_error(reply) || message_read(reply, "s", &text) <= 0) {
		return;
	}
	g_autofree char *clean = splice_clean(text, (gssize)strnlen(text, LONGEST_TEXT));
	g_auto(GStrv) parts = g_strsplit(clean, object, -1);
	g_autofree char *prose = g_strstrip(g_strjoinv(" ", parts));
	if (prose[0] != '\0') {
		g_free(node->element->value);
		node->element->value = g_steal_pointer(&prose);
	}
}

int node_read_number(struct message *reply)
{
	int32_t number;
	return !is_error(reply) && message_read(reply, "v", "i", &number) > 0 ? number : 0;
}
