/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/element.h"

#include <string.h>

#include "core/label.h"

static const char *const state_names[ELEMENT_STATE_COUNT] = {
	"enabled", "focused", "focusable", "checked", "pressed", "selected", "expandable", "expanded",
	"editable", "read_only", "indeterminate", "modal", "busy", "offscreen",
};

const char *element_state_name(enum element_state state)
{
	return state_names[g_bit_nth_lsf(state, -1)];
}

struct element *element_new(void)
{
	struct element *element = g_new0(struct element, 1);
	element->parent = -1;
	element->index = -1;
	return element;
}

struct element *element_copy(const struct element *element)
{
	struct element *copy = g_memdup2(element, sizeof *element);
	copy->provider = g_strdup(element->provider);
	copy->object = g_strdup(element->object);
	copy->role = g_strdup(element->role);
	copy->name = g_strdup(element->name);
	copy->label = g_strdup(element->label);
	copy->description = g_strdup(element->description);
	copy->value = g_strdup(element->value);
	copy->actions = g_strdupv(element->actions);
	copy->tree = NULL;
	copy->binding = g_strdup(element->binding);
	return copy;
}

void element_free(struct element *element)
{
	if (element == NULL) {
		return;
	}
	g_free(element->provider);
	g_free(element->object);
	g_free(element->role);
	g_free(element->name);
	g_free(element->label);
	g_free(element->description);
	g_free(element->value);
	g_strfreev(element->actions);
	g_free(element->binding);
	g_free(element);
}

/* Chromium gives these to every node, GTK4 the dotted ones to every label: they tell nothing. */
static bool is_empty_gesture(const struct element *element, const char *action)
{
	static const char *const gestures[] = {
		"doDefault", "showContextMenu", "clickAncestor", "click ancestor", NULL,
	};
	return g_strv_contains(gestures, action)
		|| (strcmp(element->role, "label") == 0 && strchr(action, '.') != NULL);
}

/*
 * A row of a list that the keyboard can go to; in GTK4 it does not say that it can be selected. In pages
 * lists are mostly text.
 */
static bool is_row(const struct element *element)
{
	static const char *const roles[] = { "list item", "tree item", "table row", NULL };
	return !element->in_web_content && (element->states & STATE_FOCUSABLE) != 0
		&& g_strv_contains(roles, element->role);
}

/* Java's cells and the items of its trees are labels that the keyboard can go to. */
static bool is_cell(const struct element *element)
{
	const struct element *parent = element->tree != NULL && element->parent >= 0
		? element->tree->elements->pdata[element->parent] : NULL;
	return parent != NULL && !element->in_web_content && (element->states & STATE_FOCUSABLE) != 0
		&& strcmp(element->role, "label") == 0
		&& (parent->chooses || ((parent->states & STATE_EXPANDABLE) != 0 && strcmp(parent->role, "label") == 0));
}

/* What a person would press, whatever its actions are called. */
static bool is_actuator(const struct element *element)
{
	static const char *const words[] = {
		"button", "check", "radio", "menu item", "link", "tab", "combo", "toggle", "switch", NULL,
	};
	for (int i = 0; words[i] != NULL; i++) {
		if (strstr(element->role, words[i]) != NULL) {
			return strstr(element->role, "table") == NULL && strcmp(element->role, "page tab list") != 0;
		}
	}
	return false;
}

/* A field that shows a value, such as a calculator's display, also if nobody can type into it. */
static bool is_field(const struct element *element)
{
	return element->value != NULL && !element->in_web_content
		&& (strcmp(element->role, "text") == 0 || strcmp(element->role, "entry") == 0);
}

/* A part of a page that takes the focus to be scrolled; Firefox tells no action for that. */
static bool is_scroller(const struct element *element)
{
	static const char *const roles[] = { "landmark", "section", "panel", "scroll pane", NULL };
	return element->in_web_content && (element->states & STATE_FOCUSABLE) != 0 && g_strv_contains(roles, element->role);
}

bool element_is_indexable(const struct element *element)
{
	if (element->has_value || element->selectable || element->chooses
		|| (element->states & STATE_EDITABLE) != 0 || is_field(element)) {
		return true;
	}
	/* Also without an action, as GTK4's check boxes are: its place in the picture can be clicked. */
	if (is_actuator(element) || is_row(element) || is_cell(element) || is_scroller(element)) {
		return true;
	}
	for (char **action = element->actions; *action != NULL; action++) {
		if (!is_empty_gesture(element, *action)) {
			return true;
		}
	}
	return false;
}

bool element_is_item(const struct element *element)
{
	static const char *const roles[] = { "list item", "table cell", "table row", "tree item", "icon", NULL };
	return g_strv_contains(roles, element->role);
}

bool element_is_vague(const struct element *element)
{
	return element->has_frame && (2 * element->doubt.x >= element->frame.width
		|| 2 * element->doubt.y >= element->frame.height);
}

bool element_is_popover(const struct element *element)
{
	/* A dialog of libadwaita's inside its window has the action, too. */
	return g_str_has_prefix(element->name, "GtkPopover")
		|| (element->parent >= 0 && strcmp(element->role, "dialog") != 0
			&& strcmp(element->role, "alert") != 0
			&& g_strv_contains(
				(const char *const *)element->actions, "default.activate"));
}

bool element_has_text(const struct element *element)
{
	return element->value != NULL && !element->secret && (!element->has_value
		|| strcmp(element->role, "spin button") == 0 || (element->states & STATE_EDITABLE) != 0);
}

const struct element *element_document(const struct element *element)
{
	static const char *const roles[] = { "document spreadsheet", "document text", NULL };
	while (element != NULL && element->tree != NULL && element->parent >= 0) {
		element = element->tree->elements->pdata[element->parent];
		if (g_strv_contains(roles, element->role)) {
			return element;
		}
	}
	return NULL;
}

