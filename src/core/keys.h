/* SPDX-License-Identifier: MIT */
#ifndef CORE_KEYS_H
#define CORE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Keys held down while another one is pressed; bits. */
enum modifier {
	MODIFIER_CTRL = 1 << 0,
	MODIFIER_SHIFT = 1 << 1,
	MODIFIER_ALT = 1 << 2,
	MODIFIER_SUPER = 1 << 3,
};

/* The bit that a caller's name of a modifier means; 0: it is none. */
unsigned modifier_named(const char *name);

/* One key with what is held meanwhile. */
struct chord {
	unsigned modifiers;  /* enum modifier bits */
	uint32_t key;        /* keysym, letters in lower case */
};

/*
 * Reads key names as callers spell them: "ctrl", "cmd", "Return", "esc", "ArrowUp", "F5", "a", "é", and
 * every name of a keysym; in any order, but with exactly one key that is no modifier, unless there is
 * only one name. An upper-case letter alone means shift. False with `*bad` set to what is wrong: one
 * of the names, or NULL if there are several keys or none.
 */
bool chord_parse(const char *const *names, struct chord *chord, const char **bad);

/* "Ctrl+Shift+s", for people. The caller frees it. */
char *chord_text(const struct chord *chord);

/*
 * Whether a toolkit's key binding ("<Alt>f;<Alt>f;<Primary>n" of GTK, "Ctrl+O" of Qt) is this chord.
 * A letter alone is a mnemonic of an open menu and is not.
 */
bool chord_is_binding(const struct chord *chord, const char *binding);

/* Whether the chord is one that applications bind to commands, not one that writes or moves. */
bool chord_is_command(const struct chord *chord);

#endif
