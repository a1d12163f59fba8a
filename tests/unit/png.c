/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/png.h"

#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/huffman.h"

/* Decodes with libpng, which shares nothing with our encoder, and compares every pixel. */
static void assert_decodes(GBytes *bytes, const struct picture *picture)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	gsize length;
	const void *data = g_bytes_get_data(bytes, &length);
	g_assert_true(png_image_begin_read_from_memory(&image, data, length));
	g_assert_cmpuint(image.width, ==, (guint)picture->width);
	g_assert_cmpuint(image.height, ==, (guint)picture->height);
	image.format = PNG_FORMAT_RGB;
	g_autofree uint8_t *rgb = g_malloc(PNG_IMAGE_SIZE(image));
	g_assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
	g_assert_cmpuint(image.warning_or_error, ==, 0);
	for (gsize i = 0; i < (gsize)picture->width * picture->height; i++) {
		uint32_t decoded = (uint32_t)rgb[3 * i] << 16 | (uint32_t)rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
		if (decoded != (picture->pixels[i] & 0xffffff)) {
			g_error("pixel %" G_GSIZE_FORMAT " of %d×%d is %06x, not %06x", i, picture->width,
				picture->height, decoded, picture->pixels[i] & 0xffffff);
		}
	}
}

/* Like a desktop: flat areas, repeated rows, some text-like noise; more colours with `wild`. */
static struct picture *draw(GRand *rand, int width, int height, int wild)
{
	struct picture *picture = picture_new(width, height);
	memset(picture->pixels, 0, (gsize)width * (gsize)height * 4);
	for (int y = 0; y < height; y++) {
		uint32_t *row = picture->pixels + (gsize)y * width;
		if (y > 0 && g_rand_int_range(rand, 0, 3) > 0) {
			memcpy(row, row - width, (gsize)width * 4);
		}
		for (int x = 0; x < width;) {
			int run = g_rand_int_range(rand, 1, wild ? 4 : 400), end = MIN(x + run, width);
			/* The unused byte is noise on purpose: it must not matter. */
			uint32_t colour = g_rand_int(rand);
			bool keep = g_rand_int_range(rand, 0, 2) == 0 && !wild;
			for (; x < end; x++) {
				if (!keep) {
					row[x] = wild > 1 ? g_rand_int(rand) : colour;
				}
			}
		}
	}
	return picture;
}

/* What changes slowly, in one direction, the other, or around a point; and several deflate blocks long. */
static void gradients_survive(void)
{
	static const int sizes[][2] = { { 640, 480 }, { 1280, 300 }, { 37, 900 } };
	for (gsize i = 0; i < G_N_ELEMENTS(sizes) * 4; i++) {
		int width = sizes[i / 4][0], height = sizes[i / 4][1];
		struct picture *picture = picture_new(width, height);
		for (int y = 0; y < height; y++) {
			for (int x = 0; x < width; x++) {
				int dx = x - width / 2, dy = y - height / 2;
				int level = i % 4 == 0 ? x * 255 / width : i % 4 == 1 ? y * 255 / height
					: i % 4 == 2 ? (dx * dx + dy * dy) / 900 & 0xff : (x * y) >> 7 & 0xff;
				picture->pixels[(gsize)y * width + x] = (uint32_t)(level << 16 | (255 - level) << 8
					| level / 3);
			}
		}
		g_autoptr(GBytes) any = png_encode(picture), flat = png_encode_flat(picture);
		assert_decodes(any, picture);
		if (flat != NULL) {
			assert_decodes(flat, picture);
		}
		picture_free(picture);
	}
}

/* A screen as people have it: windows, lines of text made of few glyphs, a gradient, some noise. */
static void screens_survive(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(g_test_rand_int());
	for (int round = 0; round < 30; round++) {
		int width = g_rand_int_range(rand, 200, 1400), height = g_rand_int_range(rand, 100, 500);
		struct picture *picture = picture_new(width, height);
		uint32_t glyphs[16][8][6];
		for (gsize i = 0; i < sizeof glyphs / sizeof(uint32_t); i++) {
			uint32_t grey = g_rand_int_range(rand, 0, 3) > 0 ? 255 : (uint32_t)g_rand_int_range(rand, 0, 9) * 28;
			glyphs[i / 48][i / 6 % 8][i % 6] = grey * 0x010101;
		}
		for (int y = 0; y < height; y++) {
			for (int x = 0; x < width; x++) {
				uint32_t text = glyphs[(y / 10 * 31 + x / 7 * 17) % 16][MIN(y % 10, 7)][MIN(x % 7, 5)];
				picture->pixels[(gsize)y * width + x] = x < 40 ? 0x336699u : y < 20 ? (uint32_t)x * 0x000101u
					: y % 10 > 7 || x % 7 == 6 ? 0xffffffu : text;
			}
		}
		for (int i = 0; i < 500; i++) {
			picture->pixels[g_rand_int_range(rand, 0, width * height)] = g_rand_int(rand);
		}
		g_autoptr(GBytes) bytes = png_encode_flat(picture);
		if (bytes != NULL) {
			assert_decodes(bytes, picture);
		}
		picture_free(picture);
	}
}

