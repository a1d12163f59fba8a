/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/padding.h"

#include "gtk4-coords/boxes.h"

void padding_put_back(struct tree *tree, enum gtk4_era era)
{
	guint count = tree->elements->len;
	if (era == GTK4_ERA_CONTENT || count == 0) {
		return;
	}
	g_autofree struct gtk4_node *nodes = g_new0(struct gtk4_node, count);
	g_autofree struct gtk4_box *boxes = g_new0(struct gtk4_box, count);
	for (guint i = 0; i < count; i++) {
		const struct element *element = tree->elements->pdata[i];
		nodes[i] = (struct gtk4_node){
			.role = element->role,
			.parent = element->parent,
			.shown = (element->states & STATE_OFFSCREEN) == 0,
			.has_window = element->has_told,
			.window = element->told,
			.has_parent = element->has_inside,
			.inside = element->inside,
		};
	}
	gtk4_boxes(era, nodes, (int)count, boxes);
	for (guint i = 0; i < count; i++) {
		struct element *element = tree->elements->pdata[i];
		if (i == 0 && element->has_frame) {
			/* As large as the window, wherever what is in it may be. */
			element->frame.x = element->frame.y = 0;
			continue;
		}
		element->has_frame = boxes[i].known && !screen_rect_empty(boxes[i].rect);
		element->frame = boxes[i].rect;
		element->doubt = (struct screen_px){ boxes[i].doubt_x, boxes[i].doubt_y };
	}
}
