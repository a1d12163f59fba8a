/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_POPUP_H
#define ATSPI_POPUP_H

#include "core/element.h"
#include "core/window.h"

/*
 * Menus, lists of choices and popovers have an X window each, but in accessibility most of them are a part
 * of the tree of the window they belong to. Pure functions on such a tree; places in it are as the toolkit
 * told them.
 */

/* Where the part begins that this popup window shows: a position in the tree, -1 if that is not clear. */
int popup_find(const struct tree *tree, const struct window *popup);

/* That part as a tree of its own, numbered, with places on the screen. Takes the tree. */
struct tree *popup_cut(struct tree *tree, int root, const struct window *popup);

/*
 * GTK4 counts the places inside a popover from the widget that it belongs to, as if it were a part of the
 * window. Whether an open popover is in the tree, so that the windows of the process have to be known.
 */
bool popup_has_popover(const struct tree *tree);

/*
 * Puts what is in open popovers where their X windows are, among `windows` those of process `pid`; what
 * cannot be placed has no frame afterwards. Other elements are as they were. Positions of what was placed
 * are added to `done`.
 */
void popup_place_popovers(struct tree *tree, const GPtrArray *windows, pid_t pid, GHashTable *done);

#endif
