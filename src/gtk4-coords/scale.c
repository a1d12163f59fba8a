/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/scale.h"

#include <glib.h>
#include <math.h>

/* No screen has more. */
#define LARGEST 4.0
/* Room for what a window manager draws above a window, and for shadows without a word about them. */
#define TALLEST_TITLE 60
#define WIDEST_BORDER 12

/* By how many pixels a side of that many units may differ from the X window's. */
static bool explains(enum units units, double scale, int pixels, int told, bool vertical)
{
	double off = told * scale - pixels;
	switch (units) {
	case UNITS_GTK3:
		return off >= -2 * scale && off <= (vertical ? TALLEST_TITLE : 2 * WIDEST_BORDER) + 2 * scale;
	case UNITS_GTK4:
		return off <= scale && off >= -2 * WIDEST_BORDER * scale;
	case UNITS_OTHER:
		return fabs(off) <= 1.5 * scale;
	}
	return false;
}

double scale_of(enum units units, struct screen_rect window, struct gtk4_extents shadow,
	struct screen_rect told)
{
	double step = units == UNITS_OTHER ? 0.25 : 1.0;
	if (screen_rect_empty(window) || screen_rect_empty(told)) {
		return 1.0;
	}
	if (units == UNITS_GTK4 && shadow.known) {
		window.width -= shadow.left + shadow.right;
		window.height -= shadow.top + shadow.bottom;
	}
	for (double scale = 1.0; scale <= LARGEST; scale += step) {
		if (explains(units, scale, window.width, told.width, false)
			&& explains(units, scale, window.height, told.height, true)) {
			return scale;
		}
	}
	return 1.0;
}

static int times(int units, double scale)
{
	return (int)lround(units * scale);
}

struct screen_rect scale_place(enum units units, double scale, struct screen_rect window,
	struct screen_rect frame, struct screen_rect told)
{
	if (scale == 1.0) {
		return told;
	}
	struct screen_rect pixels = { times(told.x, scale), times(told.y, scale),
		times(told.width, scale), times(told.height, scale) };
	if (units == UNITS_GTK3) {
		/* It divides the place of the X window, and drops what is left over. */
		int whole = (int)scale;
		pixels.x += window.x % whole;
		pixels.y += window.y % whole;
	} else if (units == UNITS_OTHER) {
		/* It rounds the place of the X window; everything else counts from there. */
		pixels.x = window.x + times(told.x - frame.x, scale);
		pixels.y = window.y + times(told.y - frame.y, scale);
	}
	return pixels;
}
