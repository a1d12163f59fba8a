/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/crosshair.h"

/* Of the border, and of each arm of the cross, which leaves the point itself to be seen. */
#define THICKNESS 2
#define ARM 12
#define GAP 3

static void fill(struct picture *picture, int x, int y, int width, int height)
{
	for (int row = MAX(y, 0); row < MIN(y + height, picture->height); row++) {
		for (int column = MAX(x, 0); column < MIN(x + width, picture->width); column++) {
			picture->pixels[(gsize)row * (gsize)picture->width + (gsize)column] = CROSSHAIR_COLOUR;
		}
	}
}

void crosshair_draw(struct picture *picture, const struct frame *frame, struct screen_rect around,
	struct screen_px point)
{
	if (!screen_rect_empty(around)) {
		struct shot_px from = frame_screen_to_shot(frame, (struct screen_px){ around.x, around.y });
		int width = around.width, height = around.height;
		fill(picture, from.x, from.y, width, THICKNESS);
		fill(picture, from.x, from.y + height - THICKNESS, width, THICKNESS);
		fill(picture, from.x, from.y, THICKNESS, height);
		fill(picture, from.x + width - THICKNESS, from.y, THICKNESS, height);
	}
	struct shot_px at = frame_screen_to_shot(frame, point);
	fill(picture, at.x - ARM, at.y, ARM - GAP, 1);
	fill(picture, at.x + GAP + 1, at.y, ARM - GAP, 1);
	fill(picture, at.x, at.y - ARM, 1, ARM - GAP);
	fill(picture, at.x, at.y + GAP + 1, 1, ARM - GAP);
}
