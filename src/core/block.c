/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/block.h"

#include <stdbool.h>
#include <string.h>

#include "core/huffman.h"

#define END_OF_BLOCK 256
#define FIRST_LENGTH 257
#define DISTANCES 30
#define LONGEST_MATCH 258
#define SHORTEST_MATCH 3

/* A token is a pixel (24 bits), a byte, or a match: its length less 3 above its distance less 1. */
#define TOKEN_BYTE (1u << 30)
#define TOKEN_MATCH (1u << 31)
#define DISTANCE_BITS 15

/* Codes are made anew after so many tokens: text and pictures on one screen do not look alike. */
#define TOKENS 16384

struct block {
	uint32_t *tokens;
	gsize count, room;
};

/* Deflate's table of lengths: the first of each code and how many bits choose within it. */
static const uint16_t length_first[] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43,
	51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
static const uint8_t length_bits[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4,
	4, 5, 5, 5, 5, 0 };
static const uint16_t distance_first[] = { 1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257,
	385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };

static uint8_t length_code[LONGEST_MATCH + 1];

static void make_length_codes(void)
{
	static gsize done;
	if (g_once_init_enter(&done)) {
		for (int length = SHORTEST_MATCH, code = 0; length <= LONGEST_MATCH; length++) {
			while (code + 1 < (int)G_N_ELEMENTS(length_first) && length_first[code + 1] <= length) {
				code++;
			}
			length_code[length] = (uint8_t)code;
		}
		g_once_init_leave(&done, 1);
	}
}

/* Two codes for each power of two. */
static inline int distance_code(unsigned distance)
{
	unsigned less = distance - 1;
	if (less < 4) {
		return (int)less;
	}
	int bits = 31 - __builtin_clz(less);
	return 2 * bits + (int)(less >> (bits - 1) & 1);
}

static int distance_bits(int code)
{
	return code < 4 ? 0 : code / 2 - 1;
}

struct block *block_new(void)
{
	struct block *block = g_new0(struct block, 1);
	make_length_codes();
	block->room = TOKENS;
	block->tokens = g_new(uint32_t, block->room);
	return block;
}

void block_free(struct block *block)
{
	g_free(block->tokens);
	g_free(block);
}

static inline void add(struct block *block, uint32_t token)
{
	if (G_UNLIKELY(block->count == block->room)) {
		block->room *= 2;
		block->tokens = g_renew(uint32_t, block->tokens, block->room);
	}
	block->tokens[block->count++] = token;
}

void block_byte(struct block *block, uint8_t byte)
{
	add(block, TOKEN_BYTE | byte);
}

void block_pixel(struct block *block, uint32_t pixel)
{
	add(block, pixel);
}

void block_match(struct block *block, unsigned distance, gsize bytes)
{
	while (bytes > 0) {
		gsize length = MIN(bytes, LONGEST_MATCH);
		/* What is left over must be long enough for a match of its own. */
		if (bytes > length && bytes - length < SHORTEST_MATCH) {
			length -= SHORTEST_MATCH;
		}
		add(block, TOKEN_MATCH | (uint32_t)(length - SHORTEST_MATCH) << DISTANCE_BITS | (distance - 1));
		bytes -= length;
	}
}

static inline unsigned length_of(uint32_t token)
{
	return (token >> DISTANCE_BITS & 0xff) + SHORTEST_MATCH;
}

static inline unsigned distance_of(uint32_t token)
{
	return (token & ((1u << DISTANCE_BITS) - 1)) + 1;
}

static void make_codes(const uint32_t *tokens, gsize count, struct huffman *code,
	struct huffman *distances)
{
	uint32_t counts[HUFFMAN_SYMBOLS] = { 0 }, distance_counts[HUFFMAN_SYMBOLS] = { 0 };
	for (gsize i = 0; i < count; i++) {
		uint32_t token = tokens[i];
		if (token & TOKEN_MATCH) {
			counts[FIRST_LENGTH + length_code[length_of(token)]]++;
			distance_counts[distance_code(distance_of(token))]++;
		} else if (token & TOKEN_BYTE) {
			counts[token & 0xff]++;
		} else {
			counts[token >> 16]++;
			counts[token >> 8 & 0xff]++;
			counts[token & 0xff]++;
		}
	}
	counts[END_OF_BLOCK] = 1;
	/* A block must have a distance code even if it has no match. */
	distance_counts[0] += distance_counts[0] == 0;
	huffman_build(code, counts, HUFFMAN_SYMBOLS);
	huffman_build(distances, distance_counts, DISTANCES);
}

