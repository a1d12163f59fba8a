/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/verb.h"

#include <string.h>

#include "atspi/kind.h"
#include "core/keys.h"
#include "core/label.h"
#include "core/quote.h"

/*
 * What callers ask for, and the verbs of the toolkits that do it, best first. Always by name: the
 * position of a verb differs between toolkits and releases.
 */
static const struct {
	const char *wanted;
	const char *verbs[18];
} table[] = {
	{ "press", { "click", "press", "activate", "toggle", "doDefault", "jump", "check", "uncheck",
		"select", "switch", "open", "cycle", "expand", "collapse", "clickAncestor", "click ancestor" } },
	{ "show_menu", { "showContextMenu", "ShowMenu", "show menu", "menu.popup", "menu", "popup" } },
	{ "pick", { "pick", "select", "click", "press" } },
	{ "confirm", { "confirm", "activate", "press" } },
	{ "cancel", { "cancel", "dismiss", "close" } },
	{ "open", { "open", "activate", "expand or contract", "listitem.toggle-expand", "expand",
		"edit" } },
	{ "expand", { "expand", "listitem.expand", "expand or contract", "toggleexpand" } },
	{ "collapse", { "collapse", "listitem.collapse", "expand or contract", "toggleexpand" } },
	/* What one click on a row does; "activate" there is a double click, Qt's "Toggle" a check mark. */
	{ "click_item", { "click", "press", "select", "switch", "jump" } },
	{ "click_item_at_last", { "doDefault", "clickAncestor", "click ancestor" } },
	{ "open_item", { "open", "activate", "edit", "toggleexpand" } },
	{ "focus", { "SetFocus" } },
	{ "step", { "Increase", "Decrease", "increment", "decrement" } },
};

static const char *find_name(const char *const *actions, const char *verb)
{
	for (; *actions != NULL; actions++) {
		if (g_ascii_strcasecmp(*actions, verb) == 0) {
			return *actions;
		}
	}
	return NULL;
}

const char *verb_find(const char *const *actions, const char *wanted)
{
	const char *found = find_name(actions, wanted);
	for (gsize i = 0; i < G_N_ELEMENTS(table) && found == NULL; i++) {
		if (strcmp(table[i].wanted, wanted) != 0) {
			continue;
		}
		for (const char *const *verb = table[i].verbs; *verb != NULL && found == NULL; verb++) {
			found = find_name(actions, *verb);
		}
	}
	return found;
}

bool verb_is_known(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
		if (find_name(table[i].verbs, name) != NULL) {
			return true;
		}
	}
	/* GTK4's and others' that no person ever sees. */
	return strchr(name, '.') != NULL;
}

static bool is_one_of(const struct element *element, const char *const *roles)
{
	return g_strv_contains(roles, element->role);
}

/* There the verb that shows a menu opens the element's own, not one about it. */
static const char *const menu_owners[] = { "menu", "menu item", "combo box", NULL };

/* Chosen in a container. */
static bool is_item(const struct element *element)
{
	return element_is_item(element) || strcmp(element->role, "page tab") == 0;
}

/* Does nothing by itself when it is clicked; what it is in may. */
static bool is_passive(const struct element *element)
{
	static const char *const roles[] = {
		"label", "panel", "filler", "image", "static", "paragraph", "heading", "section", "unknown",
		NULL,
	};
	return is_one_of(element, roles);
}

/* Takes the caret when it is clicked; its "activate" is the Enter key. */
static bool is_text(const struct element *element)
{
	static const char *const roles[] = {
		"text", "entry", "password text", "terminal", "editbar", "spin button", "autocomplete",
		"date editor", "document text", NULL,
	};
	return is_one_of(element, roles);
}

/* A button of GTK4's that opens a menu or a list is inside of what a person sees as that button or
 * list. */
static bool is_inner_button(const struct action *action)
{
	static const char *const buttons[] = { "push button", "toggle button", NULL };
	static const char *const outer[] = { "push button", "toggle button", "combo box", NULL };
	const struct element *element = action->element;
	const struct element *parent = element != NULL && element->tree != NULL
			&& element->parent >= 0
		? element->tree->elements->pdata[element->parent]
		: NULL;
	return kind_is_gtk4(action->window) && parent != NULL && is_one_of(action->now, buttons)
		&& is_one_of(parent, outer);
}

