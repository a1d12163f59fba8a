/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/flat.h"

#include <string.h>

#include "core/huffman.h"

#define COLOUR 0xffffffu
#define END_OF_BLOCK 256
#define FIRST_LENGTH 257
#define DISTANCES 30
#define LONGEST_MATCH 258
#define SHORTEST_MATCH 3
#define WINDOW 32768

/* A token is a literal pixel (24 bits), the filter byte 0 of a row, or a match and its length. */
#define TOKEN_FILTER (1u << 29)
#define TOKEN_LEFT (1u << 30)
#define TOKEN_ABOVE (1u << 31)
#define TOKEN_LENGTH 0x1ffu

struct flat {
	int width;
	unsigned distance_above; /* bytes back to the pixel above; 0: out of reach */
	GArray *tokens;          /* uint32_t */
	gsize pending;           /* bytes of a match above that may go on in the next row */
	gsize literals;
	uint32_t counts[HUFFMAN_SYMBOLS];
	uint32_t distance_counts[HUFFMAN_SYMBOLS];
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

static int distance_code(unsigned distance)
{
	int code = DISTANCES - 1;
	while (distance_first[code] > distance) {
		code--;
	}
	return code;
}

static int distance_bits(int code)
{
	return code < 4 ? 0 : code / 2 - 1;
}

struct flat *flat_new(int width)
{
	struct flat *flat = g_new0(struct flat, 1);
	unsigned stride = (unsigned)width * 3 + 1;
	make_length_codes();
	flat->width = width;
	flat->distance_above = stride <= WINDOW ? stride : 0;
	flat->tokens = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return flat;
}

void flat_free(struct flat *flat)
{
	g_array_unref(flat->tokens);
	g_free(flat);
}

static void add_match(struct flat *flat, uint32_t kind, gsize bytes)
{
	unsigned distance = kind == TOKEN_ABOVE ? flat->distance_above : 3;
	int code = distance_code(distance);
	while (bytes > 0) {
		gsize length = MIN(bytes, LONGEST_MATCH);
		/* What is left over must be long enough for a match of its own. */
		if (bytes > length && bytes - length < SHORTEST_MATCH) {
			length -= SHORTEST_MATCH;
		}
		uint32_t token = kind | (uint32_t)length;
		g_array_append_val(flat->tokens, token);
		flat->counts[FIRST_LENGTH + length_code[length]]++;
		flat->distance_counts[code]++;
		bytes -= length;
	}
}

static void flush_pending(struct flat *flat)
{
	if (flat->pending > 0) {
		add_match(flat, TOKEN_ABOVE, flat->pending);
		flat->pending = 0;
	}
}

static void add_literal(struct flat *flat, uint32_t pixel)
{
	uint32_t token = pixel & COLOUR;
	g_array_append_val(flat->tokens, token);
	flat->counts[token >> 16]++;
	flat->counts[token >> 8 & 0xff]++;
	flat->counts[token & 0xff]++;
	flat->literals++;
}

/* How many pixels from x on are those of the row above. */
static int run_above(const uint32_t *row, const uint32_t *above, int x, int width)
{
	int start = x;
	for (; x + 2 <= width; x += 2) {
		uint64_t here, there;
		memcpy(&here, row + x, sizeof here);
		memcpy(&there, above + x, sizeof there);
		if (((here ^ there) & 0x00ffffff00ffffffull) != 0) {
			break;
		}
	}
	while (x < width && ((row[x] ^ above[x]) & COLOUR) == 0) {
		x++;
	}
	return x - start;
}

/* How many pixels from x on are the one before x. */
static int run_left(const uint32_t *row, int x, int width)
{
	uint32_t colour = row[x - 1] & COLOUR;
	int start = x;
	while (x < width && (row[x] & COLOUR) == colour) {
		x++;
	}
	return x - start;
}

bool flat_add_row(struct flat *flat, const uint32_t *row, const uint32_t *above)
{
	int width = flat->width, x = 0;
	if (flat->distance_above == 0) {
		above = NULL;
	}
	int same = above != NULL ? run_above(row, above, 0, width) : 0;
	if (same == width) {
		/* The filter byte is the same in all rows, so the match goes on across the end. */
		flat->pending += (gsize)width * 3 + 1;
		return true;
	}
	if (same >= 2) {
		flat->pending += (gsize)same * 3 + 1;
		x = same;
	}
	flush_pending(flat);
	if (x == 0) {
		uint32_t token = TOKEN_FILTER;
		g_array_append_val(flat->tokens, token);
		flat->counts[0]++;
	}
	while (x < width) {
		int up = above != NULL ? run_above(row, above, x, width) : 0;
		int left = x > 0 && up < 16 ? run_left(row, x, width) : 0;
		if (left > 0 && left >= up) {
			add_match(flat, TOKEN_LEFT, (gsize)left * 3);
			x += left;
		} else if (up >= 2) {
			x += up;
			if (x == width) {
				flat->pending = (gsize)up * 3;
			} else {
				add_match(flat, TOKEN_ABOVE, (gsize)up * 3);
			}
		} else {
			add_literal(flat, row[x++]);
		}
	}
	return false;
}

gsize flat_literals(const struct flat *flat)
{
	return flat->literals;
}

/* Bits, low end first, into memory that is known to be large enough. */
struct writer {
	uint64_t bits;
	int count;
	uint8_t *at;
};

static inline void put(struct writer *writer, uint32_t value, int count)
{
	writer->bits |= (uint64_t)value << writer->count;
	writer->count += count;
	if (writer->count >= 32) {
		uint32_t word = GUINT32_TO_LE((uint32_t)writer->bits);
		memcpy(writer->at, &word, 4);
		writer->at += 4;
		writer->bits >>= 32;
		writer->count -= 32;
	}
}

/*
 * The code lengths themselves, each as four bits: a code over 0 to 15 where all are equally long. Runs
 * could be shortened; it is 160 bytes.
 */
static void put_header(struct writer *writer, const struct huffman *code,
	const struct huffman *distances)
{
	static const uint8_t order[] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	struct huffman four;
	uint32_t equal[16];
	for (int i = 0; i < 16; i++) {
		equal[i] = 1;
	}
	huffman_build(&four, equal, 16);
	put(writer, 1, 1); /* the last block */
	put(writer, 2, 2); /* with codes of its own */
	put(writer, HUFFMAN_SYMBOLS - 257, 5);
	put(writer, DISTANCES - 1, 5);
	put(writer, G_N_ELEMENTS(order) - 4, 4);
	for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
		put(writer, order[i] < 16 ? 4 : 0, 3);
	}
	for (int i = 0; i < HUFFMAN_SYMBOLS; i++) {
		put(writer, four.codes[code->lengths[i]], 4);
	}
	for (int i = 0; i < DISTANCES; i++) {
		put(writer, four.codes[distances->lengths[i]], 4);
	}
}

