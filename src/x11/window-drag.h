/* SPDX-License-Identifier: MIT */
#ifndef X11_WINDOW_DRAG_H
#define X11_WINDOW_DRAG_H

#include "core/rung.h"
#include "x11/moveresize.h"

/*
 * Does to the action's window what a drag would have done that began on its title bar or border,
 * which the application asked for and was not given: asks the window manager for the place and
 * size, as a pager does, and waits until the window has it, or has come to rest. The finding says
 * from where to where; window_drag_look() reads where it is. Fails with ERROR_WINDOW_DRAG_REFUSED
 * there is nothing that could be done instead those of platform_impl.place
 */
enum delivered window_drag(struct action *action, enum moveresize asked, GError **error);

/* Where the window is now, in the words of the finding; NULL if it is gone. The caller owns it. */
char *window_drag_look(const struct action *action, struct deadline deadline);

#endif