struct tree *tree_new(void)
{
	struct tree *tree = g_new0(struct tree, 1);
	tree->elements = g_ptr_array_new_with_free_func((GDestroyNotify)element_free);
	tree->complete = true;
	return tree;
}

void tree_free(struct tree *tree)
{
	if (tree == NULL) {
		return;
	}
	g_ptr_array_unref(tree->elements);
	g_free(tree->prints);
	g_free(tree->truncated);
	g_free(tree->degraded);
	g_free(tree);
}

const struct element *tree_find(const struct tree *tree, const char *provider, const char *object)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->object, object) == 0 && strcmp(element->provider, provider) == 0) {
			return element;
		}
	}
	return NULL;
}

bool tree_is_within(const struct tree *tree, const struct element *element, const struct element *outer)
{
	while (element != NULL && element != outer) {
		element = element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
	}
	return element != NULL;
}

/* The text of a combo box that is nothing but the mark for an embedded object (U+FFFC) is none. */
static bool tells_nothing(const char *value)
{
	return value == NULL || value[0] == '\0' || strcmp(value, "\xef\xbf\xbc") == 0;
}

/* A selected item is the value of the combo box it is in. */
static void fill_combo(struct tree *tree, const struct element *item)
{
	for (int at = item->parent; at >= 0;) {
		struct element *above = tree->elements->pdata[at];
		if (strcmp(above->role, "combo box") == 0) {
			if (tells_nothing(above->value)) {
				g_free(above->value);
				above->value = g_strdup(item->name);
			}
			return;
		}
		at = above->parent;
	}
}

static void link_siblings(struct tree *tree)
{
	g_autofree int *last = g_new(int, tree->elements->len + 1);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		last[i] = element->previous = element->next = -1;
		if (element->parent < 0) {
			continue;
		}
		int *sibling = &last[element->parent];
		element->previous = *sibling;
		if (*sibling >= 0) {
			((struct element *)tree->elements->pdata[*sibling])->next = (int)i;
		}
		*sibling = (int)i;
	}
}

static void take_prints(struct tree *tree)
{
	g_free(tree->prints);
	tree->prints = g_new(guint, tree->elements->len + 1);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		tree->prints[i] = g_str_hash(element->role) * 31 + g_str_hash(element->name);
	}
}

/* The mark for an object in a text. */
#define OBJECT "\xef\xbf\xbc"

/* What an element shows as a part of the text of the one it is in; those in it come after it. Buttons beside a text are none of it. */
static void append_text(GString *text, const struct tree *tree, guint at)
{
	const struct element *element = tree->elements->pdata[at];
	if (strcmp(element->role, "push button") == 0 || element->secret) {
		return;
	}
	if (element->value != NULL || element->name[0] != '\0') {
		g_string_append(text, element->value != NULL ? element->value : element->name);
		return;
	}
	for (guint i = at + 1; i < tree->elements->len; i++) {
		const struct element *child = tree->elements->pdata[i];
		if (child->depth <= element->depth) {
			break;
		}
		if (child->parent == (int)at) {
			append_text(text, tree, i);
		}
	}
}

/* Those in it that have a mark in its text: all, or, where words are elements as well, the others. */
static GArray *embedded_in(const struct tree *tree, guint at, guint marks)
{
	const struct element *element = tree->elements->pdata[at];
	GArray *all = g_array_new(FALSE, FALSE, sizeof(guint)), *others = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = at + 1; i < tree->elements->len; i++) {
		const struct element *child = tree->elements->pdata[i];
		if (child->depth <= element->depth) {
			break;
		}
		if (child->parent == (int)at) {
			g_array_append_val(all, i);
			if (strcmp(child->role, "static") != 0) {
				g_array_append_val(others, i);
			}
		}
	}
	bool whole = all->len == marks;
	g_array_unref(whole ? others : all);
	return whole ? all : others;
}

/* Of a text in a page: what the objects in it show stands for their marks, in a date its numbers. */
static void fill_text(const struct tree *tree, guint at)
{
	struct element *element = tree->elements->pdata[at];
	if (!element->in_web_content || element->value == NULL || strstr(element->value, OBJECT) == NULL) {
		return;
	}
	g_auto(GStrv) parts = g_strsplit(element->value, OBJECT, -1);
	g_autoptr(GArray) objects = embedded_in(tree, at, g_strv_length(parts) - 1);
	GString *text = g_string_new(parts[0]);
	for (guint i = 0; parts[i + 1] != NULL; i++) {
		if (i < objects->len) {
			append_text(text, tree, g_array_index(objects, guint, i));
		}
		g_string_append(text, parts[i + 1]);
	}
	g_free(element->value);
	element->value = g_string_free(text, FALSE);
}

void tree_number(struct tree *tree)
{
	link_siblings(tree);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		element->tree = tree;
		element->position = (int)i;
		if (element_is_indexable(element)) {
			element->index = tree->indexed++;
		}
		if (element->selectable && (element->states & STATE_SELECTED) != 0
			&& element->name[0] != '\0') {
			fill_combo(tree, element);
		}
	}
	/* The inner ones first. */
	for (guint i = tree->elements->len; i > 0; i--) {
		fill_text(tree, i - 1);
	}
	label_fill(tree);
	take_prints(tree);
}

struct element *tree_at(const struct tree *tree, int index)
{
	if (index < 0 || index >= tree->indexed) {
		return NULL;
	}
	/* Indices grow with the position, and an element's position is never below its index. */
	for (guint i = (guint)index; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if (element->index == index) {
			return element;
		}
	}
	return NULL;
}
