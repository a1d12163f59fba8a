/* SPDX-License-Identifier: MIT */
#ifndef X11_PROPERTY_H
#define X11_PROPERTY_H

#include "x11/conn.h"

/* Asks for a property of any type, at most `words` 32-bit units of it. Returns the sequence. */
unsigned x11_property_ask(struct x11_server *server, xcb_window_t window, xcb_atom_t property,
	uint32_t words);

/*
 * The words of a format 32 property, borrowed from the reply, and how many. Zero words for NULL (a
 * refused request), a missing property and another format.
 */
const uint32_t *x11_property_words(const xcb_get_property_reply_t *reply, gsize *count);

/* The first word, or `otherwise`. */
uint32_t x11_property_word(const xcb_get_property_reply_t *reply, uint32_t otherwise);

/*
 * The text of a format 8 property up to its first NUL, as valid UTF-8, whatever type it says it
 * has. NULL if there is none. The caller frees it.
 */
char *x11_property_text(struct x11_server *server, const xcb_get_property_reply_t *reply);

/* Bytes of an ICCCM COMPOUND_TEXT as valid UTF-8. The caller frees it. */
char *x11_compound_text(const char *bytes, gsize length);

#endif
