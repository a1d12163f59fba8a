/* SPDX-License-Identifier: MIT */
#ifndef X11_ESCAPE_H
#define X11_ESCAPE_H

#include "x11/master.h"

/*
 * Presses Escape on the pair's keyboard, to close a menu that its pointer opened or to end a drag. Only if nobody else
 * can get it: somebody holds that keyboard, or its pointer is over a window of the application that owns `window` (0:
 * not known). The connection's client pointer is the pair's. False if it was not pressed. The server is not grabbed.
 */
bool escape_press(struct x11_server *server, const struct master *master, xcb_window_t window);

#endif
