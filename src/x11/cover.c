/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>

#include "x11/redirect.h"
#include "x11/tops.h"

static struct screen_rect root_bounds(struct x11_server *server, unsigned sequence)
{
	struct screen_rect bounds = { 0 };
	xcb_get_geometry_reply_t *geometry = x11_reply(server, sequence);
	if (geometry != NULL) {
		bounds = (struct screen_rect){ 0, 0, geometry->width, geometry->height };
	}
	free(geometry);
	return bounds;
}

/* Takes what these children of the root cover, as far as they can be seen, out of the region. */
static void subtract_windows(struct x11_server *server, const xcb_window_t *windows, int count,
	pixman_region32_t *seen)
{
	g_autofree unsigned *sequences = g_new(unsigned, (gsize)count * 2 + 1);
	for (int i = 0; i < count; i++) {
		sequences[2 * i] = xcb_get_window_attributes(server->c, windows[i]).sequence;
		sequences[2 * i + 1] = xcb_get_geometry(server->c, windows[i]).sequence;
	}
	for (int i = 0; i < count; i++) {
		xcb_get_window_attributes_reply_t *attributes = x11_reply(server, sequences[2 * i]);
		xcb_get_geometry_reply_t *geometry = x11_reply(server, sequences[2 * i + 1]);
		if (attributes != NULL && geometry != NULL
		    && attributes->map_state == XCB_MAP_STATE_VIEWABLE
		    && attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT) {
			pixman_region32_t other;
			pixman_region32_init_rect(&other, geometry->x, geometry->y,
				geometry->width + 2u * geometry->border_width,
				geometry->height + 2u * geometry->border_width);
			pixman_region32_subtract(seen, seen, &other);
			pixman_region32_fini(&other);
		}
		free(attributes);
		free(geometry);
	}
}

void x11_cover_find(struct x11_server *server, const struct x11_shape *shape,
	pixman_region32_t *hidden)
{
	xcb_connection_t *c = server->c;
	unsigned root = xcb_get_geometry(c, server->root).sequence;
	unsigned origin = xcb_translate_coordinates(c, shape->window, server->root, 0, 0).sequence;
	unsigned tree = xcb_query_tree(c, server->root).sequence;

	struct screen_rect screen = root_bounds(server, root);
	struct screen_rect bounds = shape->bounds;
	xcb_translate_coordinates_reply_t *at = x11_reply(server, origin);
	if (at != NULL) {
		bounds.x = at->dst_x;
		bounds.y = at->dst_y;
	}
	free(at);
	xcb_query_tree_reply_t *children = x11_reply(server, tree);
	struct screen_rect on_screen = screen_rect_intersect(screen, bounds);
	pixman_region32_t seen;
	pixman_region32_init_rect(&seen, on_screen.x, on_screen.y, (unsigned)on_screen.width,
		(unsigned)on_screen.height);
	xcb_window_t top = x11_top_of(server, shape->window);
	if (children != NULL) {
		const xcb_window_t *windows = xcb_query_tree_children(children);
		int above = 0;
		while (above < children->children_len && windows[above] != top) {
			above++;
		}
		if (++above < children->children_len) {
			subtract_windows(server, windows + above, children->children_len - above, &seen);
		}
	}
	free(children);
	pixman_region32_init_rect(hidden, bounds.x, bounds.y, (unsigned)bounds.width,
		(unsigned)bounds.height);
	pixman_region32_subtract(hidden, hidden, &seen);
	pixman_region32_translate(hidden, -bounds.x, -bounds.y);
	pixman_region32_fini(&seen);
}
