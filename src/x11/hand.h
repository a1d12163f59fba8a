/* SPDX-License-Identifier: MIT */
#ifndef X11_HAND_H
#define X11_HAND_H

#include "x11/foreground.h"

/*
 * What a hand does with the user's own mouse, between foreground_begin() and foreground_end(). See
 * rung_impl.deliver for what is returned. A point of a window has to be the window's on the screen as well:
 * ERROR_FOREGROUND_UNAVAILABLE, and nothing pressed, if something stays above it there.
 */
struct gesture_fg {
	struct screen_px point;
	unsigned button;       /* as X counts them */
	int count;             /* presses */
	unsigned modifiers;    /* enum modifier bits, held meanwhile */
	bool drags;            /* to `to`, in so many steps and milliseconds */
	struct screen_px to;
	int steps, ms;
	int *done;             /* steps that were made */
};

enum delivered hand_move(struct foreground *foreground, struct screen_px point, GError **error);
/* Goes there and presses `count` times, or drags. */
enum delivered hand_press(struct foreground *foreground, const struct gesture_fg *gesture, GError **error);

#endif
