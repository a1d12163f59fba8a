/* SPDX-License-Identifier: MIT */
#ifndef X11_REFUGE_H
#define X11_REFUGE_H

#include "x11/conn.h"

/*
 * A pixel of the screen where a pointer can rest without anybody but the window `top` (a child of the root) or
 * the bare root hearing of it; false if there is none. Takes two turns of the server.
 */
bool refuge_find(struct x11_server *server, xcb_window_t top, struct screen_px *pixel);

#endif
