/* SPDX-License-Identifier: MIT */
#ifndef X11_RECEIPT_H
#define X11_RECEIPT_H

#include "x11/conn.h"

/*
 * Waits until the application says that it has read everything sent to that window so far, `keys` of which are keys that
 * were pressed since the last time. False if it does not within `ms`, or has no way to say it: toolkits answer
 * _NET_WM_PING, and those of the X consortium Editres, for which this connection has to own the selection
 * _CUA_DRIVER_KEYMAP.
 */
bool receipt_wait(struct x11_server *server, xcb_window_t window, int keys, int ms);

#endif
