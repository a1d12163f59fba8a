/* SPDX-License-Identifier: MIT */
#ifndef GTK4_COORDS_COORDS_H
#define GTK4_COORDS_COORDS_H

#include <stdbool.h>

#include "core/frame.h"

/*
 * GTK4 tells where a widget is in its window and calls that the screen. The window's content begins
 * inside the X window, because GTK4 draws the shadow itself: pure arithmetic puts the parts together.
 */

/* Shadow and border around the content, as in _GTK_FRAME_EXTENTS: left, right, top, bottom. */
struct gtk4_extents {
	bool known;
	int left, right, top, bottom;
};

/*
 * Where the content begins inside the X window. Without a compositor the property is missing, and the
 * border is half of what the X window is larger than the frame on each axis.
 */
struct window_px gtk4_inset(struct gtk4_extents extents, struct screen_rect window, int frame_width,
	int frame_height);

/* A widget's place on the screen: the X window's origin, the inset, and what GTK4 says. */
struct screen_rect gtk4_to_screen(struct screen_rect window, struct window_px inset,
	struct screen_rect told);

#endif