/* GTK3 says of a button with a menu nothing but that items are in it. */
static bool has_menu_inside(const struct action *action)
{
	static const char *const items[] = { "menu", "menu item", "check menu item",
		"radio menu item", "separator", NULL };
	const struct element *element = action->element;
	const GPtrArray *all = element != NULL && element->tree != NULL ? element->tree->elements
									: NULL;
	const struct element *next = all != NULL && (guint)element->position + 1 < all->len
		? all->pdata[element->position + 1] : NULL;
	bool gtk3 = strcmp(action->window->toolkit, "gtk3") == 0
		|| strcmp(action->window->toolkit, "vcl") == 0;
	return gtk3 && strcmp(action->now->role, "toggle button") == 0 && next != NULL
		&& next->parent == element->position && is_one_of(next, items);
}

/* The arrow of a combo box with a field, which LibreOffice shows beside that. */
static bool is_arrow(const struct action *action)
{
	const struct element *element = action->element;
	const GPtrArray *all = element != NULL && element->tree != NULL ? element->tree->elements
									: NULL;
	bool field = false;
	if (strcmp(action->window->toolkit, "vcl") == 0 && all != NULL
		&& strcmp(action->now->role, "toggle button") == 0) {
		for (int at = element->previous; at >= 0 && !field;
			at = ((const struct element *)all->pdata[at])->previous) {
			const char *role = ((const struct element *)all->pdata[at])->role;
			field = strcmp(role, "text") == 0 || strcmp(role, "combo box") == 0;
		}
	}
	return field;
}

bool verb_opens_menu(const struct action *action, const char *verb)
{
	static const char *const roles[] = { "menu", "combo box", NULL };
	static const char *const toolkits[] = { "gtk2", "gtk3", "gtk4", "qt5", "qt6", "vcl", "java",
		"chromium", NULL };
	static const char *const shows[] = { "ShowMenu", "showContextMenu", "menu.popup", NULL };
	/* Chromium opens what has a popup, and presses what has none. */
	bool opens = strcmp(action->window->toolkit, "chromium") == 0
		&& g_ascii_strcasecmp(verb, "open") == 0;
	return g_strv_contains(toolkits, action->window->toolkit)
		&& (opens || is_one_of(action->now, roles) || find_name(shows, verb) != NULL
			|| is_inner_button(action) || has_menu_inside(action) || is_arrow(action));
}

static bool is_qt(const struct action *action)
{
	return g_str_has_prefix(action->window->toolkit, "qt");
}

/* Whether a pointer could come to the element, once it was scrolled to; a rung that no other follows takes it for what it is. */
static bool may_be_reached(const struct action *action)
{
	return !action->last && !action->window->minimized && action->element != NULL;
}

/* The same, and that it has a place to be scrolled to: what is on another page has none, until that is turned to. */
static bool can_be_shown(const struct action *action)
{
	return may_be_reached(action) && (action->now->states & STATE_OFFSCREEN) == 0
		&& (action->element->has_frame || (action->element->states & STATE_OFFSCREEN) != 0);
}

bool verb_only_toggles(const struct action *action, const char *verb)
{
	static const char *const roles[] = { "check box", "radio button", "toggle button", "push button", NULL };
	const struct element *element = action->element;
	if (!is_qt(action) || element == NULL || g_ascii_strcasecmp(verb, "toggle") != 0 || !is_one_of(element, roles)) {
		return false;
	}
	const GPtrArray *all = element->tree != NULL ? element->tree->elements : NULL;
	const struct element *parent = all != NULL && element->parent >= 0 ? all->pdata[element->parent] : NULL;
	const struct element *next = all != NULL && (guint)element->position + 1 < all->len
		? all->pdata[element->position + 1] : NULL;
	/* In a tool bar it stands for a command. A box around others has a mark, too, which is not in its middle. */
	return (parent != NULL && strcmp(parent->role, "tool bar") == 0)
		|| (can_be_shown(action) && (next == NULL || next->parent != element->position));
}

/* A row of a list or tree in LibreOffice's dialogs, which are GTK's: it may ask which one has the cursor, not which is selected. */
static bool is_vcl_row(const struct action *action, const struct element *item)
{
	return strcmp(action->window->toolkit, "vcl") == 0 && strcmp(item->role, "table cell") == 0
		&& element_document(action->element) == NULL;
}

bool verb_only_selects(const struct action *action, const struct element *item)
{
	return item != NULL && (is_qt(action) || is_vcl_row(action, item)) && !action->last && !action->window->minimized
		&& (item->states & STATE_OFFSCREEN) == 0
		&& strcmp(item->role, "page tab") != 0;
}

