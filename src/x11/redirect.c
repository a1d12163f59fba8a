/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/redirect.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/composite.h>

enum {
	PAINT_MS = 500,   /* what a window gets to paint what was covered */
	PAUSE_MS = 150,   /* no more painting for this long: it has nothing else to paint */
	QUIET_MS = 20,    /* the same when all that was covered has been painted */
};

static bool composited(struct x11_server *server)
{
	xcb_get_selection_owner_reply_t *reply = x11_reply(server,
		xcb_get_selection_owner(server->c, server->atoms[ATOM_COMPOSITOR]).sequence);
	bool owned = reply != NULL && reply->owner != XCB_WINDOW_NONE;
	free(reply);
	return owned;
}

/* Takes what was painted out of the region; true if it was about the window. */
static bool take_painted(struct x11_server *server, const xcb_generic_event_t *event,
	xcb_window_t window, pixman_region32_t *hidden)
{
	const xcb_damage_notify_event_t *damage = (const void *)event;
	if ((event->response_type & 0x7f) != server->damage_notify || damage->drawable != window
	    || damage->damage != server->damage) {
		return false;
	}
	pixman_region32_t painted;
	pixman_region32_init_rect(&painted, damage->area.x, damage->area.y, damage->area.width,
		damage->area.height);
	pixman_region32_subtract(hidden, hidden, &painted);
	pixman_region32_fini(&painted);
	return true;
}

/*
 * Waits until the application has painted what was hidden and then is quiet. One that does not paint
 * at all is taken as is.
 */
static void await_paint(struct x11_server *server, xcb_window_t window, pixman_region32_t *hidden)
{
	xcb_generic_event_t *event;
	/* What was painted until here is the background, by the server itself. */
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	while ((event = xcb_poll_for_queued_event(server->c)) != NULL) {
		free(event);
	}
	struct deadline limit = deadline_within(server->deadline, PAINT_MS), until = limit;
	do {
		while ((event = xcb_poll_for_event(server->c)) != NULL) {
			if (take_painted(server, event, window, hidden)) {
				until = deadline_within(limit,
					pixman_region32_not_empty(hidden) ? PAUSE_MS : QUIET_MS);
			}
			free(event);
		}
	} while (xcb_connection_has_error(server->c) == 0 && !x11_failed(server)
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

/* Empties a slot; only its id for a Damage object stays. */
static void clear(struct x11_server *server, struct x11_redirect *redirect, bool exists)
{
	if (exists && redirect->window != XCB_WINDOW_NONE) {
		xcb_composite_unredirect_window(server->c, redirect->window,
			XCB_COMPOSITE_REDIRECT_AUTOMATIC);
	}
	if (server->has_damage && redirect->window != XCB_WINDOW_NONE) {
		/* Refused if the window, and this with it, is gone: nobody minds. */
		xcb_damage_destroy(server->c, redirect->damage);
	}
	*redirect = (struct x11_redirect){ .damage = redirect->damage };
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
	clear(server, oldest, true);
	return oldest;
}

void x11_redirect(struct x11_server *server, const struct x11_shape *shape)
{
	struct x11_redirect *redirect = find(server, shape->window);
	if (redirect != NULL) {
		redirect->used = ++server->tick;
		return;
	}
	pixman_region32_t hidden;
	pixman_region32_init(&hidden);
	/* Under a compositor every window is whole already, and the pixmap starts as a copy of that. */
	if (server->has_damage && !composited(server)) {
		x11_cover_find(server, shape, &hidden);
	}
	redirect = make_room(server);
	redirect->window = shape->window;
	redirect->used = ++server->tick;
	bool wait = pixman_region32_not_empty(&hidden) && !x11_failed(server);
	if (wait) {
		xcb_damage_create(server->c, server->damage, shape->window,
			XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
	}
	xcb_composite_redirect_window(server->c, shape->window, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
	if (wait) {
		await_paint(server, shape->window, &hidden);
		xcb_damage_destroy(server->c, server->damage);
	}
	if (server->has_damage) {
		/* A new one counts the whole window as painted. */
		xcb_damage_create(server->c, redirect->damage, shape->window,
			XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
		xcb_damage_subtract(server->c, redirect->damage, XCB_XFIXES_REGION_NONE,
			XCB_XFIXES_REGION_NONE);
	}
	pixman_region32_fini(&hidden);
}

void x11_redirect_forget(struct x11_server *server, xcb_window_t window)
{
	struct x11_redirect *redirect = find(server, window);
	if (redirect != NULL) {
		clear(server, redirect, false);
	}
}

void x11_redirect_rest(struct x11_server *server)
{
	for (int i = 0; i < REDIRECTS_KEPT; i++) {
		clear(server, &server->redirects[i], true);
	}
}

unsigned x11_painted_ask(struct x11_server *server, xcb_window_t window)
{
	const struct x11_redirect *redirect = find(server, window);
	if (redirect == NULL || !server->has_damage) {
		return 0;
	}
	/* Where the Damage object went with its window, the region stays as it is here: not empty. */
	xcb_rectangle_t something = { 0, 0, 1, 1 };
	xcb_xfixes_set_region(server->c, server->region, 1, &something);
	xcb_damage_subtract(server->c, redirect->damage, XCB_XFIXES_REGION_NONE, server->region);
	return xcb_xfixes_fetch_region(server->c, server->region).sequence;
}

static bool same_shape(const struct x11_shape *a, const struct x11_shape *b)
{
	return a->bounds.width == b->bounds.width && a->bounds.height == b->bounds.height
		&& a->border == b->border && a->depth == b->depth && a->visual == b->visual;
}

guint64 x11_painted_collect(struct x11_server *server, xcb_window_t window, unsigned sequence,
	const struct x11_shape *shape)
{
	/* Of all connections: what was kept of an earlier server is not of this one. */
	static gint64 last;
	static GMutex mutex;
	xcb_xfixes_fetch_region_reply_t *reply = x11_reply(server, sequence);
	bool quiet = reply != NULL && xcb_xfixes_fetch_region_rectangles_length(reply) == 0;
	free(reply);
	struct x11_redirect *redirect = find(server, window);
	if (redirect == NULL || !server->has_damage) {
		return 0;
	}
	if (!quiet || redirect->version == 0 || !same_shape(shape, &redirect->shape)) {
		g_mutex_lock(&mutex);
		redirect->version = (guint64)++last;
		g_mutex_unlock(&mutex);
		redirect->shape = *shape;
	}
	return redirect->version;
}
