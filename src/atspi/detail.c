/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/detail.h"

#include "atspi/node.h"
#include "atspi/reader.h"
#include "atspi/role.h"

/* More than any object of Firefox has. */
#define GECKO_ACTIONS 10
/* Of the protocol's kinds of relations. */
#define RELATION_LABELLED_BY 2

bool detail_is_showing(const struct node *node)
{
	return node_is(node, ATSPI_SHOWING)
		|| (node->reader->reading->gtk4 && node_is(node, ATSPI_VISIBLE));
}

static void on_extents(struct message *reply, void *data)
{
	node_take_extents(reply, data);
}

static void on_inside(struct message *reply, void *data)
{
	node_take_inside(reply, data);
}

static void on_action_name(struct message *reply, void *data)
{
	node_take_action_name(reply, data);
}

static void on_binding(struct message *reply, void *data)
{
	node_take_binding(reply, data);
}

static void ask_binding(struct node *node)
{
	link_send(node->reader->link, node->element->provider, node->element->object,
		ACTION_INTERFACE, "GetKeyBinding", on_binding, node, "i", 0);
}

/*
 * GetActions gives names for people, translated, and Chromium has none: those for programs come one by
 * one. Where they are not translated they are the same.
 */
static void on_actions(struct message *reply, void *data)
{
	struct node *node = data;
	node_take_actions(reply, node);
	for (int i = 0; node->element->actions[i] != NULL; i++) {
		if (node->element->actions[i][0] == NODE_TRANSLATED[0]) {
			link_send(node->reader->link, node->element->provider, node->element->object,
				ACTION_INTERFACE, "GetName", on_action_name, node, "i", i);
		}
	}
	/* Qt tells the keys of menu items only to those who ask for them. */
	if (node->reader->reading->limits.closed_menus && node->element->binding == NULL
		&& node->element->actions[0] != NULL) {
		ask_binding(node);
	}
}

static void on_value(struct message *reply, void *data)
{
	node_take_value(reply, data);
}

static void on_attributes(struct message *reply, void *data)
{
	node_take_shown_value(reply, data);
}

static void on_text(struct message *reply, void *data)
{
	struct node *node = data;
	node_take_text(reply, node);
	/* The numbers of a date in Chromium have no text, but what they show is among their attributes. */
	if (node->reader->reading->chromium && g_strcmp0(node->element->value, "") == 0 && node->interfaces & INTERFACE_VALUE
		&& (node->element->states & STATE_EDITABLE) == 0) {
		reader_send(node, ACCESSIBLE, "GetAttributes", on_attributes);
	}
}

static void on_text_length(struct message *reply, void *data)
{
	struct node *node = data;
	int length = node_read_number(reply);
	/* Never to -1, the end: the entries of GTK 4.8 answer that with nothing. */
	link_send(node->reader->link, node->element->provider, node->element->object,
		"org.a11y.atspi.Text", "GetText", on_text, node, "ii", 0, MIN(length, ELEMENT_TEXT_LIMIT));
}

static void on_description(struct message *reply, void *data)
{
	node_take_description(reply, data);
}

bool detail_is_frugal(const struct node *node)
{
	const struct reading *reading = node->reader->reading;
	return (reading->qt || (reading->chromium && !node->cached)) && reading->children
		&& !reading->light;
}

/* GTK3's buttons of all kinds, which alone have an image besides, can be clicked and nothing else. */
static bool is_gtk3_button(const struct node *node)
{
	return node->reader->reading->gtk3 && node->interfaces & INTERFACE_IMAGE
		&& (node->role == ROLE_PUSH_BUTTON || node->role == ROLE_TOGGLE_BUTTON
			|| node->role == ROLE_CHECK_BOX || node->role == ROLE_RADIO_BUTTON);
}

/* Chromium's objects have a verb and a context menu; what has steps or can be scrolled has more. */
static bool has_two_actions(const struct node *node)
{
	return role_is_leaf(node->role) || node->role == ROLE_LINK || node->role == ROLE_MENU_ITEM
		|| node->role == ROLE_PAGE_TAB || node->role == ROLE_HEADING || node->role == ROLE_IMAGE;
}

