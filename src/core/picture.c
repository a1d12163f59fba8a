/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/picture.h"

#include <pixman.h>
#include <stdlib.h>
#include <string.h>

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

struct picture *picture_crop(const struct picture *picture, int x, int y, int width, int height)
{
	struct picture *part = picture_new(width, height);
	for (int row = 0; row < height; row++) {
		memcpy(part->pixels + (gsize)row * (gsize)width,
			picture->pixels + (gsize)(y + row) * (gsize)picture->width + x, (gsize)width * 4);
	}
	return part;
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
