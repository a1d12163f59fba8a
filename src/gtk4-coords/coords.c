/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/coords.h"

#include <glib.h>

struct window_px gtk4_inset(struct gtk4_extents extents, struct screen_rect window, int frame_width,
	int frame_height)
{
	if (extents.known) {
		return (struct window_px){ extents.left, extents.top };
	}
	return (struct window_px){
		MAX(window.width - frame_width, 0) / 2,
		MAX(window.height - frame_height, 0) / 2,
	};
}

struct screen_rect gtk4_to_screen(struct screen_rect window, struct window_px inset,
	struct screen_rect told)
{
	return (struct screen_rect){
		window.x + inset.x + told.x,
		window.y + inset.y + told.y,
		told.width,
		told.height,
	};
}
