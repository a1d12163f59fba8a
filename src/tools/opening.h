/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_OPENING_H
#define TOOLS_OPENING_H

#include "core/call.h"
#include "core/element.h"

/*
 * Menus that show nothing while they are closed: GTK4's, which a button opens, and those of GTK3 that are filled when they open. The
 * open menu takes the user's keyboard, so it needs the caller's leave, and is closed again whatever comes of it.
 */

/* The button of that label that opens such a menu; NULL if there is none. */
const struct element *opening_find(const struct call *call, const struct tree *tree, const char *label);

/* Whether the element is one, or such a menu of a menu bar's. */
bool opening_is(const struct call *call, const struct tree *tree, const struct element *element);

/* Opens the menu of `opener`, performs the item at `path` (not empty) in it, and fills the call's answer. */
void opening_invoke(struct call *call, const struct tree *tree, const struct element *opener,
	const char *const *path);

#endif
