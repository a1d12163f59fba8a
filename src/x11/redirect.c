/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/redirect.h"

#include <poll.h>
#include <stdlib.h>
#include <xcb/composite.h>

#include "x11/tops.h"

enum {
	PAINT_MS = 100, /* what a window gets to paint what was covered */
	QUIET_MS = 20,  /* no more painting for this long: it is done */
};

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

/* Whether one of these children of the root can be seen and overlaps. */
static bool any_over(struct x11_server *server, const xcb_window_t *windows, int count,
	struct screen_rect bounds)
{
	bool over = false;
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
			struct screen_rect other = { geometry->x, geometry->y,
				geometry->width + 2 * geometry->border_width,
				geometry->height + 2 * geometry->border_width };
			over = over || !screen_rect_empty(screen_rect_intersect(other, bounds));
		}
		free(attributes);
		free(geometry);
	}
	return over;
}

bool x11_covered(struct x11_server *server, const struct x11_shape *shape)
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
	struct screen_rect seen = screen_rect_intersect(screen, bounds);
	bool covered = seen.width != bounds.width || seen.height != bounds.height;
	xcb_window_t top = x11_top_of(server, shape->window);
	if (!covered && children != NULL) {
		const xcb_window_t *windows = xcb_query_tree_children(children);
		int above = 0;
		while (above < children->children_len && windows[above] != top) {
			above++;
		}
		above++;
		covered = above < children->children_len
			&& any_over(server, windows + above, children->children_len - above, bounds);
	}
	free(children);
	return covered;
}

static bool composited(struct x11_server *server)
{
	xcb_get_selection_owner_reply_t *reply = x11_reply(server,
		xcb_get_selection_owner(server->c, server->atoms[ATOM_COMPOSITOR]).sequence);
	bool owned = reply != NULL && reply->owner != XCB_WINDOW_NONE;
	free(reply);
	return owned;
}

/*
 * Waits for the window to paint and then to be quiet. One that does not paint at all is taken as
 * is.
 */
static void await_paint(struct x11_server *server, xcb_window_t window)
{
	struct deadline limit = deadline_within(server->deadline, PAINT_MS), until = limit;
	xcb_flush(server->c);
	do {
		xcb_generic_event_t *event;
		while ((event = xcb_poll_for_event(server->c)) != NULL) {
			if (event->response_type == 0) {
				/* The window is gone: nothing will come. */
				until = deadline_within(limit, 0);
			} else if ((event->response_type & 0x7f) == server->damage_notify
			    && ((xcb_damage_notify_event_t *)(void *)event)->drawable == window) {
				until = deadline_within(limit, QUIET_MS);
			}
			x11_take_event(server, event);
		}
	} while (xcb_connection_has_error(server->c) == 0
		&& deadline_poll(until, xcb_get_file_descriptor(server->c), POLLIN, "the window", NULL));
}

static struct x11_redirect *find(struct x11_server *server, xcb_window_t window)
{
	for (int i = 0; i < REDIRECTS_KEPT; i++) {
		if (server->redirects[i].window == window) {
			return &server->redirects[i];
		}
	}
	return NULL;
}

/* A free slot, or that of the window not captured for longest. */
static struct x11_redirect *make_room(struct x11_server *server)
{
	struct x11_redirect *oldest = &server->redirects[0];
	for (int i = 1; i < REDIRECTS_KEPT; i++) {
		if (server->redirects[i].used < oldest->used) {
			oldest = &server->redirects[i];
		}
	}
	if (oldest->window != XCB_WINDOW_NONE) {
		xcb_composite_unredirect_window(server->c, oldest->window,
			XCB_COMPOSITE_REDIRECT_AUTOMATIC);
	}
	return oldest;
}

void x11_redirect(struct x11_server *server, const struct x11_shape *shape)
{
	struct x11_redirect *redirect = find(server, shape->window);
	if (redirect != NULL) {
		redirect->used = ++server->tick;
		return;
	}
	/* Under a compositor every window is whole already, and the pixmap starts as a copy of that. */
	bool incomplete = server->has_damage && !composited(server) && x11_covered(server, shape);
	redirect = make_room(server);
	*redirect = (struct x11_redirect){ shape->window, ++server->tick };
	xcb_composite_redirect_window(server->c, shape->window, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
	if (incomplete && !x11_failed(server)) {
		xcb_damage_create(server->c, server->damage, shape->window,
			XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
		await_paint(server, shape->window);
		xcb_damage_destroy(server->c, server->damage);
	}
}

void x11_redirect_forget(struct x11_server *server, xcb_window_t window)
{
	struct x11_redirect *redirect = find(server, window);
	if (redirect != NULL) {
		*redirect = (struct x11_redirect){ 0 };
	}
}

void x11_redirect_rest(struct x11_server *server)
{
	for (int i = 0; i < REDIRECTS_KEPT; i++) {
		if (server->redirects[i].window != XCB_WINDOW_NONE) {
			xcb_composite_unredirect_window(server->c, server->redirects[i].window,
				XCB_COMPOSITE_REDIRECT_AUTOMATIC);
			server->redirects[i] = (struct x11_redirect){ 0 };
		}
	}
}
