/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/picture.h"

#include <pixman.h>
#include <png.h>
#include <setjmp.h>

#include "core/error.h"

struct picture *picture_new(int width, int height)
{
	struct picture *picture = g_new0(struct picture, 1);
	picture->width = width;
	picture->height = height;
	picture->pixels = g_new0(uint32_t, (gsize)width * height);
	return picture;
}

void picture_free(struct picture *picture)
{
	if (picture == NULL) {
		return;
	}
	g_free(picture->pixels);
	g_free(picture);
}

static pixman_image_t *wrap(const struct picture *picture)
{
	return pixman_image_create_bits_no_clear(PIXMAN_x8r8g8b8, picture->width, picture->height,
		picture->pixels, picture->width * 4);
}

struct picture *picture_scale(const struct picture *picture, int width, int height)
{
	struct picture *scaled = picture_new(width, height);
	pixman_image_t *from = wrap(picture), *to = wrap(scaled);
	double by_x = (double)picture->width / width, by_y = (double)picture->height / height;

	pixman_transform_t transform;
	pixman_transform_init_scale(&transform, pixman_double_to_fixed(by_x), pixman_double_to_fixed(by_y));
	pixman_image_set_transform(from, &transform);
	int count;
	pixman_fixed_t *kernel = pixman_filter_create_separable_convolution(&count,
		pixman_double_to_fixed(by_x), pixman_double_to_fixed(by_y),
		PIXMAN_KERNEL_LINEAR, PIXMAN_KERNEL_LINEAR, PIXMAN_KERNEL_BOX, PIXMAN_KERNEL_BOX, 4, 4);
	pixman_image_set_filter(from, PIXMAN_FILTER_SEPARABLE_CONVOLUTION, kernel, count);
	/* Without this, pixels beyond the edge count as black and darken the border. */
	pixman_image_set_repeat(from, PIXMAN_REPEAT_PAD);
	pixman_image_composite32(PIXMAN_OP_SRC, from, NULL, to, 0, 0, 0, 0, 0, 0, width, height);

	free(kernel);
	pixman_image_unref(from);
	pixman_image_unref(to);
	return scaled;
}

static void append(png_structp png, png_bytep data, png_size_t length)
{
	g_byte_array_append(png_get_io_ptr(png), data, (guint)length);
}

static void nothing_to_flush(png_structp png)
{
	(void)png;
}

static void complain(png_structp png, png_const_charp message)
{
	g_set_error(png_get_error_ptr(png), CUA_ERROR, ERROR_INTERNAL, "libpng: %s", message);
	png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

GBytes *picture_png(const struct picture *picture, GError **error)
{
	GError *problem = NULL;
	GByteArray *bytes = g_byte_array_new();
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &problem, complain, ignore);
	png_infop info = png_create_info_struct(png);

	if (setjmp(png_jmpbuf(png)) == 0) {
		png_set_write_fn(png, bytes, append, nothing_to_flush);
		png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
			PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
			PNG_FILTER_TYPE_DEFAULT);
		/* Desktop content is flat: the fastest level compresses it as well as the slowest. */
		png_set_compression_level(png, 1);
		png_set_filter(png, 0, PNG_FILTER_NONE);
		png_write_info(png, info);
		/* The fourth byte of each word is unused: after the blue one in memory, or before the red. */
		if (G_BYTE_ORDER == G_LITTLE_ENDIAN) {
			png_set_bgr(png);
		}
		png_set_filler(png, 0, G_BYTE_ORDER == G_LITTLE_ENDIAN ? PNG_FILLER_AFTER
			: PNG_FILLER_BEFORE);
		for (int y = 0; y < picture->height; y++) {
			png_write_row(png, (png_const_bytep)(picture->pixels + (gsize)y * picture->width));
		}
		png_write_end(png, info);
	}
	png_destroy_write_struct(&png, &info);
	if (problem != NULL) {
		g_propagate_error(error, problem);
		g_byte_array_unref(bytes);
		return NULL;
	}
	return g_byte_array_free_to_bytes(bytes);
}