static void pictures_survive(void)
{
	/* Widths around the limit of deflate's window (3 × width + 1 ≤ 32768) and tiny ones. */
	static const int widths[] = { 1, 2, 3, 4, 5, 16, 31, 85, 86, 87, 300, 1280, 10922, 10923, 12000 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(g_test_rand_int());
	for (int round = 0; round < 2000; round++) {
		int width = widths[g_rand_int_range(rand, 0, round % 50 ? 11 : (int)G_N_ELEMENTS(widths))];
		int height = g_rand_int_range(rand, 1, width > 1000 ? 6 : 40);
		struct picture *picture = draw(rand, width, height, g_rand_int_range(rand, 0, 3));
		g_autoptr(GBytes) any = png_encode(picture), flat = png_encode_flat(picture);
		g_autoptr(GBytes) general = png_encode_general(picture);
		assert_decodes(any, picture);
		assert_decodes(general, picture);
		if (flat != NULL) {
			assert_decodes(flat, picture);
		}
		picture_free(picture);
	}
}

static gsize size_with_libpng(const struct picture *picture, int level)
{
	char *memory = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&memory, &size);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	png_init_io(png, file);
	png_set_compression_level(png, level);
	png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
		PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	png_set_filler(png, 0, PNG_FILLER_AFTER);
	png_set_bgr(png);
	for (int y = 0; y < picture->height; y++) {
		png_write_row(png, (png_bytep)(picture->pixels + (gsize)y * (gsize)picture->width));
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	fclose(file);
	free(memory);
	return size;
}

/* Small text of a browser repeats itself, but by single pixels rather than by rows. */
static void text_is_no_larger_than_by_libpng(void)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	g_autofree char *path = g_build_filename(g_getenv("CUA_SRCDIR"), "tests", "shared", "small-text.png",
		NULL);
	g_assert_true(png_image_begin_read_from_file(&image, path));
	image.format = PNG_FORMAT_BGRA;
	struct picture *picture = picture_new((int)image.width, (int)image.height);
	g_assert_true(png_image_finish_read(&image, NULL, picture->pixels, 0, NULL));
	g_autoptr(GBytes) bytes = png_encode(picture);
	assert_decodes(bytes, picture);
	g_assert_cmpuint(g_bytes_get_size(bytes), <=, size_with_libpng(picture, 1));
	picture_free(picture);
}

static void noise_goes_to_the_general_encoder(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	struct picture *noise = draw(rand, 400, 400, 2), *desktop = draw(rand, 400, 400, 0);
	for (gsize i = 0; i < 400 * 400; i++) {
		noise->pixels[i] = g_rand_int(rand);
	}
	g_assert_null(png_encode_flat(noise));
	g_autoptr(GBytes) flat = png_encode_flat(desktop);
	g_assert_nonnull(flat);
	picture_free(noise);
	picture_free(desktop);
}

/* Kraft's sum is exactly one for a complete code, and no code is too long, whatever the counts. */
static void codes_are_complete(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(g_test_rand_int());
	for (int round = 0; round < 2000; round++) {
		uint32_t counts[HUFFMAN_SYMBOLS] = { 0 };
		struct huffman code;
		int used = g_rand_int_range(rand, 2, HUFFMAN_SYMBOLS + 1);
		/* Powers of two make the deepest trees. */
		for (int i = 0; i < used; i++) {
			counts[i] = 1u << g_rand_int_range(rand, 0, 31);
		}
		huffman_build(&code, counts, HUFFMAN_SYMBOLS);
		uint32_t sum = 0;
		for (int i = 0; i < HUFFMAN_SYMBOLS; i++) {
			g_assert_cmpint(code.lengths[i] > 0, ==, counts[i] > 0);
			g_assert_cmpint(code.lengths[i], <=, HUFFMAN_LONGEST);
			sum += code.lengths[i] > 0 ? 1u << (HUFFMAN_LONGEST - code.lengths[i]) : 0;
		}
		g_assert_cmpuint(sum, ==, 1u << HUFFMAN_LONGEST);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/png/survive", pictures_survive);
	g_test_add_func("/png/gradients", gradients_survive);
	g_test_add_func("/png/screens", screens_survive);
	g_test_add_func("/png/text", text_is_no_larger_than_by_libpng);
	g_test_add_func("/png/noise", noise_goes_to_the_general_encoder);
	g_test_add_func("/png/codes", codes_are_complete);
	return g_test_run();
}
