/* SPDX-License-Identifier: MIT */
#ifndef MCP_FRAMING_H
#define MCP_FRAMING_H

#include <glib.h>
#include <stdbool.h>

/* A line longer than this is refused, and the stream goes on with the next one. */
#define FRAMING_LIMIT (16 * 1024 * 1024)

/* Cuts a byte stream into lines. */
struct framing {
	GByteArray *rest;  /* the beginning of a line that is not complete */
	bool skipping;     /* inside a line that was too long */
};

/*
 * Takes each line without its end ("\n" or "\r\n"). For a line that was too long `line` is NULL,
 * once, as soon as the limit is passed.
 */
typedef void (*framing_line)(const char *line, gsize length, void *data);

void framing_init(struct framing *framing);
void framing_finish(struct framing *framing);
void framing_feed(struct framing *framing, const void *bytes, gsize length, framing_line take,
	void *data);
/* The end of the stream: what is left counts as a line. */
void framing_end(struct framing *framing, framing_line take, void *data);

#endif
