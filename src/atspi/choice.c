/* SPDX-License-Identifier: MIT */
/* Choosing by label in combo boxes, lists, trees and rows of tabs, without opening anything. */
#include "config.h"

#include "atspi/write.h"

#include <string.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "atspi/atspi.h"
#include "atspi/node.h"
#include "atspi/reader.h"
#include "atspi/verb.h"

/* How far items are searched for: their number, and levels below the container. */
#define MOST_ITEMS 2000
#define DEEPEST_ITEM 6
/* So many of the selected are looked at. */
#define MOST_SELECTED 20

/* What can be chosen in a container. */
struct item {
	const struct element *element; /* of the tree */
	const char *label;
	int ordinal;                   /* among the items */
	int child;                     /* among all in the list: GTK3 counts the lines between them, too */
};

static bool is_item(const struct tree *tree, const struct element *element)
{
	static const char *const roles[] = {
		"menu item", "check menu item", "radio menu item", "list item", "table cell", "tree item",
		"page tab", "icon", NULL,
	};
	const struct element *parent = tree->elements->pdata[MAX(element->parent, 0)];
	/* Those of Java's lists are labels. */
	return g_strv_contains(roles, element->role)
		|| (strcmp(element->role, "label") == 0 && strcmp(parent->role, "list") == 0);
}

bool choice_is(const struct element *element)
{
	static const char *const roles[] = {
		"combo box", "list", "list box", "page tab list", "tree", "tree table", "table",
		"layered pane", NULL,
	};
	return g_strv_contains(roles, element->role);
}

/* Its own name, or that of the first thing in it that has one: rows of GTK have a label in them. */
static const char *label_of(const struct tree *tree, guint at)
{
	const struct element *item = tree->elements->pdata[at];
	if (item->name[0] != '\0') {
		return item->name;
	}
	for (guint i = at + 1; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (!tree_is_within(tree, element, item)) {
			break;
		}
		if (element->name[0] != '\0') {
			return element->name;
		}
	}
	return "";
}

/* Firefox puts the mark of a page's list before what it lists. */
static const char *without_mark(const char *label)
{
	static const char *const marks[] = { "\xe2\x80\xa2 ", "\xe2\x97\xa6 ", "\xe2\x96\xaa ", NULL };
	for (int i = 0; marks[i] != NULL; i++) {
		if (g_str_has_prefix(label, marks[i])) {
			return label + strlen(marks[i]);
		}
	}
	return label;
}

static GArray *items_of(const struct tree *tree)
{
	GArray *items = g_array_new(FALSE, TRUE, sizeof(struct item));
	int lines = 0;
	for (guint i = 1; i < tree->elements->len; i++) {
		int ordinal = (int)items->len;
		struct item item = { tree->elements->pdata[i], NULL, ordinal, ordinal + lines };
		if (is_item(tree, item.element)) {
			item.label = without_mark(label_of(tree, i));
			g_array_append_val(items, item);
		}
		lines += strcmp(item.element->role, "separator") == 0;
	}
	return items;
}

/* The one of that label; of other spelling only if it is the only one. */
static const struct item *find_item(const GArray *items, const char *label)
{
	g_autofree char *folded = g_utf8_casefold(label, -1);
	const struct item *alike = NULL;
	int found = 0;
	for (guint i = 0; i < items->len; i++) {
		const struct item *item = &g_array_index(items, struct item, i);
		g_autofree char *other = g_utf8_casefold(item->label, -1);
		if (strcmp(item->label, label) == 0) {
			return item;
		}
		if (strcmp(folded, other) == 0) {
			alike = item;
			found++;
		}
	}
	return found == 1 ? alike : NULL;
}

/* The labels, for a caller who named none of them. */
static char **labels_of(const GArray *items)
{
	char **labels = g_new0(char *, items->len + 1);
	for (guint i = 0; i < items->len; i++) {
		labels[i] = g_strdup(g_array_index(items, struct item, i).label);
	}
	return labels;
}

