/* SPDX-License-Identifier: MIT */
#ifndef X11_COURTESY_H
#define X11_COURTESY_H

#include "core/keys.h"
#include "x11/device.h"

/* What both the pointer and the keyboard of a session do around the input itself. */

enum { MODIFIERS = 4 };

/* Modifier keys that are pressed for a while; at the place of each bit of enum modifier. */
struct held {
	xcb_keycode_t keys[MODIFIERS];           /* 0: not wanted */
	struct undo_record *records[MODIFIERS];
};

/*
 * Finds the keys of the modifiers (enum modifier bits) and notes in the undo log that they will be pressed. Takes a
 * turn if there are any. False with ERROR_BACKGROUND_UNAVAILABLE if one has no key, and nothing noted.
 */
bool held_note(struct held *held, struct device *device, struct x11_server *server, unsigned modifiers,
	GError **error);
/* They are up again. */
void held_drop(struct held *held);

/*
 * Sends the window a word that it has the focus or has it no more: some toolkits behave otherwise without one. Goes to
 * who made the window and to nobody else: a frame around it must not hear it. False, and nothing is sent, if the user's
 * own focus is there: it has it, and must not believe that it lost it. Takes turns.
 */
bool focus_tell(struct x11_server *server, xcb_window_t window, bool in);

#endif
