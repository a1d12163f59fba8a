/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/refuge.h"

#include <pixman.h>
#include <stdlib.h>

/* The middle of the largest part. */
static bool choose(pixman_region32_t *region, struct screen_px *pixel)
{
	int count;
	gint64 largest = 0;
	const pixman_box32_t *boxes = pixman_region32_rectangles(region, &count);
	for (int i = 0; i < count; i++) {
		gint64 size = (gint64)(boxes[i].x2 - boxes[i].x1) * (boxes[i].y2 - boxes[i].y1);
		if (size > largest) {
			largest = size;
			*pixel = (struct screen_px){ (boxes[i].x1 + boxes[i].x2) / 2, (boxes[i].y1 + boxes[i].y2) / 2 };
		}
	}
	return largest > 0;
}

/* Goes through the windows from the front, taking away what each covers of `free`. */
static bool search(struct x11_server *server, const xcb_query_tree_reply_t *tree, xcb_window_t top,
	pixman_region32_t *free_part, struct screen_px *pixel)
{
	const xcb_window_t *windows = xcb_query_tree_children(tree);
	int count = tree->children_len;
	g_autofree unsigned *sequences = g_new(unsigned, (gsize)count * 2 + 1);
	for (int i = 0; i < count; i++) {
		sequences[2 * i] = xcb_get_window_attributes(server->c, windows[i]).sequence;
		sequences[2 * i + 1] = xcb_get_geometry(server->c, windows[i]).sequence;
	}
	pixman_region32_t shown;
	pixman_region32_init(&shown);
	/* Answers come in the order of the questions, and the front is at the end. */
	g_autofree struct screen_rect *places = g_new0(struct screen_rect, (gsize)count + 1);
	for (int i = 0; i < count; i++) {
		xcb_get_window_attributes_reply_t *attributes = x11_reply(server, sequences[2 * i]);
		xcb_get_geometry_reply_t *at = x11_reply(server, sequences[2 * i + 1]);
		if (attributes != NULL && at != NULL && attributes->map_state == XCB_MAP_STATE_VIEWABLE) {
			places[i] = (struct screen_rect){ at->x, at->y, at->width + 2 * at->border_width,
				at->height + 2 * at->border_width };
		}
		free(attributes);
		free(at);
	}
	for (int i = count; i-- > 0;) {
		pixman_region32_t place;
		pixman_region32_init_rect(&place, places[i].x, places[i].y, (unsigned)places[i].width,
			(unsigned)places[i].height);
		if (windows[i] == top) {
			pixman_region32_intersect(&shown, free_part, &place);
		}
		pixman_region32_subtract(free_part, free_part, &place);
		pixman_region32_fini(&place);
	}
	bool found = choose(&shown, pixel) || choose(free_part, pixel);
	pixman_region32_fini(&shown);
	return found;
}

bool refuge_find(struct x11_server *server, xcb_window_t top, struct screen_px *pixel)
{
	unsigned ask_size = xcb_get_geometry(server->c, server->root).sequence;
	unsigned ask_tree = xcb_query_tree(server->c, server->root).sequence;
	xcb_get_geometry_reply_t *size = x11_reply(server, ask_size);
	xcb_query_tree_reply_t *tree = x11_reply(server, ask_tree);
	bool found = false;
	if (size != NULL && tree != NULL) {
		pixman_region32_t all;
		pixman_region32_init_rect(&all, 0, 0, size->width, size->height);
		found = search(server, tree, top, &all, pixel);
		pixman_region32_fini(&all);
	}
	free(size);
	free(tree);
	return found;
}