bool verb_opens_selected(const struct action *action, const char *verb)
{
	const char *toolkit = action->window->toolkit;
	bool opens = g_ascii_strcasecmp(verb, "activate") == 0 || g_ascii_strcasecmp(verb, "open") == 0;
	return (strcmp(toolkit, "vcl") == 0 || strcmp(toolkit, "gtk3") == 0) && opens && action->verb == NULL
		&& is_item(action->now);
}

/*
 * In Qt what is selected is not what is current, and applications show what is current; in a sheet of LibreOffice the
 * cursor stays where it was, and the next key writes there, and the pages of its dialogs follow the cursor in their tree;
 * lists of GTK3 tell of rows that are activated, which a click does, and an open one goes on waiting for a choice: where a
 * pointer can reach the item, it clicks.
 */
static bool only_selects(const struct action *action)
{
	const struct element *element = action->element;
	const char *toolkit = action->window->toolkit;
	if (!may_be_reached(action) || strcmp(element->role, "page tab") == 0) {
		return false;
	}
	return is_qt(action) || strcmp(toolkit, "gtk3") == 0 || is_vcl_row(action, element) || (strcmp(toolkit, "vcl") == 0
		&& (element_document(element) != NULL || kind_of(action->window) == KIND_POPUP));
}

bool verb_pick_is_unheard(const struct action *action)
{
	const char *toolkit = action->window->toolkit;
	/* Who asks for the selection gets it. In a sheet the cursor stays where it was, and keys go there. */
	return (is_qt(action) || strcmp(toolkit, "gtk3") == 0 || is_vcl_row(action, action->element)
		|| (strcmp(toolkit, "vcl") == 0 && element_document(action->element) != NULL)) && action->verb == NULL
		&& !g_str_has_prefix(action->now->role, "page tab");
}

/*
 * In a combo box that is closed: Qt selects it in a list that nobody sees, and the combo box stays as it is; WebKitGTK says of the items of
 * a <select> that they are where the combo box is. An open list is a window; what else is in a page's combo box is its own.
 */
static bool is_put_away(const struct action *action)
{
	const struct element *element = action->element;
	bool away = element != NULL && kind_of(action->window) != KIND_POPUP
		&& (element->plugged ? strcmp(element->role, "menu item") == 0 : is_qt(action));
	const struct element *up = away ? element : NULL;
	while (up != NULL && strcmp(up->role, "combo box") != 0) {
		up = up->parent >= 0 && up->tree != NULL ? up->tree->elements->pdata[up->parent] : NULL;
	}
	return up != NULL && up != element;
}

/* An item of GTK4's open drop-down: it can be selected, and the drop-down hears of what is activated only. */
static bool is_dropped(const struct action *action)
{
	const struct element *element = action->element;
	const struct element *list = element != NULL && element->tree != NULL && element->parent >= 0
		? element->tree->elements->pdata[element->parent] : NULL;
	/* A row of libadwaita's has its list elsewhere in the tree; another list has a place in the window, though not each row. */
	return kind_is_gtk4(action->window) && element != NULL && !element->has_frame && !action->window->minimized
		&& strcmp(element->role, "list item") == 0 && (list == NULL || !list->has_frame);
}

bool verb_is_mark(const struct action *action)
{
	return strcmp(action->window->toolkit, "gtk3") == 0 && strcmp(action->now->role, "table cell") == 0
		&& find_name((const char *const *)action->now->actions, "toggle") != NULL;
}

/* Chromium's verb turns an item of a list of several over and leaves the others; a click chooses it alone. */
static bool turns_over(const struct action *action, const char *verb)
{
	const struct element *element = action->element;
	const struct element *parent = element != NULL && element->tree != NULL && element->parent >= 0
		? element->tree->elements->pdata[element->parent] : NULL;
	return strcmp(action->window->toolkit, "chromium") == 0 && parent != NULL && parent->several && element->in_web_content
		&& g_ascii_strcasecmp(verb, "select") == 0 && may_be_reached(action);
}

