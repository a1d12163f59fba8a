/* SPDX-License-Identifier: MIT */
#ifndef X11_USER_KEYS_H
#define X11_USER_KEYS_H

#include "core/keys.h"
#include "x11/conn.h"

/*
 * What the user holds, has latched or locked. Some toolkits take that of the user's keyboard for that of every one
 * (QUIRK_CORE_MODIFIERS).
 */
struct user_keys {
	bool shift, caps;    /* and the third level, which is to letters what Shift is */
	bool control;
	bool other;          /* Alt, Super */
	bool group;          /* another layout than the first */
};

/* Asks; takes a turn. Of a server that does not answer: nothing. */
struct user_keys user_keys_read(struct x11_server *server);

/*
 * Whether the chord means to such a toolkit what it is meant to, `text` being part of a text. Only `*spare` keys may
 * make it if that is set: they have one symbol whatever is held.
 */
bool user_keys_allow(const struct user_keys *keys, const struct chord *chord, bool text, bool *spare);

/* Waits until a key of the user's keyboard goes up or down, unless the chord is allowed; false if none does. */
bool user_keys_wait(struct x11_server *server, const struct chord *chord, bool text, struct deadline deadline);

#endif
