/* SPDX-License-Identifier: MIT */
#ifndef X11_REDIRECT_H
#define X11_REDIRECT_H

#include "x11/conn.h"

/* What has to be known of a window before its pixels can be read. */
struct x11_shape {
	xcb_window_t window;
	struct screen_rect bounds; /* without the border, in its parent */
	int border;
	int depth;
	xcb_visualid_t visual;
};

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

/* Whether some of the window is covered by another window or not on the screen. */
bool x11_covered(struct x11_server *server, const struct x11_shape *shape);

#endif
