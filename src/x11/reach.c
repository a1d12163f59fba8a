/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/reach.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/hole.h"
#include "x11/refuge.h"
#include "x11/tops.h"

enum { MAX_DEPTH = 32 };

/* How the way to a pixel of the target ended. */
enum way {
	WAY_OPEN,
	WAY_USER,       /* the user's pointer is on a pixel that would have to be cut */
	WAY_ELSEWHERE,  /* the target is not there */
	WAY_OFF_SCREEN,
	WAY_CLOSED,     /* what covers it cannot be cut */
};

static struct screen_px pixel_of(const xcb_input_xi_query_pointer_reply_t *at)
{
	return (struct screen_px){ at->root_x >> 16, at->root_y >> 16 };
}

static xcb_input_xi_query_pointer_reply_t *query(struct reach *reach, xcb_window_t window,
	xcb_input_device_id_t pointer)
{
	return x11_reply(reach->server, xcb_input_xi_query_pointer(reach->server->c, window,
		pointer).sequence);
}

/* What is under our pointer. */
struct under {
	struct screen_px point;    /* where it is */
	xcb_window_t top, deepest; /* the root's child, and the innermost window */
	struct screen_px in_top;   /* counted from the corner of `top` */
	bool target;               /* the target is among them */
};

static struct under look_under(struct reach *reach)
{
	struct under under = { 0 };
	xcb_window_t window = reach->server->root;
	for (int depth = 0; depth < MAX_DEPTH && window != XCB_WINDOW_NONE; depth++) {
		xcb_input_xi_query_pointer_reply_t *at = query(reach, window, reach->device->master.pointer);
		if (at == NULL) {
			break;
		}
		if (depth == 0) {
			under.point = pixel_of(at);
			under.top = at->child;
		} else if (depth == 1) {
			under.in_top = (struct screen_px){ at->win_x >> 16, at->win_y >> 16 };
		}
		under.deepest = window;
		under.target |= window == reach->target;
		window = at->child;
		free(at);
	}
	return under;
}

/* Moves our pointer there, which nobody hears while it is parked, and cuts what is in its way. */
static enum way open_way(struct reach *reach, struct screen_px point, struct screen_px user)
{
	struct device *device = reach->device;
	device_move(reach->server, point);
	for (;;) {
		struct under under = look_under(reach);
		if (under.point.x != point.x || under.point.y != point.y) {
			return WAY_OFF_SCREEN;
		}
		if (under.deepest != XCB_WINDOW_NONE && under.deepest != reach->server->root) {
			device_veil(device, reach->server, under.deepest);
		}
		if (under.target) {
			return WAY_OPEN;
		}
		if (under.top == XCB_WINDOW_NONE || under.top == reach->top) {
			return WAY_ELSEWHERE;
		}
		if (user.x == point.x && user.y == point.y) {
			return WAY_USER;
		}
		struct undo_record *hole = reach->count < (int)G_N_ELEMENTS(reach->holes)
			? hole_cut(reach->server, device->log, device->master.name, under.top,
				(struct screen_rect){ under.in_top.x, under.in_top.y, 1, 1 }) : NULL;
		if (hole == NULL) {
			return WAY_CLOSED;
		}
		reach->holes[reach->count++] = hole;
	}
}

/* The pixel itself, or one beside it where the user's pointer is on it. */
static enum way open_near(struct reach *reach, struct screen_px point, struct screen_px user)
{
	static const int offsets[] = { 0, 1, -1 };
	enum way way = WAY_USER;
	for (gsize i = 0; i < G_N_ELEMENTS(offsets) && way == WAY_USER; i++) {
		reach->point = (struct screen_px){ point.x, point.y + offsets[i] };
		way = open_way(reach, reach->point, user);
	}
	return way;
}

/* A pixel beside it, to come from: toolkits believe a pointer that moves. False if none is the window's. */
static bool open_side(struct reach *reach, struct screen_px user, struct screen_px *side)
{
	static const int offsets[] = { -1, 1 };
	for (gsize i = 0; i < G_N_ELEMENTS(offsets); i++) {
		*side = (struct screen_px){ reach->point.x + offsets[i], reach->point.y };
		if (open_way(reach, *side, user) == WAY_OPEN) {
			return true;
		}
	}
	return false;
}

