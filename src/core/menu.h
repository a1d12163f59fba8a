/* SPDX-License-Identifier: MIT */
#ifndef CORE_MENU_H
#define CORE_MENU_H

#include "core/element.h"
#include "core/keys.h"

/* Where a walk along the labels of menus ended. */
struct menu_walk {
	const struct element *item;  /* what the whole path names; NULL if it could not be followed */
	const struct element *menu;  /* the last entry that was found; NULL if not even the first was */
	int steps;                   /* how many labels were found */
	GPtrArray *items;            /* const char *: the labels that are there instead, borrowed */
};

/*
 * Follows `path` (NULL-terminated, not empty) from the menu bars of a tree that was read with its closed
 * menus. Labels match without regard to case, mnemonic marks and a final ellipsis.
 */
void menu_walk(const struct tree *tree, const char *const *path, struct menu_walk *walk);
void menu_walk_clear(struct menu_walk *walk);

/* The entry of the menu bar that an entry is below, or itself. */
const struct element *menu_top(const struct tree *tree, const struct element *entry);

/* Whether a label is what a caller calls it, as above. */
bool menu_label_matches(const char *label, const char *wanted);

/*
 * The entry of that label in an open menu inside `container`; NULL if there is none. `labels`, strings that
 * the array frees, gets those that are there.
 */
const struct element *menu_entry_in(const struct tree *tree, const struct element *container,
	const char *wanted, GPtrArray *labels);

/* The element of the window, also in closed menus, that this chord performs; NULL if none says so. */
const struct element *menu_bound(const struct tree *tree, const struct chord *chord);

#endif
