/* SPDX-License-Identifier: MIT */
#ifndef X11_WATCHED_H
#define X11_WATCHED_H

#include "x11/conn.h"

/*
 * Windows in which the first key of the user's keyboard comes to us, by passive grabs, and stops the keyboard until
 * xcb_input_xi_allow_events(). The focus of such a window is the window itself, so nobody hears of the grab. All of
 * it ends with the connection.
 */
struct watched;

struct watched *watched_new(void);
void watched_free(struct watched *watched);

/* Watches a window, if it is not watched and no other driver watches it. Takes turns. */
void watched_add(struct watched *watched, struct x11_server *server, xcb_window_t window);

/* Watches none any more. A key that came before, and of which the event may still come, has to be let go all the same. */
void watched_clear(struct watched *watched, struct x11_server *server);

#endif
