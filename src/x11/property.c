/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/property.h"

#include <stdlib.h>
#include <string.h>

unsigned x11_property_ask(struct x11_server *server, xcb_window_t window, xcb_atom_t property,
	uint32_t words)
{
	return xcb_get_property(server->c, false, window, property, XCB_GET_PROPERTY_TYPE_ANY, 0,
		words).sequence;
}

const uint32_t *x11_property_words(const xcb_get_property_reply_t *reply, gsize *count)
{
	*count = reply != NULL && reply->format == 32 ? reply->value_len : 0;
	return *count > 0 ? xcb_get_property_value(reply) : NULL;
}

uint32_t x11_property_word(const xcb_get_property_reply_t *reply, uint32_t otherwise)
{
	gsize count;
	const uint32_t *words = x11_property_words(reply, &count);
	return count > 0 ? words[0] : otherwise;
}

static char *from_latin1(const char *bytes, gsize length)
{
	GString *text = g_string_sized_new(length);
	for (gsize i = 0; i < length; i++) {
		g_string_append_unichar(text, (guchar)bytes[i]);
	}
	return g_string_free(text, FALSE);
}

char *x11_property_text(struct x11_server *server, const xcb_get_property_reply_t *reply)
{
	if (reply == NULL || reply->format != 8 || reply->value_len == 0) {
		return NULL;
	}
	const char *bytes = xcb_get_property_value(reply);
	gsize length = strnlen(bytes, reply->value_len);
	if (length == 0) {
		return NULL;
	}
	if (reply->type == server->atoms[ATOM_COMPOUND_TEXT]) {
		return x11_compound_text(bytes, length);
	}
	/*
	 * STRING is Latin-1 by the book, but many programs put UTF-8 there; Latin-1 is hardly ever
	 * both.
	 */
	if (reply->type == XCB_ATOM_STRING && !g_utf8_validate(bytes, (gssize)length, NULL)) {
		return from_latin1(bytes, length);
	}
	return g_utf8_make_valid(bytes, (gssize)length);
}

char *x11_root_text(struct x11 *x11, const char *property, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return NULL;
	}
	char *text = NULL;
	xcb_intern_atom_reply_t *atom = x11_reply(server, xcb_intern_atom(server->c, true,
		(uint16_t)strlen(property), property).sequence);
	if (atom != NULL && atom->atom != XCB_ATOM_NONE) {
		xcb_get_property_reply_t *value = x11_reply(server,
			x11_property_ask(server, server->root, atom->atom, 65536));
		text = x11_property_text(server, value);
		free(value);
	}
	free(atom);
	if (!x11_end(server, error)) {
		g_clear_pointer(&text, g_free);
	}
	return text;
}
