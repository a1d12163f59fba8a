/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_TRIAL_H
#define CUA_DESKTOP_TRIAL_H

#include "desktop/desk.h"

/*
 * Shows a window of our own until the window manager has put it on the screen, then takes it away.
 * Openbox says it is there and yet loses what is mapped in its first moments. Gives up without a
 * word at `deadline` (monotonic µs): a window manager that shows no such window may show others.
 */
void trial_run(struct desk *desk, int64_t deadline);

#endif
