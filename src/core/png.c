/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/png.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "core/flat.h"

/* Beyond this share of pixels that repeat nothing, a general encoder is better. */
#define LITERAL_SHARE 4
/* A photograph shows within this many pixels. */
#define SAMPLE 32768
#define ADLER_BASE 65521u

static void put_be32(GByteArray *out, uint32_t value)
{
	uint32_t big = GUINT32_TO_BE(value);
	g_byte_array_append(out, (const guint8 *)&big, 4);
}

/* Opens a chunk; returns where it began, for end_chunk(). */
static guint begin_chunk(GByteArray *out, const char *type)
{
	guint start = out->len;
	put_be32(out, 0);
	g_byte_array_append(out, (const guint8 *)type, 4);
	return start;
}

static void end_chunk(GByteArray *out, guint start)
{
	uint32_t length = GUINT32_TO_BE(out->len - start - 8);
	memcpy(out->data + start, &length, 4);
	put_be32(out, libdeflate_crc32(0, out->data + start + 4, out->len - start - 4));
}

static GByteArray *begin_file(const struct picture *picture)
{
	static const guint8 signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	static const guint8 rgb8[] = { 8, 2, 0, 0, 0 }; /* depth, colour type, no choice, no choice, plain */
	GByteArray *out = g_byte_array_new();
	g_byte_array_append(out, signature, sizeof signature);
	guint header = begin_chunk(out, "IHDR");
	put_be32(out, (uint32_t)picture->width);
	put_be32(out, (uint32_t)picture->height);
	g_byte_array_append(out, rgb8, sizeof rgb8);
	end_chunk(out, header);
	return out;
}

static GBytes *end_file(GByteArray *out)
{
	end_chunk(out, begin_chunk(out, "IEND"));
	return g_byte_array_free_to_bytes(out);
}

/* A pixel's bytes in the order of the file, the first one lowest. */
static inline uint32_t in_order(uint32_t pixel)
{
	return GUINT32_SWAP_LE_BE(pixel) >> 8;
}

static inline void put_word(uint8_t *to, uint32_t word)
{
	word = GUINT32_TO_LE(word);
	memcpy(to, &word, sizeof word);
}

static void to_rgb(const uint32_t *pixels, uint8_t *row, int width)
{
	int x = 0;
	/* Four pixels are three words. */
	for (; x + 4 <= width; x += 4) {
		uint32_t a = in_order(pixels[x]), b = in_order(pixels[x + 1]), c = in_order(pixels[x + 2]),
			d = in_order(pixels[x + 3]);
		put_word(row + 3 * x, a | b << 24);
		put_word(row + 3 * x + 4, b >> 8 | c << 16);
		put_word(row + 3 * x + 8, c >> 16 | d << 8);
	}
	for (; x < width; x++) {
		row[3 * x] = (uint8_t)(pixels[x] >> 16);
		row[3 * x + 1] = (uint8_t)(pixels[x] >> 8);
		row[3 * x + 2] = (uint8_t)pixels[x];
	}
}

/* The checksum after so many more bytes that are 0, without looking at them. */
static uint32_t adler_zeros(uint32_t adler, gsize count)
{
	uint64_t low = adler & 0xffff, high = adler >> 16;
	high = (high + count % ADLER_BASE * low) % ADLER_BASE;
	return (uint32_t)(high << 16 | low);
}

GBytes *png_encode_flat(const struct picture *picture)
{
	int width = picture->width, height = picture->height;
	/* Places are remembered as 16 bits each. */
	if (width > 0xffff || height >= 0xffff) {
		return NULL;
	}
	struct flat *flat = flat_new(width);
	g_autofree uint8_t *bytes = g_malloc((gsize)width * 3);
	uint32_t adler = 1;
	for (int y = 0; y < height; y++) {
		const uint32_t *pixels = picture->pixels + (gsize)y * width;
		struct flat_row told = flat_add(flat, pixels, y > 0 ? pixels - width : NULL);
		int changed = told.end - told.first;
		to_rgb(told.pixels + told.first, bytes, changed);
		adler = libdeflate_adler32(adler, &told.filter, 1);
		adler = adler_zeros(adler, (gsize)told.first * 3);
		adler = libdeflate_adler32(adler, bytes, (gsize)changed * 3);
		adler = adler_zeros(adler, (gsize)(width - told.end) * 3);
		gsize seen = (gsize)(y + 1) * width;
		if (seen > SAMPLE && flat_literals(flat) * LITERAL_SHARE > seen) {
			flat_free(flat);
			return NULL;
		}
	}
	static const guint8 zlib_header[] = { 0x78, 0x01 };
	GByteArray *out = begin_file(picture);
	guint data = begin_chunk(out, "IDAT");
	g_byte_array_append(out, zlib_header, sizeof zlib_header);
	flat_write(flat, out);
	put_be32(out, adler);
	end_chunk(out, data);
	flat_free(flat);
	return end_file(out);
}

/* Writes the row filtered one way; returns how far it is from zero, the usual guess at its size. */
static unsigned filter_row(int kind, const uint8_t *row, const uint8_t *above, uint8_t *out, gsize bytes)
{
	unsigned sum = 0;
	for (gsize i = 0; i < bytes; i++) {
		int left = i >= 3 ? row[i - 3] : 0, up = above[i];
		int corner = i >= 3 ? above[i - 3] : 0;
		int predicted = kind == 1 ? left : kind == 2 ? up : 0;
		if (kind == 4) {
			int from_left = abs(up - corner), from_up = abs(left - corner);
			int from_corner = abs(left + up - 2 * corner);
			predicted = from_left <= from_up && from_left <= from_corner ? left
				: from_up <= from_corner ? up : corner;
		}
		out[i] = (uint8_t)(row[i] - predicted);
		sum += (unsigned)abs((int8_t)out[i]);
	}
	return sum;
}

GBytes *png_encode_general(const struct picture *picture)
{
	static const int kinds[] = { 1, 2, 4 };
	gsize bytes = (gsize)picture->width * 3, stride = bytes + 1;
	g_autofree uint8_t *filtered = g_malloc(stride * picture->height);
	g_autofree uint8_t *rows = g_malloc0(bytes * 2), *trial = g_malloc(bytes);
	for (int y = 0; y < picture->height; y++) {
		uint8_t *row = rows + (y & 1) * bytes, *above = rows + (~y & 1) * bytes;
		uint8_t *out = filtered + stride * y;
		unsigned best = G_MAXUINT;
		to_rgb(picture->pixels + (gsize)y * picture->width, row, picture->width);
		for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
			unsigned sum = filter_row(kinds[i], row, above, trial, bytes);
			if (sum < best) {
				best = sum;
				out[0] = (uint8_t)kinds[i];
				memcpy(out + 1, trial, bytes);
			}
		}
	}
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
	gsize bound = libdeflate_zlib_compress_bound(compressor, stride * picture->height);
	GByteArray *out = begin_file(picture);
	guint data = begin_chunk(out, "IDAT"), start = out->len;
	g_byte_array_set_size(out, start + (guint)bound);
	gsize length = libdeflate_zlib_compress(compressor, filtered, stride * picture->height,
		out->data + start, bound);
	g_byte_array_set_size(out, start + (guint)length);
	libdeflate_free_compressor(compressor);
	end_chunk(out, data);
	return end_file(out);
}

GBytes *png_encode(const struct picture *picture)
{
	GBytes *bytes = png_encode_flat(picture);
	return bytes != NULL ? bytes : png_encode_general(picture);
}
