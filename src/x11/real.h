/* SPDX-License-Identifier: MIT */
#ifndef X11_REAL_H
#define X11_REAL_H

#include "x11/reach.h"

/*
 * A reach with the kernel's pointer (x11/kernel.h), which kernel_attach() has made. What it does comes when the kernel
 * and the server please, and that is never waited for while the server is grabbed. Instead our own grab stops our pointer
 * first; what comes meanwhile the server keeps; and when it has come, the server is grabbed, what covers the window is
 * opened, and it is let go: then it finds the window that is under the pointer at that moment.
 */

/* As reach_begin(): the server is grabbed, and our pointer has come and moved in the window. */
bool real_begin(struct reach *reach, struct device *device, struct x11_server *server, xcb_window_t target,
	struct screen_px point, GError **error);

/*
 * Presses the button so many milliseconds later, as reach_press(), and releases it if `releases`. False with an error if
 * nothing of it came to anybody; reach_end() is due in any case.
 */
bool real_press(struct reach *reach, unsigned button, bool releases, unsigned after_ms, GError **error);

/*
 * Turns the wheel so often. A wheel of the kernel is an axis, and its presses are an afterthought that toolkits leave alone:
 * no grab can be put before them, so the window manager sees them as it sees those of the user's own wheel.
 */
bool real_turn(struct reach *reach, unsigned wheel, int count, GError **error);

#endif
