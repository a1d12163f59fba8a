/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/picture.h"

#include <pixman.h>
#include <stdlib.h>
#include <string.h>

/*
 * The memory of the last picture that went, for the next one: what the kernel has to find and clear anew
 * for each costs as much as the capture.
 */
static struct {
	GMutex lock;
	uint32_t *pixels;
	gsize room;
} spare;

/* Larger ones are rare, and not worth their memory between two captures. */
#define LARGEST_SPARE (32u << 20)

void picture_rest(void)
{
	g_mutex_lock(&spare.lock);
	g_clear_pointer(&spare.pixels, g_free);
	spare.room = 0;
	g_mutex_unlock(&spare.lock);
}

struct picture *picture_new(int width, int height)
{
	struct picture *picture = g_new0(struct picture, 1);
	gsize count = (gsize)width * (gsize)height;
	picture->width = width;
	picture->height = height;
	picture->room = count;
	g_mutex_lock(&spare.lock);
	/* One that is much too large would be kept for the sake of a small one. */
	if (spare.room >= count && spare.room / 2 <= count) {
		picture->pixels = g_steal_pointer(&spare.pixels);
		picture->room = spare.room;
		spare.room = 0;
	}
	g_mutex_unlock(&spare.lock);
	if (picture->pixels == NULL) {
		picture->pixels = g_new(uint32_t, count);
	}
	return picture;
}

struct picture *picture_wrap(int width, int height, uint32_t *pixels, void (*release)(void *owner), void *owner)
{
	struct picture *picture = g_new0(struct picture, 1);
	*picture = (struct picture){ width, height, pixels, 0, release, owner };
	return picture;
}

void picture_free(struct picture *picture)
{
	if (picture == NULL) {
		return;
	}
	if (picture->release != NULL) {
		picture->release(picture->owner);
		picture->pixels = NULL;
	} else if (picture->room * sizeof *picture->pixels <= LARGEST_SPARE) {
		g_mutex_lock(&spare.lock);
		uint32_t *older = spare.pixels;
		spare.pixels = g_steal_pointer(&picture->pixels);
		spare.room = picture->room;
		g_mutex_unlock(&spare.lock);
		g_free(older);
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