/* The path of one selected child, owned; NULL if there is none. */
static char *selected_child(struct talk *talk, int number)
{
	const char *name, *path;
	struct message *reply = talk_ask(talk, SELECTION_INTERFACE, "GetSelectedChild", "i", number);
	return reply != NULL && message_read(reply, "(so)", &name, &path) > 0
		&& !g_str_has_suffix(path, "/null") ? g_strdup(path) : NULL;
}

static char *name_of(struct talk *talk, const char *path)
{
	struct talk other = { .link = talk->link, .name = talk->name, .path = path,
		.deadline = talk->deadline };
	char *name = talk_string(&other, ACCESSIBLE, "Name");
	talk_end(&other);
	return name;
}

static bool has_state(struct talk *talk, const char *path, int state)
{
	struct talk other = { .link = talk->link, .name = talk->name, .path = path,
		.deadline = talk->deadline };
	uint64_t states = talk_states(&other);
	talk_end(&other);
	return (states >> state & 1) != 0;
}

/* `wanted` if the object is selected, or only a part of it is; otherwise what is. */
static char *look_for(struct talk *talk, const char *object, const char *wanted)
{
	if (has_state(talk, object, ATSPI_SELECTED)) {
		return g_strdup(wanted);
	}
	int count = talk_int(talk, SELECTION_INTERFACE, "NSelectedChildren", 0);
	char *other = NULL;
	for (int i = 0; i < MIN(count, MOST_SELECTED); i++) {
		g_autofree char *path = selected_child(talk, i);
		if (path != NULL && strcmp(path, object) == 0) {
			g_free(other);
			return g_strdup(wanted);
		}
		if (path != NULL && other == NULL) {
			other = name_of(talk, path);
		}
	}
	return other != NULL && other[0] != '\0' ? other : (g_free(other), g_strdup("another, or none"));
}

char *choice_look(struct talk *talk, const struct action *action)
{
	const struct finding *finding = &action->finding;
	return finding->object != NULL ? look_for(talk, finding->object, finding->wanted)
		: talk_string(talk, ACCESSIBLE, "Name");
}

/* By the combo box itself, which counts its items whatever they are in; else by the item. */
static enum delivered choose_in_combo(struct atspi *atspi, struct talk *talk, struct action *action,
	const struct element *now, int child, GError **error)
{
	if ((talk_interfaces(talk) & INTERFACE_SELECTION) != 0) {
		talk_ask(talk, SELECTION_INTERFACE, "SelectChild", "i", child);
		if (talk_agreed(talk)) {
			action->performed = "select in";
			return DELIVERED_FULL;
		}
	}
	const char *verb = verb_find((const char *const *)now->actions, "pick");
	if (talk->error != NULL || verb == NULL) {
		write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE,
			"The items of the %s \"%s\" cannot be chosen while it is closed", action->now->role,
			action->now->name);
		return DELIVERED_NONE;
	}
	action->performed = "select in";
	return atspi_perform(atspi, now, verb, action->window->pid, NULL, action->deadline, error);
}

/* The item as it is now, with its actions; NULL with an error. */
static struct element *read_item(struct talk *talk, const struct action *action, const struct element *item, GError **error)
{
	const struct reading reading = { .limits = { .max_elements = 1 },
		.gecko = strcmp(action->window->toolkit, "gecko") == 0, .plugged = action->now->plugged };
	struct tree *tree = reader_read(talk->link, item->provider, item->object, &reading,
		talk->deadline, error);
	struct element *now = tree != NULL ? g_ptr_array_steal_index(tree->elements, 0) : NULL;
	tree_free(tree);
	return now;
}

