/* SPDX-License-Identifier: MIT */
#ifndef X11_SHIELD_H
#define X11_SHIELD_H

#include "x11/reach.h"

/*
 * Keys that the window gets and its window manager does not, whatever it has bound to them: what a binding does is
 * done to the user's window.
 */

/* The window at and above which bindings are passed by, to be asked once in a reach. Takes turns. */
xcb_window_t shield_window(struct reach *reach);

/* Sends a press past the bindings of that window and of all it is in. */
void shield_press(struct reach *reach, xcb_window_t window, xcb_keycode_t code);

#endif
