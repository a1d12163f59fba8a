/* SPDX-License-Identifier: MIT */
#ifndef X11_TOPS_H
#define X11_TOPS_H

#include "x11/desk.h"

/* A window an application made for the user, and the child of the root that carries it. */
struct x11_top {
	xcb_window_t id;
	xcb_window_t frame; /* the window itself where there is no frame around it; 0 unknown */
	int height;         /* of the frame among the root's children, 0 at the back; -1 unknown */
	bool managed;       /* the window manager lists it */
};

/*
 * The top-level windows, struct x11_top, back to front; those of unknown height first. `focused`
 * gets the root's child that the user's keyboard focus is in, 0 if there is none, or if there is a window
 * manager, who knows better which window is active.
 */
GArray *x11_tops_find(struct x11_server *server, const struct x11_desk *desk,
	xcb_window_t *focused);

/*
 * The child of the root that `window` is or is in; 0 if it is gone. Takes a turn of the server per
 * level.
 */
xcb_window_t x11_top_of(struct x11_server *server, xcb_window_t window);

/* Whether that child of the root is shown at the point and lets pointers be there. Takes a turn, or
 * two. */
bool x11_takes_pointer(struct x11_server *server, xcb_window_t top, struct screen_px point);

#endif
