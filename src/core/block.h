/* SPDX-License-Identifier: MIT */
#ifndef CORE_BLOCK_H
#define CORE_BLOCK_H

#include <glib.h>
#include <stdint.h>

/* How far back a match may begin. */
#define BLOCK_WINDOW 32768

/*
 * A deflate stream of pixels in the making: what is said is collected, then written as blocks with codes
 * made for them.
 */
struct block;

struct block *block_new(void);
void block_free(struct block *block);

/* A byte, a pixel of three (0xRRGGBB, red first), and so many bytes (at least 3) again from so far back. */
void block_byte(struct block *block, uint8_t byte);
void block_pixel(struct block *block, uint32_t pixel);
void block_match(struct block *block, unsigned distance, gsize bytes);

/* Appends the whole stream. Once, at the end. */
void block_write(struct block *block, GByteArray *out);

#endif
