/* SPDX-License-Identifier: MIT */
#ifndef X11_BLAME_H
#define X11_BLAME_H

#include "x11/sentry.h"

/*
 * Whose doing it is that the user is in another window now. The rule is about windows and about who
 * caused it: whatever becomes active, or has the keyboard, while an action is under guard is the
 * action's doing, unless it is the user's:
 *
 * 1. The user pressed a button, Alt or Super within the last half second.
 * 2. The user's window is gone or minimised: the window manager has to choose another one.
 * 3. It is a dialog of the user's window, or one of the dialog's.
 * 4. It is another window of the program that the user works in, and that was not acted on while
 * nothing is being launched; or the user pressed Control or a function key just before, or Return
 * or Escape, unless it is the window that was acted on or a dialog of that.
 * 5. It is of a process that was not acted on, and the user pressed Control, a function key, Return
 * or Escape just before; or it is new and its process was started before the action, or by a
 * program that was not acted on, or the user clicked somewhere else in the last ten seconds.
 * 6. The pointer was moved into a window that was there before: it is where the focus follows the
 * pointer.
 * 7. A pager asked for it, as its message to the root window says.
 *
 * The process that was acted on, and what it started or asked for (kin.c), has 1 and 2 for an
 * excuse only.
 */
struct x11_culprit {
	struct x11_charge *charge; /* of the action that it answers; NULL: it is the user's doing */
	pid_t pid;                 /* whose window it is */
};

struct x11_culprit x11_blame(struct x11_sentry *sentry);

/* A window of the user's own program was put above the user's; whether it was acted on and that is
 * no wish of the user's. */
bool x11_blame_sibling(struct x11_sentry *sentry, xcb_window_t window);

#endif
