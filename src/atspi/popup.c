/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/popup.h"

#include <stdlib.h>
#include <string.h>

#include "atspi/kind.h"

#define SLACK 2
/* A menu's border around its entries. */
#define BORDER 12

static const struct element *at(const struct tree *tree, guint position)
{
	return tree->elements->pdata[position];
}

/* Where the part below an element ends. */
static guint end_of(const struct tree *tree, guint position)
{
	guint end = position + 1;
	while (end < tree->elements->len && at(tree, end)->depth > at(tree, position)->depth) {
		end++;
	}
	return end;
}

static bool has_child(const struct tree *tree, guint position)
{
	return position + 1 < tree->elements->len && at(tree, position + 1)->depth > at(tree, position)->depth;
}

static bool is_shown(const struct element *element)
{
	return element->has_frame && !(element->states & STATE_OFFSCREEN);
}

static bool near(struct screen_rect a, struct screen_rect b, int slack)
{
	return abs(a.x - b.x) <= slack && abs(a.y - b.y) <= slack
		&& abs(a.x + a.width - b.x - b.width) <= slack
		&& abs(a.y + a.height - b.y - b.height) <= slack;
}

static bool same_size(struct screen_rect a, struct screen_rect b)
{
	return abs(a.width - b.width) <= SLACK && abs(a.height - b.height) <= SLACK;
}

/* What can fill a popup by itself. */
static bool is_container(const struct element *element)
{
	static const char *const roles[] = {
		"menu", "popup menu", "list", "list box", "tool tip", "tree", "tree table", "table", "window",
		"dialog", "alert", "autocomplete", NULL,
	};
	return g_strv_contains(roles, element->role);
}

static bool is_entry(const struct element *element)
{
	static const char *const roles[] = {
		"menu item", "check menu item", "radio menu item", "menu", "tearoff menu item", "separator",
		"list item", NULL,
	};
	return g_strv_contains(roles, element->role);
}

/*
 * GTK 4.8 names unnamed widgets after their class, among them what is in a popover; its menu bar is
 * no popover.
 */
static bool is_popover(const struct tree *tree, guint position)
{
	const struct element *element = at(tree, position);
	if (!is_shown(element) || !has_child(tree, position)) {
		return false;
	}
	return strcmp(at(tree, position + 1)->name, "GtkPopoverContent") == 0
		|| (element_is_popover(element) && strcmp(element->role, "menu bar") != 0
			&& strcmp(element->name, "GtkPopoverContent") != 0);
}

static bool fills(const struct tree *tree, guint position, const struct window *popup)
{
	const struct element *element = at(tree, position);
	return kind_is_gtk4(popup)
		? is_popover(tree, position) && same_size(element->frame, popup->bounds)
		: is_shown(element) && is_container(element) && near(element->frame, popup->bounds, SLACK);
}

/* Whether its entries, taken together, fill the popup: GTK3's menus have no node of their own. */
static bool entries_fill(const struct tree *tree, guint position, const struct window *popup)
{
	struct screen_rect all = { 0 };
	for (guint i = position + 1; i < end_of(tree, position); i++) {
		const struct element *entry = at(tree, i);
		if (entry->parent != (int)position || !is_entry(entry) || !is_shown(entry)) {
			continue;
		}
		if (screen_rect_empty(all)) {
			all = entry->frame;
			continue;
		}
		int right = MAX(all.x + all.width, entry->frame.x + entry->frame.width);
		int bottom = MAX(all.y + all.height, entry->frame.y + entry->frame.height);
		all.x = MIN(all.x, entry->frame.x);
		all.y = MIN(all.y, entry->frame.y);
		all.width = right - all.x;
		all.height = bottom - all.y;
	}
	return !screen_rect_empty(all) && near(all, popup->bounds, BORDER);
}

/* The only outermost element that passes the test; -1 if none or several do. */
static int only(const struct tree *tree, const struct window *popup,
	bool (*test)(const struct tree *, guint, const struct window *))
{
	int found = -1;
	for (guint i = 1; i < tree->elements->len;) {
		if (!test(tree, i, popup)) {
			i++;
			continue;
		}
		if (found >= 0) {
			return -1;
		}
		found = (int)i;
		i = end_of(tree, i);
	}
	return found;
}

int popup_find(const struct tree *tree, const struct window *popup)
{
	int found = only(tree, popup, fills);
	return found >= 0 || kind_is_gtk4(popup) ? found : only(tree, popup, entries_fill);
}

/* From where the toolkit thinks the popover is to where its window is. */
static void move_to(struct tree *tree, guint from, guint end, struct screen_rect told,
	const struct window *popup)
{
	for (guint i = from; i < end; i++) {
		struct element *element = tree->elements->pdata[i];
		struct screen_rect inside = element->frame;
		inside.x -= told.x;
		inside.y -= told.y;
		element->frame = gtk4_to_screen(popup->bounds, (struct window_px){ 0, 0 }, inside);
	}
}

struct tree *popup_cut(struct tree *tree, int root, const struct window *popup)
{
	struct tree *part = tree_new();
	guint end = end_of(tree, (guint)root);
	int depth = at(tree, (guint)root)->depth;
	part->complete = tree->complete;
	part->truncated = g_strdup(tree->truncated);
	part->requests = tree->requests;
	part->read_at = tree->read_at;
	for (guint i = (guint)root; i < end; i++) {
		struct element *element = element_copy(at(tree, i));
		element->parent = i == (guint)root ? -1 : element->parent - root;
		element->depth -= depth;
		element->index = -1;
		g_ptr_array_add(part->elements, element);
	}
	if (kind_is_gtk4(popup)) {
		move_to(part, 0, part->elements->len, at(tree, (guint)root)->frame, popup);
	}
	tree_number(part);
	tree_free(tree);
	return part;
}

bool popup_has_popover(const struct tree *tree)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		if (is_popover(tree, i)) {
			return true;
		}
	}
	return false;
}

/* The only popup window of the process with that size; NULL if none or several have it. */
static const struct window *window_of(const GPtrArray *windows, pid_t pid, struct screen_rect told)
{
	const struct window *found = NULL;
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (window->pid == pid && kind_of(window) == KIND_POPUP && same_size(window->bounds, told)) {
			if (found != NULL) {
				return NULL;
			}
			found = window;
		}
	}
	return found;
}

void popup_place_popovers(struct tree *tree, const GPtrArray *windows, pid_t pid, GHashTable *done)
{
	for (guint i = 1; i < tree->elements->len;) {
		if (!is_popover(tree, i)) {
			i++;
			continue;
		}
		guint end = end_of(tree, i);
		struct screen_rect told = at(tree, i)->frame;
		const struct window *window = window_of(windows, pid, told);
		if (window != NULL && popup_find(tree, window) == (int)i) {
			move_to(tree, i, end, told, window);
		} else {
			for (guint k = i; k < end; k++) {
				((struct element *)tree->elements->pdata[k])->has_frame = false;
			}
		}
		for (; i < end; i++) {
			g_hash_table_add(done, tree->elements->pdata[i]);
		}
	}
}
