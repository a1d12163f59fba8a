/* SPDX-License-Identifier: MIT */
#ifndef BENCH_GRAB_H
#define BENCH_GRAB_H

#include <stdbool.h>
#include <xcb/xcb.h>

/*
 * The floor of a picture: the pixels of a window that can be seen, through memory shared with the server,
 * and the copy of as many bytes within our own. Milliseconds; false if the server cannot.
 */
bool grab_window(xcb_connection_t *x, xcb_window_t window, double *grab_ms, double *copy_ms);

#endif
