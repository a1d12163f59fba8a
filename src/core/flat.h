/* SPDX-License-Identifier: MIT */
#ifndef CORE_FLAT_H
#define CORE_FLAT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The rows of a PNG of desktop content. A row is told as it is, or as its difference to the one above,
 * whichever repeats itself more; pixels repeat the one before them, or what was seen a few rows before.
 * Only what differs from the row above is looked at closely.
 */
struct flat;

struct flat *flat_new(int width);
void flat_free(struct flat *flat);

/* A row as it is in the stream: its filter byte, and pixels that are 0 before `first` and from `end` on. */
struct flat_row {
	uint8_t filter;
	int first, end;
	const uint32_t *pixels; /* 0x00RRGGBB words; valid until the next row */
};

/* Takes the next row, 0x??RRGGBB words; `above` is the one before it, NULL for the first. */
struct flat_row flat_add(struct flat *flat, const uint32_t *row, const uint32_t *above);

/* How many pixels so far repeat nothing. */
gsize flat_literals(const struct flat *flat);

/* Appends the whole deflate stream. Once, after the last row. */
void flat_write(struct flat *flat, GByteArray *out);

#endif
