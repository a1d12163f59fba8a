/* SPDX-License-Identifier: MIT */
#ifndef X11_SPARES_H
#define X11_SPARES_H

#include "x11/keymap.h"

/*
 * Keys of the user's keyboard that have no symbol get those that no key has. Such a spare key keeps its symbol until
 * the application has read the presses of it, and longer: it is given back when nothing is typed any more. One
 * keyboard of ours at a time has the spare keys of a display; a selection says which, so the server takes them from one
 * that died. Who waits for them owns another one, and whoever has them then gives them back after its call.
 */
enum { SPARE_KEYS = 24 };

struct spare_key {
	xcb_keycode_t code;
	xcb_keysym_t symbol;
	struct undo_record *record, *older; /* of the symbol, and of the one before until the server changed it */
	bool pressed;                       /* and the application may not have read that yet */
};

struct spare_keys {
	struct spare_key keys[SPARE_KEYS];
	int count;
	bool held;                          /* the selection is ours */
	int tries;                          /* to give them back */
	bool fresh;                         /* applications may not know of the last change yet */
};

/* Whose keyboard presses the keys, for what follows. */
struct spares_user {
	struct x11_server *server;
	struct undo_log *log;
	const char *master;                 /* its pair's name */
	uint16_t pointer;                   /* and pointer */
	xcb_window_t window;                /* owns the selection */
	struct spare_keys *spares;
};

enum spares_end {
	SPARES_READY,   /* the first of the symbols has a key, and others where there were enough keys */
	SPARES_WAIT,    /* there are more keys when the application has read what was pressed */
	SPARES_TAKEN,   /* another keyboard has them */
	SPARES_NONE,    /* there is no way */
};

/* While the server is grabbed: those whose symbol somebody changed meanwhile are nobody's again. */
void spares_check(struct spare_keys *spares, const struct keymap *map);

/* Makes the spare keys ours; false if another keyboard has them. While the server is grabbed; takes a turn. */
bool spares_hold(const struct spares_user *user);

bool spares_has(const struct spare_keys *spares, xcb_keysym_t symbol);
/* The key that has the symbol; false if none has. It counts as pressed from now on. */
bool spares_find(struct spare_keys *spares, xcb_keysym_t symbol, struct stroke *stroke);

/*
 * Sends that the symbols, at most SPARE_KEYS different ones in the order they are wanted, get keys, in one request.
 * With `unproven` it makes do with keys that were not pressed. While the server is grabbed; takes a turn when the
 * first spare key is wanted.
 */
enum spares_end spares_assign(const struct spares_user *user, const struct keymap *map,
	const xcb_keysym_t *symbols, int count, bool unproven);

/* After the server took what was sent. */
void spares_settle(struct spare_keys *spares);
/* The application has read all that was pressed. */
void spares_consumed(struct spare_keys *spares);
/* Whether it may not have. */
bool spares_pending(const struct spare_keys *spares);

/* Sends that all are given back; when the server took it, forget them. While the server is grabbed; takes a turn. */
void spares_restore(const struct spares_user *user);
void spares_forget(struct spare_keys *spares);

/* Waits until another keyboard gave them back; false if it does not in time. */
bool spares_wait(const struct spares_user *user, struct deadline deadline);
/* Whether somebody else waits for them. Takes a turn. */
bool spares_wanted(const struct spares_user *user);

#endif
