/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/flat.h"

#include <string.h>

#include "core/block.h"

#define COLOUR 0xffffffu
#define FILTER_NONE 0
#define FILTER_UP 2

/* Of so many pixels (less one) so many are weighed. */
#define SAMPLE_OF 31
#define SAMPLED 4

#define HASH_BITS 12

/* So many pixels are looked for. */
enum table { ONE, TWO, FOUR, TABLES };

/* The part of a remembered row that is not 0. */
struct span {
	int first, end;
};

struct flat {
	int width;
	int rows;             /* so many are remembered to copy from: those in the window of a match */
	uint32_t *ring;       /* these rows, as they are in the stream */
	struct span *filled;  /* of each of them */
	int y;
	int slot;             /* of the row in the ring */
	/* By hash: where such pixels were last, the row (from 1) above the column; 0 if nowhere. */
	uint32_t *last[TABLES];
	int weight;           /* of the row before, as it is */
	gsize literals;
	struct block *block;
};

struct flat *flat_new(int width)
{
	struct flat *flat = g_new0(struct flat, 1);
	flat->width = width;
	flat->rows = MAX(1, BLOCK_WINDOW / (width * 3 + 1));
	flat->ring = g_new0(uint32_t, (gsize)flat->rows * (gsize)width);
	flat->filled = g_new0(struct span, flat->rows);
	for (int i = 0; i < TABLES; i++) {
		flat->last[i] = g_new0(uint32_t, 1 << HASH_BITS);
	}
	flat->block = block_new();
	return flat;
}

void flat_free(struct flat *flat)
{
	block_free(flat->block);
	g_free(flat->ring);
	g_free(flat->filled);
	for (int i = 0; i < TABLES; i++) {
		g_free(flat->last[i]);
	}
	g_free(flat);
}

/* Two pixels at once. */
#define PAIR (2 * sizeof(uint32_t))
#define BOTH(colour) ((uint64_t)(colour) << 32 | (colour))

static inline uint64_t pair_at(const uint32_t *pixels)
{
	uint64_t pair;
	memcpy(&pair, pixels, sizeof pair);
	return pair;
}

/* Byte by byte, each modulo 256. */
static inline uint64_t subtract(uint64_t a, uint64_t b)
{
	return (((a | BOTH(0x808080u)) - (b & BOTH(0x7f7f7fu))) ^ ((a ^ ~b) & BOTH(0x808080u))) & BOTH(COLOUR);
}

static void subtract_row(uint32_t *row, const uint32_t *pixels, const uint32_t *above, int first, int end)
{
	int i = first;
	for (; i + 2 <= end; i += 2) {
		uint64_t pair = subtract(pair_at(pixels + i), pair_at(above + i));
		memcpy(row + i, &pair, PAIR);
	}
	if (i < end) {
		row[i] = (uint32_t)subtract(pixels[i], above[i]);
	}
}

/* Eight pixels at once; the bytes that are no colour do not count. */
#define MANY 8
static inline bool same_many(const uint32_t *a, const uint32_t *b)
{
	uint64_t differ = 0;
	for (int i = 0; i < MANY; i += 2) {
		differ |= pair_at(a + i) ^ pair_at(b + i);
	}
	return (differ & BOTH(COLOUR)) == 0;
}

/* The part of the row that is not as above: from *first up to *end. Empty if all of it is. */
static void find_change(const uint32_t *row, const uint32_t *above, int width, int *first, int *end)
{
	int from = 0, to = width;
	while (from + MANY <= width && same_many(row + from, above + from)) {
		from += MANY;
	}
	while (from < width && ((row[from] ^ above[from]) & COLOUR) == 0) {
		from++;
	}
	while (to - MANY >= from && same_many(row + to - MANY, above + to - MANY)) {
		to -= MANY;
	}
	while (to > from && ((row[to - 1] ^ above[to - 1]) & COLOUR) == 0) {
		to--;
	}
	*first = from;
	*end = to;
}

/*
 * What it costs to tell the pixels from `first` up to `end`, roughly: nothing where one repeats the one
 * before it, little where it is nearly 0 or white, because such bytes are frequent. Looks at some only,
 * and always the same ones.
 */
static int weigh(const uint32_t *row, int first, int end)
{
	int weight = 0;
	for (int block = first & ~SAMPLE_OF; block < end; block += SAMPLE_OF + 1) {
		int from = MAX(MAX(block, first), 1), to = MIN(block + SAMPLED, end);
		for (int i = from; i < to; i++) {
			uint32_t pixel = row[i] & COLOUR;
			bool changes = pixel != (row[i - 1] & COLOUR);
			bool dear = ((pixel + 0x020202u) & 0xfcfcfcu) != 0 && pixel != COLOUR;
			weight += changes + 2 * (changes & dear);
		}
	}
	return weight;
}

static inline unsigned hash_of(const uint32_t *pixels, enum table table)
{
	uint32_t hash = pixels[0] * 0x9e3779b1u;
	if (table >= TWO) {
		hash ^= pixels[1] * 0x85ebca6bu;
	}
	if (table == FOUR) {
		hash ^= pixels[2] * 0xc2b2ae35u ^ pixels[3] * 0x27d4eb2fu;
	}
	return hash >> (32 - HASH_BITS);
}

