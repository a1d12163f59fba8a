/* SPDX-License-Identifier: MIT */
#ifndef X11_KEYMAP_H
#define X11_KEYMAP_H

#include "x11/conn.h"
#include "x11/undo.h"

/*
 * What the keys of the user's keyboard mean. Applications read that map for every keyboard, ours too, so a
 * symbol that no key has gets a key that has no symbol. Such a spare key keeps its symbol until the application
 * has read the presses of it, and longer: it is given back when nothing is typed any more. One driver at a time
 * has the spare keys of a display; a selection says who, so the server takes them from one that died.
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
	int turn;                           /* which one is used again next */
	bool held;                          /* the selection is ours */
	int tries;                          /* to give them back */
};

/* Whose keyboard presses the keys, for what follows. */
struct keymap_user {
	struct x11_server *server;
	struct undo_log *log;
	const char *master;                 /* its pair's name */
	uint16_t pointer;                   /* and pointer */
	xcb_window_t window;                /* owns the selection */
	struct spare_keys *spares;
};

/* The map as it is while the server is grabbed. */
struct keymap {
	xcb_get_keyboard_mapping_reply_t *reply;
	const xcb_keysym_t *symbols;
	int first, count, width;
};

/* How a symbol is made. */
struct stroke {
	xcb_keycode_t code;
	bool shift;
};

enum stroke_way {
	STROKE_READY,
	STROKE_WAIT,    /* spare keys are to be had when the application has read what was pressed */
	STROKE_TAKEN,   /* another driver has the spare keys */
	STROKE_NONE,    /* there is no way */
};

/* How it may be made. */
enum stroke_rule {
	STROKE_SHIFT = 1 << 0,  /* with Shift held */
	STROKE_PLAIN = 1 << 1,  /* by a key that has the symbol */
};

/*
 * All of these are called while the server is grabbed. The first takes a turn; false if the server failed. Spare
 * keys whose symbol somebody changed meanwhile are nobody's again.
 */
bool keymap_read(struct keymap *map, const struct keymap_user *user);
void keymap_clear(struct keymap *map);

/* Finds the symbol or sends that a spare key gets it. Takes a turn when the first spare key is wanted. */
enum stroke_way keymap_stroke(const struct keymap *map, const struct keymap_user *user, xcb_keysym_t symbol,
	unsigned rules, struct stroke *stroke);

/* After the server took what was sent. */
void keymap_settle(struct spare_keys *spares);
/* The application has read all that was pressed. */
void keymap_consumed(struct spare_keys *spares);
/* Whether it may not have. */
bool keymap_pending(const struct spare_keys *spares);

/* Sends that all spare keys are given back; when the server took it, forget them. Takes a turn. */
void keymap_restore(const struct keymap_user *user);
void keymap_forget(struct spare_keys *spares);
/* The same from the log, for one key: only if it still has the symbol that is noted. Takes turns. */
void keymap_mend(struct x11_server *server, const struct undo_record *record);

/* Waits until another driver gave the spare keys back; false if it does not in time. */
bool keymap_wait(const struct keymap_user *user, struct deadline deadline);

#endif
