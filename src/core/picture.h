/* SPDX-License-Identifier: MIT */
#ifndef CORE_PICTURE_H
#define CORE_PICTURE_H

#include <glib.h>
#include <stdint.h>

/* Pixels of a window or the screen: native-endian 0x??RRGGBB words, rows without padding. */
struct picture {
	int width, height;
	uint32_t *pixels;
	gsize room;      /* pixels there is memory for */
	void (*release)(void *owner); /* whose memory it is, is told when the picture goes; NULL: its own */
	void *owner;
};

/* Its pixels are whatever was in that memory. */
struct picture *picture_new(int width, int height);
/* One in somebody else's memory. */
struct picture *picture_wrap(int width, int height, uint32_t *pixels, void (*release)(void *owner), void *owner);
void picture_free(struct picture *picture);

/* Gives memory back that is kept for the next picture: none is expected soon. */
void picture_rest(void);

/* A part that is inside it; returns a new picture. */
struct picture *picture_crop(const struct picture *picture, int x, int y, int width, int height);

/* Scaled by area averaging to the given size; returns a new picture. */
struct picture *picture_scale(const struct picture *picture, int width, int height);

#endif
