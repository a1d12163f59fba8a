/* SPDX-License-Identifier: MIT */
#ifndef X11_HOLD_H
#define X11_HOLD_H

#include <xcb/xcb.h>

#include "core/deadline.h"
#include "x11/guardian.h"

/*
 * Keeps the user's keys out of windows that take the focus while an application answers an action.
 * Every window but the one that the user works in has a passive, synchronous grab of the user's
 * keyboard for that time, new ones from the moment they are made. It does nothing until a key would
 * go there: then the key waits in the server until the guard (guard.c) has given the focus back, or
 * has found that the user wants to be there, and is dealt out anew.
 *
 * A key waits for 50 ms at most. While the driver is stopped its guardian ends the grabs; without
 * one there are none. They are for keys without Alt and Super, which belong to the window manager.
 * One thread with a connection of its own, begun when it is needed first; every function may be
 * called from any thread.
 */
struct hold;

struct hold *hold_new(const char *display, struct guardian *guardian);
/* Ends the thread and lets go of everything. NULL is allowed. */
void hold_free(struct hold *hold);

/* An action may follow: what takes time, a connection and a guardian, is there by then. Returns at
 * once. */
void hold_prepare(struct hold *hold);

/*
 * Until then (monotonic time; it may be sooner than what was said last) keys that would leave this
 * window wait: `home` is the user's top-level window, or 0, and `focus` the one that has the
 * keyboard. Costs no turn of the server.
 */
void hold_arm(struct hold *hold, xcb_window_t home, xcb_window_t focus, gint64 until);

/* The user's keyboard is to go elsewhere, on purpose: no key waits any more when this is back,
 * unless the deadline is over. */
void hold_drop(struct hold *hold, struct deadline deadline);

/*
 * Whom to ask before a key goes to a window that is forbidden: `clear` is called on the thread of
 * this one, and is back when the window hears the user's keyboard, or by the deadline.
 */
void hold_ask(struct hold *hold,
	void (*clear)(xcb_window_t window, struct deadline deadline, void *data), void *data);

/* From now on until hold_permit() these keys are somebody else's to watch over; back when they are
 * free. */
void hold_forbid(struct hold *hold, xcb_window_t window, struct deadline deadline);
void hold_permit(struct hold *hold);

/* How many keys of the user went to a window that had taken the focus, so far. */
unsigned hold_lost(struct hold *hold);

/* Nothing is expected soon: ends the thread. */
void hold_rest(struct hold *hold);

#endif
