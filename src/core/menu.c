/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/menu.h"

#include <string.h>

#include "core/label.h"

static const struct element *parent_of(const struct tree *tree, const struct element *element)
{
	return element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
}

/* Something with a label that a person sees in a menu or menu bar. */
static bool is_entry(const struct tree *tree, const struct element *element)
{
	static const char *const roles[] = {
		"menu", "menu item", "check menu item", "radio menu item", "tearoff menu item", NULL,
	};
	/* What Java calls the items of a menu that can be checked. */
	static const char *const boxes[] = { "check box", "radio button", NULL };
	const struct element *parent = parent_of(tree, element);
	return label_of(element)[0] != '\0' && (g_strv_contains(roles, element->role)
		|| (g_strv_contains(boxes, element->role) && parent != NULL && strcmp(parent->role, "menu") == 0));
}

/* The entry it is below; NULL if it is one of a menu bar's own. */
static const struct element *entry_above(const struct tree *tree, const struct element *element)
{
	for (element = parent_of(tree, element); element != NULL; element = parent_of(tree, element)) {
		if (is_entry(tree, element)) {
			return element;
		}
	}
	return NULL;
}

static bool is_in_menu_bar(const struct tree *tree, const struct element *element)
{
	for (element = parent_of(tree, element); element != NULL; element = parent_of(tree, element)) {
		if (strcmp(element->role, "menu bar") == 0) {
			return true;
		}
	}
	return false;
}

/* What is left of a label when it is read aloud. */
static char *plain(const char *label)
{
	GString *text = g_string_new(label);
	for (gsize i = 0; i < text->len; i++) {
		if ((text->str[i] == '_' || text->str[i] == '&') && i + 1 < text->len) {
			g_string_erase(text, (gssize)i, 1);
		}
	}
	g_autofree char *all = g_string_free(text, FALSE);
	g_strstrip(all);
	for (gsize i = 0; i < 2; i++) {
		const char *end = i == 0 ? "…" : "...";
		if (g_str_has_suffix(all, end)) {
			all[strlen(all) - strlen(end)] = '\0';
		}
	}
	return g_utf8_casefold(g_strstrip(all), -1);
}

bool menu_label_matches(const char *label, const char *wanted)
{
	g_autofree char *a = plain(label), *b = plain(wanted);
	return strcmp(a, b) == 0;
}

void menu_walk(const struct tree *tree, const char *const *path, struct menu_walk *walk)
{
	*walk = (struct menu_walk){ .items = g_ptr_array_new() };
	for (; *path != NULL; path++) {
		const struct element *found = NULL;
		g_ptr_array_set_size(walk->items, 0);
		for (guint i = 0; i < tree->elements->len; i++) {
			const struct element *element = tree->elements->pdata[i];
			if (!is_entry(tree, element) || entry_above(tree, element) != walk->menu
				|| (walk->menu == NULL && !is_in_menu_bar(tree, element))) {
				continue;
			}
			const char *label = label_of(element);
			g_ptr_array_add(walk->items, (gpointer)label);
			/* Of two with one name the exact one, and one that can be used, is meant. */
			if (menu_label_matches(label, *path)
				&& (found == NULL || (found->states & STATE_ENABLED) == 0
					|| (strcmp(label, *path) == 0
						&& strcmp(label_of(found), *path) != 0))) {
				found = element;
			}
		}
		if (found == NULL) {
			return;
		}
		walk->menu = found;
		walk->steps++;
	}
	walk->item = walk->menu;
}

const struct element *menu_top(const struct tree *tree, const struct element *entry)
{
	for (const struct element *above = entry; above != NULL; above = entry_above(tree, above)) {
		entry = above;
	}
	return entry;
}

void menu_walk_clear(struct menu_walk *walk)
{
	g_clear_pointer(&walk->items, g_ptr_array_unref);
}

const struct element *menu_entry_in(const struct tree *tree, const struct element *container,
	const char *wanted, GPtrArray *labels)
{
	const struct element *found = NULL;
	g_ptr_array_set_size(labels, 0);
	for (guint i = (guint)container->position + 1; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->depth <= container->depth) {
			break;
		}
		/* GTK4's menu itself is one, too. */
		if (!is_entry(tree, element) || (element->states & STATE_OFFSCREEN) != 0
			|| element_is_popover(element)) {
			continue;
		}
		g_ptr_array_add(labels, g_strdup(label_of(element)));
		if (found == NULL && menu_label_matches(label_of(element), wanted)) {
			found = element;
		}
	}
	return found;
}

const struct element *menu_bound(const struct tree *tree, const struct chord *chord)
{
	const struct element *found = NULL;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		/* Keys that several claim go to one that can be used. */
		if (element->binding != NULL && (found == NULL || (found->states & STATE_ENABLED) == 0)
			&& chord_is_binding(chord, element->binding)) {
			found = element;
		}
	}
	return found;
}
