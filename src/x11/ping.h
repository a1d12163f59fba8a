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

#endif