/* Remembers where the pixels from x on are. */
static inline void remember(struct flat *flat, const uint32_t *row, int x)
{
	uint32_t here = (uint32_t)(flat->y + 1) << 16 | (uint32_t)x;
	flat->last[ONE][hash_of(row + x, ONE)] = here;
	if (x + 3 < flat->width) {
		flat->last[TWO][hash_of(row + x, TWO)] = here;
		flat->last[FOUR][hash_of(row + x, FOUR)] = here;
	}
}

/* How many pixels from x on are those that begin at `there`; 0 if that is out of reach. */
static inline int compare(const struct flat *flat, const uint32_t *row, int x, uint32_t there,
	unsigned *distance)
{
	int width = flat->width, up = flat->y + 1 - (int)(there >> 16), from = (int)(there & 0xffff);
	*distance = (unsigned)(up * (width * 3 + 1) + (x - from) * 3);
	if (there == 0 || up >= flat->rows || *distance > BLOCK_WINDOW) {
		return 0;
	}
	int slot = flat->slot - up;
	const uint32_t *earlier = flat->ring + (gsize)(slot < 0 ? slot + flat->rows : slot) * (gsize)width + from;
	int length = 0, most = width - MAX(x, from);
	while (length < most && earlier[length] == row[x + length]) {
		length++;
	}
	return length;
}

/* What was seen and begins like the pixels from x on: how long that is, and how far back; 0 if nothing. */
static inline int find_copy(struct flat *flat, const uint32_t *row, int x, unsigned *distance)
{
	int length = 0;
	if (x + 3 < flat->width) {
		length = compare(flat, row, x, flat->last[TWO][hash_of(row + x, TWO)], distance);
		/* Four that were seen were also seen as two, but perhaps not last. */
		if (length > 1 && length < 8) {
			unsigned far;
			int longer = compare(flat, row, x, flat->last[FOUR][hash_of(row + x, FOUR)], &far);
			*distance = longer > length ? far : *distance;
			length = MAX(longer, length);
		}
	}
	return length > 0 ? length : compare(flat, row, x, flat->last[ONE][hash_of(row + x, ONE)], distance);
}

/* How many pixels from x on are the one before it. */
static int find_run(const uint32_t *row, int x, int end)
{
	int start = x;
	while (x < end && row[x] == row[x - 1]) {
		x++;
	}
	return x - start;
}

static void tell_literal(struct flat *flat, uint32_t pixel)
{
	block_pixel(flat->block, pixel);
	flat->literals++;
}

/* Pixels that are 0, from x up to `end`. */
static void tell_zeros(struct flat *flat, const uint32_t *row, int x, int end)
{
	if (x < end && (x == 0 || row[x - 1] != 0)) {
		tell_literal(flat, 0);
		x++;
	}
	if (x < end) {
		block_match(flat->block, 3, (gsize)(end - x) * 3);
	}
}

static void tell(struct flat *flat, const uint32_t *row, int x, int end)
{
	while (x < end) {
		unsigned distance = 0;
		int run = x > 0 ? find_run(row, x, end) : 0;
		if (run > 0) {
			block_match(flat->block, 3, (gsize)run * 3);
			x += run;
			continue;
		}
		int copy = row[x] != 0 ? find_copy(flat, row, x, &distance) : 0;
		copy = MIN(copy, end - x);
		remember(flat, row, x);
		if (copy == 0) {
			tell_literal(flat, row[x++]);
			continue;
		}
		block_match(flat->block, distance, (gsize)copy * 3);
		/* A single pixel is as dear from afar as anew, and no sign that anything repeats itself. */
		flat->literals += copy == 1;
		/* Of what is copied every other place will do to find it again, for half the work. */
		for (int i = x + 1; i < x + copy; i += 2) {
			remember(flat, row, i);
		}
		x += copy;
	}
}

struct flat_row flat_add(struct flat *flat, const uint32_t *pixels, const uint32_t *above)
{
	int width = flat->width, first = 0, end = width;
	uint32_t *row = flat->ring + (gsize)flat->slot * (gsize)width;
	bool up = false;
	if (above != NULL) {
		find_change(pixels, above, width, &first, &end);
		int after = MIN(end + 1, width);
		/* The row weighs what the one above did, but for the part that is not the same. */
		flat->weight += weigh(pixels, first, after) - weigh(above, first, after);
		struct span *filled = &flat->filled[flat->slot];
		memset(row + filled->first, 0, (gsize)(filled->end - filled->first) * sizeof *row);
		*filled = (struct span){ first, end };
		subtract_row(row, pixels, above, first, end);
		/* Differences have more values than colours have, and are dearer. */
		up = weigh(row, first, after) * 4 <= flat->weight * 3;
	} else {
		flat->weight = weigh(pixels, 0, width);
	}
	if (!up) {
		first = 0;
		end = width;
		for (int i = 0; i < width; i++) {
			row[i] = pixels[i] & COLOUR;
		}
		flat->filled[flat->slot] = (struct span){ 0, width };
	}
	block_byte(flat->block, up ? FILTER_UP : FILTER_NONE);
	if (up) {
		tell_zeros(flat, row, 0, first);
	}
	tell(flat, row, first, end);
	tell_zeros(flat, row, end, width);
	flat->y++;
	flat->slot = flat->slot + 1 < flat->rows ? flat->slot + 1 : 0;
	return (struct flat_row){ up ? FILTER_UP : FILTER_NONE, first, end, row };
}

gsize flat_literals(const struct flat *flat)
{
	return flat->literals;
}

void flat_write(struct flat *flat, GByteArray *out)
{
	block_write(flat->block, out);
}
