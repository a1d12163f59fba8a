/* SPDX-License-Identifier: MIT */
#ifndef X11_HANDLE_H
#define X11_HANDLE_H

#include "core/rung.h"

/*
 * Whether a gesture of the action may be one by which a window is moved, resized or sent to the
 * back, because the application itself draws what it begins on: it would hand that over to the
 * window manager (x11/moveresize.h). Knows the window and its toolkit, not what is painted there,
 * and so says yes too often rather than not often enough.
 */
bool handle_may_be(const struct action *action, struct screen_px point);

#endif