/* Bits, low end first, into memory that is known to be large enough: whole words are written over its end. */
struct writer {
	uint64_t bits;
	int count;
	uint8_t *at;
};

/* At most 56 bits between two flushes. */
static inline void put(struct writer *writer, uint64_t value, int count)
{
	writer->bits |= value << writer->count;
	writer->count += count;
}

static inline void flush(struct writer *writer)
{
	uint64_t word = GUINT64_TO_LE(writer->bits);
	memcpy(writer->at, &word, sizeof word);
	writer->at += writer->count >> 3;
	writer->bits >>= writer->count & ~7;
	writer->count &= 7;
}

static inline void put_symbol(struct writer *writer, const struct huffman *code, unsigned symbol)
{
	put(writer, code->codes[symbol], code->lengths[symbol]);
}

/*
 * The code lengths themselves, each as four bits: a code over 0 to 15 where all are equally long. Runs
 * could be shortened; it is 160 bytes.
 */
static void put_header(struct writer *writer, bool last, const struct huffman *code,
	const struct huffman *distances)
{
	static const uint8_t order[] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	struct huffman four;
	uint32_t equal[16];
	for (int i = 0; i < 16; i++) {
		equal[i] = 1;
	}
	huffman_build(&four, equal, 16);
	put(writer, last, 1);
	put(writer, 2, 2); /* with codes of its own */
	put(writer, HUFFMAN_SYMBOLS - 257, 5);
	put(writer, DISTANCES - 1, 5);
	put(writer, G_N_ELEMENTS(order) - 4, 4);
	flush(writer);
	for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
		put(writer, order[i] < 16 ? 4 : 0, 3);
		flush(writer);
	}
	for (int i = 0; i < HUFFMAN_SYMBOLS; i++) {
		put(writer, four.codes[code->lengths[i]], 4);
		flush(writer);
	}
	for (int i = 0; i < DISTANCES; i++) {
		put(writer, four.codes[distances->lengths[i]], 4);
		flush(writer);
	}
}

static void put_tokens(struct writer *writer, const uint32_t *tokens, gsize count,
	const struct huffman *code, const struct huffman *distances)
{
	for (gsize i = 0; i < count; i++) {
		uint32_t token = tokens[i];
		if (token & TOKEN_MATCH) {
			unsigned length = length_of(token), symbol = length_code[length];
			unsigned distance = distance_of(token);
			int far = distance_code(distance);
			put_symbol(writer, code, FIRST_LENGTH + symbol);
			put(writer, length - length_first[symbol], length_bits[symbol]);
			put_symbol(writer, distances, (unsigned)far);
			put(writer, distance - distance_first[far], distance_bits(far));
		} else if (token & TOKEN_BYTE) {
			put_symbol(writer, code, token & 0xff);
		} else {
			put_symbol(writer, code, token >> 16);
			put_symbol(writer, code, token >> 8 & 0xff);
			put_symbol(writer, code, token & 0xff);
		}
		flush(writer);
	}
	put_symbol(writer, code, END_OF_BLOCK);
	flush(writer);
}

void block_write(struct block *block, GByteArray *out)
{
	const uint32_t *tokens = block->tokens;
	gsize count = block->count;
	/* No token takes more than six bytes: three literals of 15 bits, or 15 + 5 + 15 + 13. */
	guint start = out->len;
	g_byte_array_set_size(out, start + 16 + (guint)(count * 6 + (count / TOKENS + 1) * 256));
	struct writer writer = { .at = out->data + start };
	for (gsize first = 0; first == 0 || first < count; first += TOKENS) {
		struct huffman code, distances;
		gsize some = MIN(TOKENS, count - first);
		make_codes(tokens + first, some, &code, &distances);
		put_header(&writer, first + TOKENS >= count, &code, &distances);
		put_tokens(&writer, tokens + first, some, &code, &distances);
	}
	/* The last byte may be begun. */
	writer.at += writer.count > 0;
	g_byte_array_set_size(out, (guint)(writer.at - out->data));
}
