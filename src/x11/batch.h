/* SPDX-License-Identifier: MIT */
#ifndef X11_BATCH_H
#define X11_BATCH_H

#include "x11/keyboard.h"

/* Keys in one grab of the server, which stops everybody. */
enum { BATCH = 16 };

/* One of them, ready to be pressed. */
struct press {
	struct stroke stroke;
	unsigned modifiers;
	bool shielded;       /* a window manager may have bound it */
};

enum batch_end {
	BATCH_SENT,          /* all that fits */
	BATCH_USER,          /* nothing: the user holds a modifier */
	BATCH_WAIT,          /* nothing: the application has to read first */
	BATCH_FRESH,         /* nothing: the application has to learn what the keys mean now */
	BATCH_UNREAD,        /* nothing: it does not say that it has */
	BATCH_TAKEN,         /* nothing: another driver has the spare keys */
	BATCH_FAILED,        /* nothing, and the error is set */
};

/*
 * Finds out how the first of the chords are pressed, as many as can be now, and sends what the map of the keyboard
 * needs for them and for those that follow; says why it is nothing. While the server is grabbed; takes turns.
 * `unproven`: see spares_assign().
 */
enum batch_end batch_plan(const struct typing *typing, const struct chord *chords, int count, bool unproven,
	struct press *presses, int *ready, GError **error);

#endif
