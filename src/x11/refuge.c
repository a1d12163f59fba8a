/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/refuge.h"

#include <pixman.h>
#include <stdlib.h>

#include "x11/desk.h"

/* So far from it the user's pointer has to be on both axes. */
#define NEAR 32

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

/* Where a window that is shown is; empty if it is not. */
static struct screen_rect collect_place(struct x11_server *server, const unsigned asked[2])
{
	struct screen_rect place = { 0 };
	xcb_get_window_attributes_reply_t *attributes = x11_reply(server, asked[0]);
	xcb_get_geometry_reply_t *at = x11_reply(server, asked[1]);
	if (attributes != NULL && at != NULL && attributes->map_state == XCB_MAP_STATE_VIEWABLE) {
		place = (struct screen_rect){ at->x, at->y, at->width + 2 * at->border_width,
			at->height + 2 * at->border_width };
	}
	free(attributes);
	free(at);
	return place;
}

static bool contains(struct screen_rect outer, struct screen_rect inner)
{
	struct screen_rect both = screen_rect_intersect(outer, inner);
	return both.width == inner.width && both.height == inner.height;
}

static void take_away(pixman_region32_t *region, struct screen_rect place)
{
	pixman_region32_t other;
	pixman_region32_init_rect(&other, place.x, place.y, (unsigned)place.width, (unsigned)place.height);
	pixman_region32_subtract(region, region, &other);
	pixman_region32_fini(&other);
}

/* Takes away where windows are, but not the lowest if it is below everything: who would raise that? */
static void search(struct x11_server *server, const xcb_query_tree_reply_t *tree, struct screen_rect screen,
	pixman_region32_t *region, struct refuge *refuge)
{
	const xcb_window_t *windows = xcb_query_tree_children(tree);
	int count = tree->children_len;
	g_autofree unsigned (*asked)[2] = g_malloc_n((gsize)count + 1, sizeof *asked);
	for (int i = 0; i < count; i++) {
		asked[i][0] = xcb_get_window_attributes(server->c, windows[i]).sequence;
		asked[i][1] = xcb_get_geometry(server->c, windows[i]).sequence;
	}
	bool lowest = true;
	for (int i = 0; i < count; i++) {
		/* Window managers have windows outside of it. */
		struct screen_rect place = screen_rect_intersect(collect_place(server, asked[i]), screen);
		if (lowest && contains(place, screen)) {
			refuge->ground = windows[i];
		} else {
			take_away(region, place);
		}
		lowest = lowest && place.width == 0;
	}
}

/* Where a pointer can come to: of the screen only what is on a monitor. */
static void add_monitors(struct x11_server *server, unsigned asked, struct screen_rect screen, pixman_region32_t *region)
{
	g_autoptr(GPtrArray) monitors = x11_monitors_collect(server, asked, screen, NULL);
	for (guint i = 0; i < monitors->len; i++) {
		struct screen_rect bounds = screen_rect_intersect(((struct monitor *)monitors->pdata[i])->bounds, screen);
		pixman_region32_union_rect(region, region, bounds.x, bounds.y, (unsigned)bounds.width,
			(unsigned)bounds.height);
	}
}

void refuge_find(struct x11_server *server, struct screen_px user, struct refuge *refuge)
{
	unsigned ask_size = xcb_get_geometry(server->c, server->root).sequence;
	unsigned ask_monitors = x11_monitors_ask(server);
	unsigned ask_tree = xcb_query_tree(server->c, server->root).sequence;
	xcb_get_geometry_reply_t *size = x11_reply(server, ask_size);
	struct screen_rect screen = { 0, 0, size != NULL ? size->width : 0, size != NULL ? size->height : 0 };
	pixman_region32_t region;
	pixman_region32_init(&region);
	*refuge = (struct refuge){ .width = screen.width, .height = screen.height };
	add_monitors(server, ask_monitors, screen, &region);
	xcb_query_tree_reply_t *tree = x11_reply(server, ask_tree);
	if (tree != NULL) {
		search(server, tree, screen, &region, refuge);
		take_away(&region, (struct screen_rect){ user.x - NEAR, user.y - NEAR, 2 * NEAR, 2 * NEAR });
		refuge->found = choose(&region, &refuge->pixel);
	}
	pixman_region32_fini(&region);
	free(size);
	free(tree);
}

void refuge_ask(struct x11_server *server, const struct refuge *refuge, struct refuge_asked *asked)
{
	asked->top = xcb_translate_coordinates(server->c, server->root, server->root, (int16_t)refuge->pixel.x,
		(int16_t)refuge->pixel.y).sequence;
	asked->size = xcb_get_geometry(server->c, server->root).sequence;
}

bool refuge_holds(struct x11_server *server, const struct refuge_asked *asked, struct screen_px user,
	const struct refuge *refuge)
{
	xcb_translate_coordinates_reply_t *at = x11_reply(server, asked->top);
	xcb_get_geometry_reply_t *size = x11_reply(server, asked->size);
	bool same = at != NULL && size != NULL && at->child == refuge->ground && size->width == refuge->width
		&& size->height == refuge->height;
	free(at);
	free(size);
	return same && refuge->found
		&& (abs(user.x - refuge->pixel.x) > NEAR || abs(user.y - refuge->pixel.y) > NEAR);
}
