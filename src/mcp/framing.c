/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/framing.h"

#include <string.h>

void framing_init(struct framing *framing)
{
	*framing = (struct framing){ .rest = g_byte_array_new() };
}

void framing_finish(struct framing *framing)
{
	g_byte_array_unref(framing->rest);
}

static void hand_over(const char *line, gsize length, framing_line take, void *data)
{
	if (length > 0 && line[length - 1] == '\r') {
		length--;
	}
	take(line, length, data);
}

/* Adds a piece without a line end. */
static void collect(struct framing *framing, const char *piece, gsize length, framing_line take,
	void *data)
{
	if (framing->skipping) {
		return;
	}
	if (framing->rest->len + length > FRAMING_LIMIT) {
		framing->skipping = true;
		/* The memory of a huge line is not kept for the small ones that follow. */
		g_byte_array_unref(framing->rest);
		framing->rest = g_byte_array_new();
		take(NULL, 0, data);
		return;
	}
	g_byte_array_append(framing->rest, (const guint8 *)piece, (guint)length);
}

void framing_feed(struct framing *framing, const void *bytes, gsize length, framing_line take,
	void *data)
{
	const char *at = bytes, *end = at + length;
	for (const char *newline; at < end; at = newline + 1) {
		newline = memchr(at, '\n', (gsize)(end - at));
		if (newline == NULL) {
			collect(framing, at, (gsize)(end - at), take, data);
			return;
		}
		if (framing->rest->len == 0 && !framing->skipping) {
			hand_over(at, (gsize)(newline - at), take, data);
			continue;
		}
		collect(framing, at, (gsize)(newline - at), take, data);
		if (!framing->skipping) {
			hand_over((const char *)framing->rest->data, framing->rest->len, take, data);
			g_byte_array_set_size(framing->rest, 0);
		}
		framing->skipping = false;
	}
}

void framing_end(struct framing *framing, framing_line take, void *data)
{
	if (framing->rest->len > 0) {
		hand_over((const char *)framing->rest->data, framing->rest->len, take, data);
		g_byte_array_set_size(framing->rest, 0);
	}
}
