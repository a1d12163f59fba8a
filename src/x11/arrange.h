/* SPDX-License-Identifier: MIT */
#ifndef X11_ARRANGE_H
#define X11_ARRANGE_H

#include "x11/conn.h"

/* What is asked of the window manager, on a connection that the caller has. All take turns of the server. */

/* Whether there is one. */
bool x11_is_managed(struct x11_server *server);
/* The window it calls the active one; 0: none. */
xcb_window_t x11_active_window(struct x11_server *server);
/*
 * Asks it, in the user's name and with the server's time, to make the window the active one; without a manager
 * the window is raised and gets the keyboard. `focus` to take the keyboard there as well.
 */
void x11_ask_active(struct x11_server *server, xcb_window_t window, bool managed, bool focus);

/* Sends that the window is to lie behind all others. */
void x11_ask_behind(struct x11_server *server, xcb_window_t window, bool managed);
/* The same, just below another one. */
void x11_ask_below(struct x11_server *server, xcb_window_t window, xcb_window_t sibling);

#endif
