/* SPDX-License-Identifier: MIT */
#ifndef CORE_HUFFMAN_H
#define CORE_HUFFMAN_H

#include <stdint.h>

/* The longest alphabet and code of a deflate block. */
#define HUFFMAN_SYMBOLS 286
#define HUFFMAN_LONGEST 15

/* A prefix code in deflate's form: the shorter first, bits reversed for writing low end first. */
struct huffman {
	uint8_t lengths[HUFFMAN_SYMBOLS];  /* 0: the symbol has no code */
	uint16_t codes[HUFFMAN_SYMBOLS];
};

/*
 * The code for symbols that occur that often, none longer than HUFFMAN_LONGEST. A single symbol gets a
 * code of one bit. Nearly optimal: counts are flattened until the depth fits.
 */
void huffman_build(struct huffman *code, const uint32_t *counts, int symbols);

#endif