static enum delivered choose(struct atspi *atspi, struct talk *talk, struct action *action,
	const struct item *item, GError **error)
{
	struct finding *finding = &action->finding;
	struct element *now = read_item(talk, action, item->element, error);
	if (now == NULL) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = DELIVERED_NONE;
	finding->object = g_strdup(item->element->object);
	finding->wanted = g_strdup(item->label);
	finding->before = look_for(talk, finding->object, finding->wanted);
	finding->kind = "selection";
	const char *verb = verb_find((const char *const *)now->actions, "click_item");
	if ((now->states & STATE_ENABLED) == 0) {
		error_set(error, ERROR_ELEMENT_DISABLED, "The item \"%s\" is disabled",
			item->label);
	} else if (strcmp(finding->before, finding->wanted) == 0) {
		action->performed = "leave as it is:";
		finding->idle = true;
		delivered = DELIVERED_FULL;
	} else if (strcmp(action->now->role, "combo box") == 0) {
		delivered = choose_in_combo(atspi, talk, action, now, item->child, error);
	} else if (verb == NULL && verb_only_selects(action, now)) {
		finding->kept = true;
		finding->button = 1;
		finding->presses = 1;
		finding->part = element_copy(now);
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE,
			"The item \"%s\" would be selected, and the "
			"application not be told of a click",
			item->label);
	} else if (verb != NULL) {
		action->performed = "select in";
		delivered = atspi_perform(atspi, now, verb, action->window->pid, NULL, action->deadline, error);
	} else {
		action->performed = "select in";
		delivered = atspi_pick(atspi, now, true, STEP_NONE, action->deadline, error);
	}
	element_free(now);
	return delivered;
}

/* How many steps from one to the other; what is disabled is passed over. */
static int steps_between(struct talk *talk, const GArray *items, int from, int to)
{
	int steps = 0, way = to > from ? 1 : -1;
	for (int at = from; at != to; at += way) {
		const struct item *next = &g_array_index(items, struct item, at + way);
		steps += has_state(talk, next->element->object, ATSPI_ENABLED);
	}
	return steps;
}

/*
 * Qt's items say that they are chosen, and are not; but the arrow keys move through them while the list is closed. A
 * wheel does as well, but many an application does not follow it, and what is around the combo box scrolls. The
 * name of such a combo box is the item it shows.
 */
static enum delivered step_to(struct talk *talk, struct action *action, const GArray *items,
	const struct item *item, const struct element *entry, GError **error)
{
	struct finding *finding = &action->finding;
	const struct item *shown = find_item(items, action->now->name);
	bool focusable = (action->now->states & STATE_FOCUSABLE) != 0;
	if (shown == NULL && !focusable) {
		error_set(error, ERROR_BACKGROUND_UNAVAILABLE,
			"The combo box shows \"%s\", which is none of its items", action->now->name);
		return DELIVERED_NONE;
	}
	if (!has_state(talk, item->element->object, ATSPI_ENABLED)) {
		error_set(
			error, ERROR_ELEMENT_DISABLED, "The item \"%s\" is disabled", item->label);
		return DELIVERED_NONE;
	}
	finding->kind = "selection";
	finding->before = g_strdup(action->now->name);
	finding->wanted = g_strdup(item->label);
	/* Where it shows what somebody wrote, it is anywhere. */
	int way = shown == NULL || item->ordinal > shown->ordinal ? 1 : -1;
	finding->presses = shown == NULL ? 2 * (int)items->len : steps_between(talk, items, shown->ordinal, item->ordinal);
	finding->back = shown == NULL ? XKB_KEY_Up : 0;
	if (finding->presses == 0) {
		action->performed = "leave as it is:";
		finding->idle = true;
		return DELIVERED_FULL;
	}
	finding->kept = true;
	finding->key = !focusable ? 0 : way > 0 ? XKB_KEY_Down : XKB_KEY_Up;
	finding->button = focusable ? 0 : way > 0 ? 5 : 4;
	finding->part = entry != NULL ? element_copy(entry) : NULL;
	g_set_error(error, CUA_ERROR, action->window->minimized ? ERROR_WINDOW_MINIMIZED : ERROR_BACKGROUND_UNAVAILABLE,
		"Qt's combo boxes cannot be set by accessibility while they are closed");
	return DELIVERED_NONE;
}

/*
 * Firefox answers that it chose an item of a closed list, and did not, or did without a word to the page; but arrow keys move
 * through them, and pass over what is disabled.
 */