static enum way refuse(struct refusal *why, enum error_code code, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static enum way refuse(struct refusal *why, enum error_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	*why = (struct refusal){ code, quote_vformat(format, args) };
	va_end(args);
	return WAY_NONE;
}

/* The action that the caller named. */
static enum way choose_named(const struct action *action, const char **verb, struct refusal *why)
{
	const struct element *element = action->now;
	const char *wanted = action->verb;
	bool expanded = (element->states & STATE_EXPANDED) != 0;
	if (strcmp(wanted, expanded ? "expand" : "collapse") == 0
		&& (element->states & (STATE_EXPANDABLE | STATE_EXPANDED)) != 0) {
		return refuse(why, ERROR_ACTION_UNSUPPORTED, "The %s \"%s\" is %s already", element->role,
			element->name, expanded ? "expanded" : "collapsed");
	}
	*verb = verb_find((const char *const *)element->actions, wanted);
	if (*verb != NULL && g_ascii_strcasecmp(*verb, "edit") == 0 && strcmp(action->window->toolkit, "gtk3") == 0
		&& strcmp(element->role, "table cell") == 0) {
		return refuse(why, ERROR_ACTION_UNSUPPORTED,
			"GTK 3 takes the focus from the user for the action \"%s\" of a cell, and "
			"edits "
			"nothing; if the cell can be edited, double_click opens its editor, and "
			"type_text without an element types there",
			*verb);
	}
	if (*verb != NULL) {
		return WAY_PERFORM;
	}
	if (strcmp(wanted, "pick") == 0 && (is_item(element) || element->selectable)) {
		return WAY_PICK;
	}
	/* What can be expanded can be, if not by an action of its own: GTK3's expander by the only one it has. */
	bool branch = (element->states & STATE_EXPANDABLE) != 0
		&& (strcmp(wanted, "expand") == 0 || strcmp(wanted, "collapse") == 0);
	if (branch && strcmp(element->role, "toggle button") == 0) {
		*verb = verb_find((const char *const *)element->actions, "press");
		if (*verb != NULL) {
			return WAY_PERFORM;
		}
	}
	return refuse(why, branch ? ERROR_BACKGROUND_UNAVAILABLE : ERROR_ACTION_UNSUPPORTED,
		"The %s \"%s\" has no action \"%s\"", element->role, element->name, wanted);
}

static enum way choose_single(const struct element *element, const char **verb, struct refusal *why)
{
	const char *const *actions = (const char *const *)element->actions;
	if (is_text(element) && !element->in_web_content) {
		*verb = verb_find(actions, "focus");
		return *verb != NULL ? WAY_PERFORM : refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			"A click would only put the caret into the %s \"%s\", and it has no action for that; "
			"type_text and set_value write into it without a click", element->role,
			element->name);
	}
	if (is_item(element)) {
		*verb = verb_find(actions, "click_item");
		/* Chromium's own tabs have no other, and refuse to be selected. */
		if (*verb == NULL && (element->in_web_content || strcmp(element->role, "page tab") == 0)) {
			*verb = verb_find(actions, "click_item_at_last");
		}
		return *verb != NULL ? WAY_PERFORM : WAY_PICK;
	}
	*verb = verb_find(actions, "press");
	if (*verb == NULL && (is_one_of(element, menu_owners) || strcmp(element->role, "push button") == 0)) {
		*verb = find_name(actions, "ShowMenu");
	}
	if (*verb != NULL) {
		return WAY_PERFORM;
	}
	/* A combo box that is a row of a list opens. */
	if ((element->selectable && strcmp(element->role, "combo box") != 0) || is_passive(element)) {
		return WAY_PICK;
	}
	return refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
		"The %s \"%s\" has no action that a click could stand for", element->role, element->name);
}

static enum way choose_double(const struct element *element, const char **verb, struct refusal *why)
{
	const char *const *actions = (const char *const *)element->actions;
	*verb = is_item(element) || is_passive(element) ? verb_find(actions, "open_item")
		: verb_find(actions, "open") != NULL && !is_text(element)
			? find_name(actions, "open") : NULL;
	return *verb != NULL ? WAY_PERFORM : refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
		"The %s \"%s\" has no action that a double click could stand for", element->role,
		element->name);
}

static enum way choose_context(const struct element *element, const char **verb, struct refusal *why)
{
	*verb = is_one_of(element, menu_owners) ? NULL
		: verb_find((const char *const *)element->actions, "show_menu");
	return *verb != NULL ? WAY_PERFORM : refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
		"The %s \"%s\" has no action that opens its context menu", element->role, element->name);
}

/*
 * Qt does what an item of an open menu does without closing the menu, which a click closes;
 * Chromium activates its window for it, and for a click does not.
 */
static bool is_clicked_in_menu(const struct action *action, const char *verb)
{
	static const char *const verbs[] = { "Press", "select", NULL };
	bool toolkit = is_qt(action) || strcmp(action->window->toolkit, "chromium") == 0;
	return toolkit && action->kind == ACTION_CLICK && action->verb == NULL
		&& may_be_reached(action) && kind_of(action->window) == KIND_POPUP
		&& g_str_has_suffix(action->now->role, "menu item")
		&& find_name(verbs, verb) != NULL;
}

