/* SPDX-License-Identifier: MIT */
#ifndef X11_KEYBOARD_H
#define X11_KEYBOARD_H

#include "core/keys.h"
#include "core/rung.h"
#include "x11/reach.h"

/* So long after the last key the user's keys are given back. */
#define KEYBOARD_REST_MS 2000

/*
 * What hands do on a keyboard, done on one of our own. Its keys go to the window under our pointer, so they are
 * pressed while the pointer is brought there and nothing can come in between; its focus is never set.
 */
struct typing {
	struct device *device;             /* between device_begin() and device_end() */
	struct x11_server *server;
	xcb_window_t window;
	struct screen_px point;            /* where the pointer is meanwhile */
	const char *toolkit;               /* of the window, for its quirks */
	int delay_ms;                      /* between two keys */
	bool text;                         /* they write a text */
	bool handed;                       /* an input method of X gets them: set by keyboard_press() */
	struct deadline deadline;
	/*
	 * The keyboard is the user's own, and its focus in the window, which is looked at before every batch; there
	 * is no point then.
	 */
	bool front;
};

/*
 * Presses the chords one after another; `*done` counts those that the server took. See rung_impl.deliver for
 * what is returned. Besides those of reach_begin():
 *   ERROR_USER_ACTIVE            the user holds a modifier that the toolkit would take for ours
 *   ERROR_BACKGROUND_UNAVAILABLE there is no key for one of them (front: ERROR_FOREGROUND_UNAVAILABLE)
 */
enum delivered keyboard_press(const struct typing *wanted, const struct chord *chords, int count, int *done,
	GError **error);

/* Gives the user's keys back. False if the application may still need them: try again later. */
bool keyboard_rest(struct device *device, struct x11_server *server);

#endif