static void close_holes(struct reach *reach)
{
	struct device *device = reach->device;
	struct x11_server *server = reach->server;
	struct screen_px elsewhere;
	bool covered = reach->count > 0;
	if (!covered && (reach->opens || reach->stays)) {
		return;
	}
	/* With our grab the windows that get their pixels back do not hear a pointer come. */
	bool parked = device_park(device, server);
	while (reach->count > 0) {
		hole_close(server, reach->holes[--reach->count]);
	}
	if (parked && reach->opens) {
		if (refuge_find(server, reach->top, &elsewhere)) {
			device_move(server, elsewhere);
		}
		device_unpark(device, server);
	}
}

void reach_end(struct reach *reach)
{
	struct undo_record *holes[G_N_ELEMENTS(reach->holes)];
	int count = reach->count;
	for (int i = 0; i < count; i++) {
		holes[i] = reach->holes[i];
	}
	close_holes(reach);
	device_ungrab_server(reach->device, reach->server);
	if (!x11_failed(reach->server)) {
		while (count > 0) {
			undo_drop(holes[--count]);
		}
	}
}

static void fail(enum way way, GError **error)
{
	switch (way) {
	case WAY_OFF_SCREEN:
		g_set_error(error, CUA_ERROR, ERROR_POINT_OUTSIDE_WINDOW,
			"That part of the window is outside of the screen, where no pointer comes");
		break;
	case WAY_USER:
		g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE, "The user's pointer is at that place");
		break;
	case WAY_CLOSED:
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"Something covers the window there that lets no pointer through");
		break;
	case WAY_OPEN:
	case WAY_ELSEWHERE:
		g_set_error(error, CUA_ERROR, ERROR_POINT_OUTSIDE_WINDOW,
			"The window takes no pointer at that place");
		break;
	}
}

bool reach_begin(struct reach *reach, struct device *device, struct x11_server *server,
	xcb_window_t target, struct screen_px point, GError **error)
{
	*reach = (struct reach){ .device = device, .server = server, .target = target };
	device_grab_server(device, server);
	reach->borrowed = !device_park(device, server);
	reach->top = x11_top_of(server, target);
	xcb_input_xi_query_pointer_reply_t *core = query(reach, server->root, DEVICE_CORE_POINTER);
	struct screen_px user = core != NULL ? pixel_of(core) : (struct screen_px){ -1, -1 };
	free(core);
	struct screen_px side;
	enum way way = reach->top != XCB_WINDOW_NONE ? open_near(reach, point, user) : WAY_ELSEWHERE;
	if (way != WAY_OPEN) {
		reach_end(reach);
		if (!x11_failed(server)) {
			fail(way, error);
		}
		return false;
	}
	bool sided = open_side(reach, user, &side);
	if (!sided) {
		device_move(server, reach->point);
	}
	if (!reach->borrowed) {
		device_unpark(device, server);
	}
	device_move(server, reach->point);
	return true;
}

xcb_window_t reach_under(struct device *device, struct x11_server *server)
{
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(server, xcb_input_xi_query_pointer(server->c,
		server->root, device->master.pointer).sequence);
	xcb_window_t top = at != NULL ? at->child : XCB_WINDOW_NONE;
	free(at);
	return top;
}

/* A grab of ours that stops at the press and replays it goes by every grab of a window manager. */
void reach_press(struct reach *reach, unsigned button, unsigned after_ms)
{
	xcb_connection_t *c = reach->server->c;
	xcb_input_device_id_t pointer = reach->device->master.pointer;
	const uint32_t mask = XCB_INPUT_XI_EVENT_MASK_BUTTON_PRESS | XCB_INPUT_XI_EVENT_MASK_BUTTON_RELEASE;
	xcb_discard_reply(c, xcb_input_xi_grab_device(c, reach->target, XCB_CURRENT_TIME,
		reach->device->blank, pointer, XCB_INPUT_GRAB_MODE_22_SYNC, XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1,
		&mask).sequence);
	xcb_input_xi_allow_events(c, XCB_CURRENT_TIME, pointer, XCB_INPUT_EVENT_MODE_SYNC_DEVICE, 0, 0);
	device_press_after(reach->server, button, after_ms);
	xcb_input_xi_allow_events(c, XCB_CURRENT_TIME, pointer, XCB_INPUT_EVENT_MODE_REPLAY_DEVICE, 0, 0);
}

void reach_release(struct reach *reach, unsigned button)
{
	device_button(reach->server, button, false);
}