static inline void put_symbol(struct writer *writer, const struct huffman *code, unsigned symbol)
{
	put(writer, code->codes[symbol], code->lengths[symbol]);
}

static void put_tokens(struct writer *writer, const struct flat *flat, const struct huffman *code,
	const struct huffman *distances)
{
	int left = distance_code(3);
	int above = flat->distance_above > 0 ? distance_code(flat->distance_above) : left;
	int above_bits = distance_bits(above);
	uint32_t above_rest = flat->distance_above - distance_first[above];
	for (guint i = 0; i < flat->tokens->len; i++) {
		uint32_t token = g_array_index(flat->tokens, uint32_t, i);
		if (token & (TOKEN_LEFT | TOKEN_ABOVE)) {
			unsigned length = token & TOKEN_LENGTH, symbol = length_code[length];
			put_symbol(writer, code, FIRST_LENGTH + symbol);
			put(writer, length - length_first[symbol], length_bits[symbol]);
			if (token & TOKEN_ABOVE) {
				put_symbol(writer, distances, (unsigned)above);
				put(writer, above_rest, above_bits);
			} else {
				put_symbol(writer, distances, (unsigned)left);
			}
		} else if (token == TOKEN_FILTER) {
			put_symbol(writer, code, 0);
		} else {
			put_symbol(writer, code, token >> 16);
			put_symbol(writer, code, token >> 8 & 0xff);
			put_symbol(writer, code, token & 0xff);
		}
	}
	put_symbol(writer, code, END_OF_BLOCK);
}

void flat_deflate(struct flat *flat, GByteArray *out)
{
	struct huffman code, distances;
	flush_pending(flat);
	flat->counts[END_OF_BLOCK] = 1;
	/* A block must have a distance code even if it has no match. */
	if (flat->distance_counts[distance_code(3)] == 0) {
		flat->distance_counts[distance_code(3)] = 1;
	}
	huffman_build(&code, flat->counts, HUFFMAN_SYMBOLS);
	huffman_build(&distances, flat->distance_counts, DISTANCES);

	/* No token takes more than six bytes: three literals of 15 bits, or 15 + 5 + 15 + 13. */
	guint start = out->len;
	g_byte_array_set_size(out, start + 512 + flat->tokens->len * 6);
	struct writer writer = { .at = out->data + start };
	put_header(&writer, &code, &distances);
	put_tokens(&writer, flat, &code, &distances);
	while (writer.count > 0) {
		*writer.at++ = (uint8_t)writer.bits;
		writer.bits >>= 8;
		writer.count -= 8;
	}
	g_byte_array_set_size(out, (guint)(writer.at - out->data));
}