static enum delivered walk_to(struct talk *talk, struct action *action, const GArray *items, const struct item *item,
	GError **error)
{
	struct finding *finding = &action->finding;
	const struct item *shown = NULL;
	for (guint i = 0; i < items->len && shown == NULL; i++) {
		const struct item *other = &g_array_index(items, struct item, i);
		shown = has_state(talk, other->element->object, ATSPI_SELECTED) ? other : NULL;
	}
	if (!has_state(talk, item->element->object, ATSPI_ENABLED)) {
		error_set(
			error, ERROR_ELEMENT_DISABLED, "The item \"%s\" is disabled", item->label);
		return DELIVERED_NONE;
	}
	finding->kind = "selection";
	finding->object = g_strdup(item->element->object);
	finding->before = g_strdup(shown != NULL ? shown->label : "none");
	finding->wanted = g_strdup(item->label);
	if (shown == item) {
		action->performed = "leave as it is:";
		finding->idle = true;
		return DELIVERED_FULL;
	}
	int from = shown != NULL ? shown->ordinal : -1;
	finding->presses = steps_between(talk, items, from, item->ordinal);
	finding->key = item->ordinal > from ? XKB_KEY_Down : XKB_KEY_Up;
	finding->kept = finding->at_once = true;
	error_set(error, ERROR_BACKGROUND_UNAVAILABLE,
		"The items of the %s \"%s\" cannot be chosen by accessibility while it is closed", action->now->role, action->now->name);
	return DELIVERED_NONE;
}

/* A combo box that can be written into has its text in it. */
static const struct element *entry_of(const struct tree *tree)
{
	for (guint i = 1; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->role, "text") == 0 || strcmp(element->role, "entry") == 0) {
			return element;
		}
	}
	return NULL;
}

/* libadwaita's rows that are combo boxes have a list in them that shows the chosen item alone. */
static bool shows_one(const struct action *action, const GArray *items)
{
	return strcmp(action->now->role, "combo box") == 0 && strcmp(action->window->toolkit, "gtk4") == 0
		&& items->len == 1;
}

static enum delivered set_in(struct atspi *atspi, struct talk *talk, struct action *action,
	const struct tree *tree, GError **error)
{
	bool combo = strcmp(action->now->role, "combo box") == 0;
	bool steps = combo && g_str_has_prefix(action->window->toolkit, "qt");
	const struct element *entry = combo ? entry_of(tree) : NULL;
	if (combo && entry == NULL && (action->now->states & STATE_EDITABLE) != 0) {
		/* Or is the text itself: an address bar, and what pages make of a field. */
		return write_whole(talk, action, error);
	}
	g_autoptr(GArray) items = items_of(tree);
	const struct item *item = find_item(items, action->text);
	/* The text of an item that is written there is not the item to the application. */
	bool listed = steps && item != NULL && !action->window->minimized;
	if (entry != NULL && !listed) {
		talk->path = entry->object;
		action->finding.object = g_strdup(entry->object);
		return write_whole(talk, action, error);
	}
	if (items->len == 0 || (item == NULL && shows_one(action, items))) {
		write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" shows its items only while it is open: click it, which "
			"opens it in the background, then choose "
			"there, by a click or by press_key down and return",
			action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	if (item == NULL) {
		action->finding.items = labels_of(items);
		write_fail(talk, error, ERROR_ITEM_NOT_FOUND, "The %s \"%s\" has no item \"%s\"",
			action->now->role, action->now->name, action->text);
		return DELIVERED_NONE;
	}
	if (steps) {
		return step_to(talk, action, items, item, entry, error);
	}
	return combo && (strcmp(action->window->toolkit, "gecko") == 0 || action->now->plugged) ? walk_to(talk, action, items, item, error)
		: choose(atspi, talk, action, item, error);
}

enum delivered choice_set(struct atspi *atspi, struct talk *talk, struct action *action,
	GError **error)
{
	const struct reading reading = {
		.limits = { .max_elements = MOST_ITEMS, .max_depth = DEEPEST_ITEM },
		.light = true, .children = true, .shallow = true,
	};
	struct tree *tree = reader_read(talk->link, talk->name, talk->path, &reading, talk->deadline,
		error);
	if (tree == NULL) {
		return DELIVERED_NONE;
	}
	enum delivered delivered = set_in(atspi, talk, action, tree, error);
	talk->path = action->now->object;
	tree_free(tree);
	return delivered;
}
