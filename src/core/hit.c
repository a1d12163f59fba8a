/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/hit.h"

const struct element *hit_test(const struct tree *tree, struct screen_px point)
{
	const struct element *best = NULL;
	gint64 least = G_MAXINT64;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		gint64 area = (gint64)element->frame.width * element->frame.height;
		/* Of equal ones the last is drawn on top. */
		if (element->index >= 0 && element->has_frame && (element->states & STATE_OFFSCREEN) == 0
			&& screen_rect_contains(element->frame, point) && area <= least) {
			best = element;
			least = area;
		}
	}
	return best;
}