static void on_action_count(struct message *reply, void *data)
{
	struct node *node = data;
	if (node_read_number(reply) > 2) {
		reader_send(node, ACTION_INTERFACE, "GetActions", on_actions);
		return;
	}
	link_send(node->reader->link, node->element->provider, node->element->object,
		ACTION_INTERFACE, "GetName", on_action_name, node, "i", 0);
}

/*
 * Firefox gives the same place in its memory for an action's name, description and keys, so that GetActions tells the keys
 * for all three, or, where they are long, of memory that is in use no more: the bus library then ends Firefox. One by one
 * each is told right. WebKitGTK does not answer it at all.
 */
static void on_one_by_one(struct message *reply, void *data)
{
	struct node *node = data;
	const char *names[GECKO_ACTIONS + 1] = { NULL };
	int number = node_read_number(reply);
	int count = CLAMP(number, 0, GECKO_ACTIONS);
	for (int i = 0; i < count; i++) {
		names[i] = NODE_TRANSLATED;
	}
	node_set_actions(node, names);
	for (int i = 0; i < count; i++) {
		link_send(node->reader->link, node->element->provider, node->element->object,
			ACTION_INTERFACE, "GetName", on_action_name, node, "i", i);
	}
	if (count > 0 && node->reader->reading->limits.closed_menus) {
		ask_binding(node);
	}
}

static void ask_actions(struct node *node)
{
	static const char *const click[] = { "click", NULL };
	static const char *const two[] = { NODE_TRANSLATED, "showContextMenu", NULL };
	if (!(node->interfaces & INTERFACE_ACTION)) {
		return;
	}
	if (is_gtk3_button(node)) {
		node_set_actions(node, click);
		node->element->settled = true;
		/* Those that may be mute (mute.h) have to be asked for where they are: then they tell whether they are on. */
		node->element->lasting = node->role == ROLE_PUSH_BUTTON || node->role == ROLE_TOGGLE_BUTTON;
	} else if (node->reader->reading->chromium && node->role == ROLE_STATIC) {
		/* Text has no verb of its own, at most that of what it is in. */
		return;
	} else if (node->reader->reading->chromium) {
		node_set_actions(node, two);
		if (has_two_actions(node)) {
			link_send(node->reader->link, node->element->provider, node->element->object,
				ACTION_INTERFACE, "GetName", on_action_name, node, "i", 0);
		} else {
			reader_get(node, ACTION_INTERFACE, "NActions", on_action_count);
		}
	} else if (node->reader->reading->gecko || node->element->plugged) {
		reader_get(node, ACTION_INTERFACE, "NActions", on_one_by_one);
	} else {
		reader_send(node, ACTION_INTERFACE, "GetActions", on_actions);
	}
}

/* What holds running text in a page. */
static bool is_prose(const struct node *node)
{
	static const char *const roles[] = {
		"paragraph", "section", "static", "heading", "label", "list item", "table cell", "caption", "block quote", "scroll pane",
		"landmark", "panel", "document web", "article", "comment", "definition", "footnote", "form", NULL,
	};
	/* The name of most of them is that text. */
	static const char *const containers[] = { "scroll pane", "landmark", "panel", "document web", "article", "form", NULL };
	return g_strv_contains(roles, node->element->role)
		&& (node->element->name[0] == '\0' || g_strv_contains(containers, node->element->role));
}

static void on_prose(struct message *reply, void *data)
{
	node_take_prose(reply, data);
}

/* What the list of interfaces decides. */
static void ask_content(struct node *node)
{
	struct element *element = node->element;
	if (role_has_no_number(node->role)) {
		/* Java's buttons have one, which says what their states say. */
		element->has_value = false;
	} else if (node->interfaces & INTERFACE_VALUE) {
		reader_get(node, "org.a11y.atspi.Value", "CurrentValue", on_value);
	}
	/* Lists of Qt have only the interface of tables; every menu of GTK3 has a selection. */
	element->chooses = role_is_container(node->role)
		&& (node->interfaces & (INTERFACE_SELECTION | INTERFACE_TABLE)) != 0;
	element->secret = node->role == ROLE_PASSWORD_TEXT;
	if (node->interfaces & INTERFACE_TEXT && !element->secret
		&& (role_has_text_value(node->role) || element->states & STATE_EDITABLE)) {
		reader_get(node, "org.a11y.atspi.Text", "CharacterCount", on_text_length);
	} else if ((node->reader->reading->gecko || element->plugged) && node->interfaces & INTERFACE_TEXT && !element->secret && is_prose(node)) {
		/* Firefox and WebKitGTK have no objects for text, only this. */
		link_send(node->reader->link, element->provider, element->object, "org.a11y.atspi.Text", "GetText", on_prose, node,
			"ii", 0, -1);
	}
}

