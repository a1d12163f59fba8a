/* SPDX-License-Identifier: MIT */
#ifndef GTK4_COORDS_SCALE_H
#define GTK4_COORDS_SCALE_H

#include <stdbool.h>

#include "core/frame.h"
#include "gtk4-coords/coords.h"

/*
 * On a screen with small pixels a toolkit draws everything larger and goes on telling places in units of
 * its own: GTK3, GTK4 and Qt5 all do. How many pixels such a unit is shows in the size that the window
 * has by its own word and by the X server's.
 */

/* Which way of counting a toolkit has. */
enum units {
	UNITS_GTK3,  /* whole factors; the frame it tells includes what the window manager drew around it */
	UNITS_GTK4,  /* whole factors; places count from the content */
	UNITS_OTHER, /* quarters, too; places are on the screen, as the frame's is */
};

/*
 * Pixels in a unit, for an X window whose frame is told as `told`. 1 unless a larger factor explains
 * both of its sides.
 */
double scale_of(enum units units, struct screen_rect window, struct gtk4_extents shadow,
	struct screen_rect told);

/* Where an element is in pixels; `frame` is what was told of the window itself. */
struct screen_rect scale_place(enum units units, double scale, struct screen_rect window,
	struct screen_rect frame, struct screen_rect told);

#endif
