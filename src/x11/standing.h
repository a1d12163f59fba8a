/* SPDX-License-Identifier: MIT */
#ifndef X11_STANDING_H
#define X11_STANDING_H

#include "core/rung.h"
#include "x11/conn.h"
#include "x11/undo.h"

/*
 * Where the user is: the active window, the focus of the keyboard, the pointer, and how the windows lie over each
 * other. Saved before an action in the foreground and given back after it, by the driver or, if that died, by its
 * guardian. All of these take turns of the server, and those that wait for the window manager do so by events.
 */

void standing_save(struct x11_server *server, xcb_window_t target, struct undo_standing *standing);

/* What is not as it was: enum disturbance bits. */
unsigned standing_compare(struct x11_server *server, const struct undo_standing *standing);

/*
 * Makes the window the active one, with the user's keyboard in it, and returns true when both are seen to be so.
 * False if the window manager did not do it within three seconds after it came to it, for which a busy one has six,
 * or if the call was cancelled; `*instead` is the window that is active then.
 */
bool standing_leave(struct x11_server *server, xcb_window_t window, struct deadline deadline,
	xcb_window_t *instead);

/* Whether that window is active and the user's keyboard in it, or in another one of the same application. */
bool standing_is_at(struct x11_server *server, xcb_window_t window);

/* Waits until the user's keyboard is in that child of the root; false if it does not come. */
bool standing_comes(struct x11_server *server, xcb_window_t top, struct deadline deadline);

/*
 * Gives everything back, but for what the user has changed since, and returns what could not be: enum
 * disturbance bits.
 */
unsigned standing_restore(struct x11_server *server, const struct undo_standing *standing);

#endif
