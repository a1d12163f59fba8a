/* SPDX-License-Identifier: MIT */
#ifndef CORE_FLAT_H
#define CORE_FLAT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Deflate for the rows of an unfiltered RGB PNG that knows only two matches: the pixel to the left and
 * the pixel above. One block with codes made for it.
 */
struct flat;

struct flat *flat_new(int width);
void flat_free(struct flat *flat);

/*
 * Takes the next row, 0x??RRGGBB words; `above` is the one before it, NULL for the first. True if the
 * two are the same.
 */
bool flat_add_row(struct flat *flat, const uint32_t *row, const uint32_t *above);

/* How many pixels so far repeat nothing. */
gsize flat_literals(const struct flat *flat);

/* Appends the whole deflate stream. Once, after the last row. */
void flat_deflate(struct flat *flat, GByteArray *out);

#endif
