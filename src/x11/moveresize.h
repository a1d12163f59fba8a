/* SPDX-License-Identifier: MIT */
#ifndef X11_MOVERESIZE_H
#define X11_MOVERESIZE_H

#include "x11/conn.h"

/*
 * Applications that draw their title bar and borders themselves hand a window over to the window
 * manager when it is to be moved or resized (_NET_WM_MOVERESIZE), or when its menu is to be shown
 * (_GTK_SHOW_WINDOW_MENU). The window manager takes the user's pointer and keyboard for that,
 * whoever's pointer pressed, and keeps them until the user presses a button.
 */
enum moveresize {
	MOVERESIZE_TOPLEFT,
	MOVERESIZE_TOP,
	MOVERESIZE_TOPRIGHT,
	MOVERESIZE_RIGHT,
	MOVERESIZE_BOTTOMRIGHT,
	MOVERESIZE_BOTTOM,
	MOVERESIZE_BOTTOMLEFT,
	MOVERESIZE_LEFT, /* the edge that is dragged */
	MOVERESIZE_MOVE,
	MOVERESIZE_SIZE_KEYBOARD,
	MOVERESIZE_MOVE_KEYBOARD, /* by keys */
	MOVERESIZE_CANCEL,
	/* These are no numbers of the protocol. */
	MOVERESIZE_MENU,
	MOVERESIZE_NONE,
};

/*
 * What the event, of somebody who hears what is sent to the root window, asks the window manager
 * for; MOVERESIZE_NONE if it is no such request, or ends one. `*window` is what it is about.
 */
enum moveresize moveresize_read(
	const struct x11_server *server, const xcb_generic_event_t *event, xcb_window_t *window);

/*
 * Ends what was asked for: sends it, no more. `frame` is the child of the root that the window is
 * in (x11_top_of()); a window manager that knows no cancelling believes that the button was let go
 * there.
 */
void moveresize_cancel(struct x11_server *server, xcb_window_t window, xcb_window_t frame);

/* What an application asked for while it was listened to. */
struct moveresize_watch {
	struct x11_server *server;
	xcb_window_t window;    /* of it or another of its client */
	enum moveresize asked;  /* the first request */
};

/* From now on, until the end, its requests are heard. */
void moveresize_begin(
	struct moveresize_watch *watch, struct x11_server *server, xcb_window_t window);
/*
 * Waits until it has taken what was sent to it before, at most `most_ms`, and at least so long:
 * toolkits do not look at what moves before they paint. With 0 and 0 it is only looked what has
 * come. Returns at once when it asks. True if it has asked.
 */
bool moveresize_wait(struct moveresize_watch *watch, int least_ms, int most_ms);
/* Ends what it asked for, if anything, and waits until the window manager has come to that. */
void moveresize_end(struct moveresize_watch *watch);

#endif
