/* SPDX-License-Identifier: MIT */
#ifndef CORE_FRAME_H
#define CORE_FRAME_H

#include <stdbool.h>

/*
 * The coordinate spaces of the driver are different types, so that a point of one space passed where
 * another is meant does not compile. Only frame.c converts.
 */

/* A pixel of the whole screen (the span of all monitors), origin top left. */
struct screen_px {
	int x, y;
};

/* A pixel of one window, origin at the top left of its own picture. */
struct window_px {
	int x, y;
};

/* A pixel of a picture handed to the client: window pixels, possibly scaled down. */
struct shot_px {
	int x, y;
};

/* A rectangle on the screen; empty when width or height is not positive. */
struct screen_rect {
	int x, y, width, height;
};

/* A rectangle of one window; empty when width or height is not positive. */
struct window_rect {
	struct window_px at;
	int width, height;
};

/* How the picture of one snapshot lies on the screen. Stored with each snapshot. */
struct frame {
	struct screen_rect window;       /* the window at the time of the picture */
	int shot_width, shot_height;     /* the picture handed out */
};

bool screen_rect_empty(struct screen_rect rect);
/* Whether it can be somewhere: toolkits answer INT_MIN for what is nowhere, others lie. */
bool screen_rect_plausible(struct screen_rect rect);
bool screen_rect_contains(struct screen_rect rect, struct screen_px point);
struct screen_rect screen_rect_intersect(struct screen_rect a, struct screen_rect b);
struct screen_px screen_rect_center(struct screen_rect rect);

/* The smallest one that holds both. */
struct window_rect window_rect_join(struct window_rect a, struct window_rect b);

struct window_px frame_screen_to_window(const struct frame *frame, struct screen_px point);
struct screen_px frame_window_to_screen(const struct frame *frame, struct window_px point);
struct shot_px frame_screen_to_shot(const struct frame *frame, struct screen_px point);
/* The screen pixel under the centre of a picture's pixel. */
struct screen_px frame_shot_to_screen(const struct frame *frame, struct shot_px point);

/* All of the screen that some of the picture's pixels from (x1, y1) up to (x2, y2) shows. */
struct screen_rect frame_shot_rect(const struct frame *frame, int x1, int y1, int x2, int y2);

/*
 * The size a width×height picture gets when neither side may exceed `limit` (0: no limit). Never
 * enlarges, keeps the proportions, never returns a side of 0.
 */
void frame_fit(int width, int height, int limit, int *shot_width, int *shot_height);

#endif
