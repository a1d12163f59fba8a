/* SPDX-License-Identifier: MIT */
#ifndef X11_KEYMAP_H
#define X11_KEYMAP_H

#include <xcb/xkb.h>

#include "x11/conn.h"
#include "x11/undo.h"

/* What the keys of the user's keyboard mean. Applications read that map for every keyboard, ours too. */
enum { KEYMAP_CODES = 256 };

struct keymap {
	xcb_xkb_get_map_reply_t *reply;
	const xcb_xkb_key_sym_map_t *keys[KEYMAP_CODES]; /* by keycode; NULL: there is no such key */
};

/* How a symbol is made. */
struct stroke {
	xcb_keycode_t code;
	bool shift;
};

/* How it may be made. */
enum stroke_rule {
	STROKE_SHIFT = 1 << 0,  /* with Shift held */
	STROKE_PLAIN = 1 << 1,  /* by a key that has the symbol */
};

/* A key, and the symbol that it shall have whatever is held or locked; none: XCB_NO_SYMBOL. */
struct key_change {
	xcb_keycode_t code;
	xcb_keysym_t symbol;
};

/*
 * Reads the map. `pointer` is the one the connection speaks for otherwise. Takes a turn; false if the server failed.
 * What was read holds while the server is grabbed.
 */
bool keymap_read(struct keymap *map, struct x11_server *server, uint16_t pointer);
void keymap_clear(struct keymap *map);

/* How the user would make the symbol; false: not by one key, or the rules forbid it. */
bool keymap_find(const struct keymap *map, xcb_keysym_t symbol, unsigned rules, struct stroke *stroke);

/* Whether the key has no symbol, and whether it has that one only. */
bool keymap_is_unused(const struct keymap *map, int code);
bool keymap_has_only(const struct keymap *map, int code, xcb_keysym_t symbol);

/* Sends all the changes in one request: everybody who reads the map reads it anew for each. */
void keymap_write(const struct keymap *map, struct x11_server *server, uint16_t pointer,
	const struct key_change *changes, int count);

/* Takes the symbol from a key that the log says was given it, if it still has it. Takes turns. */
void keymap_mend(struct x11_server *server, const struct undo_record *record);

#endif