static void on_late_interfaces(struct message *reply, void *data)
{
	node_take_interfaces(reply, data);
	ask_content(data);
}

static void on_label(struct message *reply, void *data)
{
	struct node *node = data;
	const char *text;
	if (!message_is_error(reply) && message_read(reply, "s", &text) > 0 && text[0] != '\0') {
		g_free(node->element->label);
		node->element->label = g_utf8_make_valid(text, -1);
	}
}

/* The first object that labels it is asked for its text. */
static void on_relations(struct message *reply, void *data)
{
	struct node *node = data;
	uint32_t kind;
	const char *name, *path;
	if (message_is_error(reply) || message_enter(reply, 'a', "(ua(so))") <= 0) {
		return;
	}
	while (message_enter(reply, 'r', "ua(so)") > 0 && message_read(reply, "u", &kind) > 0
		&& message_enter(reply, 'a', "(so)") > 0) {
		if (kind == RELATION_LABELLED_BY && message_read(reply, "(so)", &name, &path) > 0) {
			link_send(node->reader->link, node->element->provider, path,
				"org.a11y.atspi.Text", "GetText", on_label, node, "ii", 0, -1);
			return;
		}
		while (message_read(reply, "(so)", &name, &path) > 0) {
			/* Other relations. */
		}
		message_exit(reply);
		message_exit(reply);
	}
}

/*
 * The items of a popover menu have no name in GTK 4.18: they are labelled by an object without a
 * role, which is no child of theirs.
 */
static bool is_labelled_apart(const struct node *node)
{
	return node->reader->reading->gtk4 && node->element->name[0] == '\0'
		&& (node->role == ROLE_MENU_ITEM || node->role == ROLE_CHECK_MENU_ITEM
			|| node->role == ROLE_RADIO_MENU_ITEM);
}

void detail_ask(struct node *node)
{
	const struct reading *reading = node->reader->reading;
	bool showing = detail_is_showing(node);
	bool frugal = detail_is_frugal(node);
	if (reading->chromium) {
		node_enable_read_only(node);
	}
	if (frugal) {
		/* Both have it everywhere, but Qt's passive widgets do nothing unless they take the focus. */
		bool passive = reading->qt && role_is_passive_in_qt(node->role)
			&& !node_is(node, ATSPI_FOCUSABLE);
		node->interfaces = INTERFACE_COMPONENT | (passive ? 0 : INTERFACE_ACTION);
	}
	if (!showing) {
		node->element->states |= STATE_OFFSCREEN;
	} else if (node->interfaces & INTERFACE_COMPONENT) {
		link_send(node->reader->link, node->element->provider, node->element->object,
			"org.a11y.atspi.Component", "GetExtents", on_extents, node, "u",
			reading->gtk4 ? COORDS_WINDOW : COORDS_SCREEN);
		if (reading->era == GTK4_ERA_SUM) {
			link_send(node->reader->link, node->element->provider,
				node->element->object, "org.a11y.atspi.Component", "GetExtents",
				on_inside, node, "u", COORDS_PARENT);
		}
	}
	ask_actions(node);
	if (is_labelled_apart(node)) {
		reader_send(node, ACCESSIBLE, "GetRelationSet", on_relations);
	}
	/* In Qt also the tool tip; what is hidden and has a name needs none. */
	if (node->interfaces & INTERFACE_ACTION && !node->cached && node->role != ROLE_STATIC
		&& (showing || !frugal || node->element->name[0] == '\0')) {
		reader_get(node, ACCESSIBLE, "Description", on_description);
	}
	if (frugal && !role_is_plain(node->role)) {
		reader_send(node, ACCESSIBLE, "GetInterfaces", on_late_interfaces);
	} else {
		ask_content(node);
	}
}