/* The <select> of a page of that browser. */
static bool is_list_of_page(const struct action *action, const char *toolkit, const char *verb)
{
	return strcmp(action->window->toolkit, toolkit) == 0 && action->now->in_web_content
		&& strcmp(action->now->role, "combo box") == 0
		&& g_ascii_strcasecmp(verb, "open") == 0;
}

enum step verb_step(const struct action *action)
{
	const char *const *held = action->modifiers;
	if (held == NULL || held[0] == NULL || held[1] != NULL || strcmp(action->window->toolkit, "gtk3") != 0 || action->verb != NULL
		|| action->kind != ACTION_CLICK || action->button != BUTTON_LEFT || action->count != 1
		|| strcmp(action->now->role, "table cell") != 0) {
		return STEP_NONE;
	}
	unsigned modifier = modifier_named(held[0]);
	return modifier == MODIFIER_CTRL ? STEP_TURN : modifier == MODIFIER_SHIFT ? STEP_RANGE : STEP_NONE;
}

enum way verb_choose(const struct action *action, const char **verb, struct refusal *why)
{
	const struct element *element = action->now;
	enum way way;
	*verb = NULL;
	if (verb_step(action) != STEP_NONE) {
		return WAY_PICK;
	}
	if (action->modifiers != NULL && action->modifiers[0] != NULL) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			"Accessibility knows no click with a key held down");
	}
	if (action->verb != NULL) {
		way = choose_named(action, verb, why);
	} else if (action->button == BUTTON_RIGHT && action->count == 1) {
		way = choose_context(element, verb, why);
	} else if (action->button == BUTTON_LEFT && action->count == 1) {
		way = choose_single(element, verb, why);
	} else if (action->button == BUTTON_LEFT && action->count == 2) {
		way = choose_double(element, verb, why);
	} else {
		way = refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			"Accessibility knows no click of that button and count");
	}
	if (way == WAY_PERFORM && action->verb == NULL && verb_only_toggles(action, *verb)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" would be toggled, and the application not "
			"be told of a click", element->role, element->name);
	}
	if (way == WAY_PERFORM && action->verb == NULL && turns_over(action, *verb)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" would be turned over, and what else is selected stay so",
			element->role, element->name);
	}
	if (way == WAY_PICK && action->verb == NULL && verb_is_mark(action)) {
		*verb = find_name((const char *const *)element->actions, "toggle");
		return action->window->minimized ? WAY_PERFORM : refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			"The row of the check mark \"%s\" would be selected, and it not be toggled", element->name);
	}
	if (way == WAY_PERFORM && is_clicked_in_menu(action, *verb)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			"The %s \"%s\" would be done, and its menu stay open, or the window become "
			"active",
			element->role, element->name);
	}
	if (way == WAY_PERFORM && is_list_of_page(action, "gecko", *verb)
		&& may_be_reached(action)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE,
			"Firefox does not open the combo box \"%s\" by its action", element->name);
	}
	if (way == WAY_PERFORM && is_list_of_page(action, "chromium", *verb)) {
		return refuse(why, ERROR_ACTION_UNSUPPORTED,
			"Chromium shows the list of the combo box \"%s\" only while its window has "
			"the focus: set_value chooses an item",
			element->name);
	}
	if (way != WAY_NONE && is_put_away(action)) {
		return refuse(why, ERROR_ACTION_UNSUPPORTED, "The %s \"%s\" is in a combo box that is closed: set_value of the combo box chooses "
			"it", element->role, label_of(action->element));
	}
	if (way == WAY_PICK && is_dropped(action)) {
		return refuse(why, ERROR_ACTION_UNSUPPORTED, "The %s \"%s\" would be selected, and the list stay open and "
			"nothing be chosen; press_key without an element, Down or Up and then Return, chooses in an open list",
			element->role, label_of(action->element));
	}
	if (way == WAY_PERFORM && verb_opens_selected(action, *verb) && may_be_reached(action)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" would be activated without being selected",
			element->role, element->name);
	}
	if (way == WAY_PICK && action->verb == NULL && only_selects(action)) {
		return refuse(why, ERROR_BACKGROUND_UNAVAILABLE, "The %s \"%s\" would be selected, and the application not "
			"be told of a click", element->role, element->name);
	}
	return way;
}

int verb_lag_ms(const struct window *window, const char *verb)
{
	/* A button that is activated shows itself pressed first: ACTIVATE_TIMEOUT in its gtkbutton.c. */
	return strcmp(window->toolkit, "gtk4") == 0 && g_ascii_strcasecmp(verb, "click") == 0 ? 250 : 0;
}
