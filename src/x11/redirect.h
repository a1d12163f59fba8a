/* SPDX-License-Identifier: MIT */
#ifndef X11_REDIRECT_H
#define X11_REDIRECT_H

#include <pixman.h>

#include "x11/conn.h"

/*
 * Sees to it that the server keeps the whole window in a pixmap, and that a window which was not
 * whole before has had its chance to paint. Windows already redirected cost nothing.
 */
void x11_redirect(struct x11_server *server, const struct x11_shape *shape);

/*
 * The window is gone, or its id is another window's now: it is not redirected, whatever was noted.
 */
void x11_redirect_forget(struct x11_server *server, xcb_window_t window);

/* Ends all redirects. */
void x11_redirect_rest(struct x11_server *server);

/*
 * Asks what a redirected window has painted since it was last asked, and takes the answer: a number
 * that is another one whenever the window may look different. 0 if it is not redirected.
 */
unsigned x11_painted_ask(struct x11_server *server, xcb_window_t window);
guint64 x11_painted_collect(struct x11_server *server, xcb_window_t window, unsigned sequence,
	const struct x11_shape *shape);

/*
 * Which parts of the window are covered by other windows or not on the screen, in its own
 * coordinates. The caller ends the region.
 */
void x11_cover_find(struct x11_server *server, const struct x11_shape *shape,
	pixman_region32_t *hidden);

#endif
