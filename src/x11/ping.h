/* SPDX-License-Identifier: MIT */
#ifndef X11_PING_H
#define X11_PING_H

#include "x11/conn.h"

/* Whether a window says that it answers. Takes a turn. */
bool ping_answers(struct x11_server *server, xcb_window_t window);

/*
 * Asks a window's application whether it is there, as window managers do (_NET_WM_PING), and waits for its answer:
 * then it has taken all that was sent to it before. False if it did not answer within `ms`, or cannot.
 */
bool ping_wait(struct x11_server *server, xcb_window_t window, int ms);

/*
 * The same of several windows at once; those that do not answer at all are not asked. Whatever else the server tells
 * meanwhile is given to `other`, if there is one.
 */
typedef void ping_other(const xcb_generic_event_t *event, void *data);
bool ping_all(struct x11_server *server, const xcb_window_t *windows, gsize count, int ms, ping_other *other,
	void *data);

/* Whether the connection hears what applications send to the root window; every `on` needs its end.
 */
void ping_hear(struct x11_server *server, bool on);

#endif
