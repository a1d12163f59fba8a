/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/reach.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/hole.h"

/* How a pixel of the target lies. */
enum way {
	WAY_OPEN,
	WAY_COVERED,    /* `cover` is in the way */
	WAY_USER,       /* the user's pointer is on a pixel that would have to be cut */
	WAY_ELSEWHERE,  /* the target is not there */
	WAY_OFF_SCREEN,
	WAY_CLOSED,     /* what covers it cannot be cut */
};

/* A pixel, and what the server said is under our pointer there. */
struct spot {
	struct screen_px point;
	unsigned asked[DEVICE_CHAIN];  /* of each window of the chain */
	enum way way;
	xcb_window_t cover;
	xcb_window_t inside;           /* the target's own window there, if it has any */
};

static struct screen_px pixel_of(const xcb_input_xi_query_pointer_reply_t *at)
{
	return (struct screen_px){ at->root_x >> 16, at->root_y >> 16 };
}

static bool same(struct screen_px a, struct screen_px b)
{
	return a.x == b.x && a.y == b.y;
}

/* The windows from the root down to the target; false if it is gone. Takes a turn for each. */
static bool learn_chain(struct reach *reach)
{
	struct device *device = reach->device;
	xcb_window_t window = reach->target, up[DEVICE_CHAIN];
	int depth = 0;
	device->chain_target = XCB_WINDOW_NONE;
	while (window != XCB_WINDOW_NONE && depth < DEVICE_CHAIN) {
		up[depth++] = window;
		xcb_query_tree_reply_t *tree = window == reach->server->root ? NULL
			: x11_reply(reach->server, xcb_query_tree(reach->server->c, window).sequence);
		window = tree != NULL ? tree->parent : XCB_WINDOW_NONE;
		free(tree);
	}
	if (depth < 2 || up[depth - 1] != reach->server->root) {
		return false;
	}
	for (int i = 0; i < depth; i++) {
		device->chain[i] = up[depth - 1 - i];
	}
	device->chain_target = reach->target;
	device->chain_length = depth;
	return true;
}

/*
 * Moves our pointer there, which nobody hears while it is parked, and asks who is under it. Where it must not be
 * moved the server tells whom a pointer would find there, which is the same but for the edge of the screen.
 */
static void ask_spot(struct reach *reach, struct spot *spot)
{
	xcb_connection_t *c = reach->server->c;
	if (!reach->still) {
		device_move(reach->server, spot->point);
	}
	for (int i = 0; i < reach->device->chain_length; i++) {
		xcb_window_t window = reach->device->chain[i];
		spot->asked[i] = reach->still
			? xcb_translate_coordinates(c, reach->server->root, window, (int16_t)spot->point.x,
				(int16_t)spot->point.y).sequence
			: xcb_input_xi_query_pointer(c, window, reach->device->master.pointer).sequence;
	}
}

/* The answer: the child of the window that is there, and where that is. False if there was none. */
static bool collect_child(const struct reach *reach, unsigned asked, xcb_window_t *child, struct screen_px *point)
{
	void *reply = x11_reply(reach->server, asked);
	bool answered = reply != NULL;
	if (answered && reach->still) {
		*child = ((const xcb_translate_coordinates_reply_t *)reply)->child;
	} else if (answered) {
		const xcb_input_xi_query_pointer_reply_t *at = reply;
		*child = at->child;
		*point = pixel_of(at);
	}
	free(reply);
	return answered;
}

/* Each window of the chain has the next one under the pointer: then the target is under it. */
static void collect_spot(struct reach *reach, struct spot *spot)
{
	const struct device *device = reach->device;
	spot->way = WAY_OPEN;
	spot->cover = spot->inside = XCB_WINDOW_NONE;
	for (int i = 0; i < device->chain_length; i++) {
		xcb_window_t child = XCB_WINDOW_NONE;
		struct screen_px point = spot->point;
		bool answered = collect_child(reach, spot->asked[i], &child, &point);
		bool last = i + 1 == device->chain_length;
		if (spot->way != WAY_OPEN) {
			/* Decided; the answers are taken in all the same. */
		} else if (!answered) {
			spot->way = WAY_ELSEWHERE;
		} else if (i == 0 && !same(point, spot->point)) {
			spot->way = WAY_OFF_SCREEN;
		} else if (last) {
			spot->inside = child;
		} else if (child != device->chain[i + 1]) {
			/* Only a child of the root can be cut; anything else is the application's own. */
			spot->way = i == 0 && child != XCB_WINDOW_NONE ? WAY_COVERED : WAY_ELSEWHERE;
			spot->cover = child;
		}
	}
}

/* Cuts the spot, and the other one with it where the same window covers both and they are neighbours. */
static void cut(struct reach *reach, struct spot *spot, const struct spot *other)
{
	struct device *device = reach->device;
	bool both = other != NULL && other->way == WAY_COVERED && other->cover == spot->cover;
	struct screen_rect pixels = { spot->point.x, spot->point.y, 1, 1 };
	if (both) {
		pixels.x = MIN(spot->point.x, other->point.x);
		pixels.width = 2;
	}
	if (reach->count == (int)G_N_ELEMENTS(reach->holes)) {
		spot->way = WAY_CLOSED;
		return;
	}
	if (reach->guess.cover != spot->cover) {
		hole_forget(reach->server, &reach->guess);
		hole_ask(reach->server, spot->cover, &reach->guess);
	}
	device->cover = spot->cover;
	struct undo_record *hole = hole_cut(reach->server, device->log, device->master.name, &reach->guess, pixels);
	/* What was asked holds for one hole: after it the shape is another one. */
	reach->guess.cover = XCB_WINDOW_NONE;
	if (hole == NULL) {
		spot->way = WAY_CLOSED;
	} else {
		reach->holes[reach->count++] = hole;
	}
}

/* Clears what is in the way of the spot. */
static void clear_way(struct reach *reach, struct spot *spot, const struct spot *other)
{
	if (spot->way == WAY_COVERED && same(spot->point, reach->user)) {
		spot->way = WAY_USER;
	} else if (spot->way == WAY_COVERED) {
		cut(reach, spot, other != NULL && same(other->point, reach->user) ? NULL : other);
	}
}

/* Takes in what was asked at the beginning. */
static void collect_start(struct reach *reach)
{
	struct x11_server *server = reach->server;
	if (reach->asked_user != 0) {
		xcb_input_xi_query_pointer_reply_t *core = x11_reply(server, reach->asked_user);
		reach->user = core != NULL ? pixel_of(core) : (struct screen_px){ -1, -1 };
		reach->asked_user = 0;
		free(core);
		if (reach->asked_parent != 0) {
			/* Shown again after it was hidden, or another window of that number, it is in another frame. */
			xcb_query_tree_reply_t *tree = x11_reply(server, reach->asked_parent);
			reach->moved = tree == NULL || tree->parent != reach->device->chain[reach->device->chain_length - 2];
			free(tree);
		}
		if (!refuge_holds(server, &reach->asked_refuge, reach->user, &reach->device->refuge)) {
			refuge_find(server, reach->user, &reach->device->refuge);
		}
		if (!reach->still) {
			reach->borrowed = !device_park_collect(reach->device, server, reach->asked_park);
		}
	}
}

/*
 * Opens the way to the point, and to a pixel beside it to come from: toolkits believe a pointer that moves. One
 * turn of the server if nothing is in the way, and one more for each window that is, or two if it was not in the way
 * the last time. Our pointer is then beside the point, or on it if no pixel beside it is the window's: `*has_side`.
 */
static enum way open_way(struct reach *reach, struct screen_px point, struct screen_px from, bool *has_side)
{
	struct spot target = { .point = point };
	struct spot side = { .point = from };
	/* One that is not to be moved comes from where it is. */
	bool sided = !same(point, from), turned = reach->still;
	for (;;) {
		ask_spot(reach, &target);
		if (sided) {
			ask_spot(reach, &side);
		}
		collect_start(reach);
		collect_spot(reach, &target);
		if (sided) {
			collect_spot(reach, &side);
		}
		if (reach->moved) {
			/* What covers it there may be its own frame. */
			reach->moved = false;
			return WAY_ELSEWHERE;
		}
		if (target.way == WAY_OPEN && (!sided || side.way == WAY_OPEN)) {
			break;
		}
		clear_way(reach, &target, sided ? &side : NULL);
		if (target.way != WAY_OPEN && target.way != WAY_COVERED) {
			return target.way;
		}
		if (target.way == WAY_OPEN) {
			clear_way(reach, &side, NULL);
			if (side.way != WAY_COVERED) {
				/* Not that side; the other one, or none. */
				sided = !turned;
				turned = true;
				side.point.x = point.x + 1;
			}
		}
	}
	device_veil(reach->device, reach->server, target.inside != XCB_WINDOW_NONE ? target.inside
		: reach->target);
	*has_side = sided;
	return WAY_OPEN;
}

/* The point itself, or one beside it where the user's pointer is on it. */
static enum way open_near(struct reach *reach, struct screen_px point)
{
	static const int offsets[] = { 0, 1, -1 };
	enum way way = WAY_USER;
	for (gsize i = 0; i < G_N_ELEMENTS(offsets) && way == WAY_USER; i++) {
		reach->point = (struct screen_px){ point.x, point.y + offsets[i] };
		bool sided;
		way = open_way(reach, reach->point, (struct screen_px){ reach->point.x - 1, reach->point.y }, &sided);
	}
	return way;
}

/* The smallest window under our pointer. Takes a turn for each. */
static xcb_window_t find_innermost(struct reach *reach)
{
	xcb_window_t window = reach->target, child = window;
	while (child != XCB_WINDOW_NONE) {
		window = child;
		xcb_input_xi_query_pointer_reply_t *at = x11_reply(reach->server, xcb_input_xi_query_pointer(
			reach->server->c, window, reach->device->master.pointer).sequence);
		child = at != NULL ? at->child : XCB_WINDOW_NONE;
		free(at);
	}
	return window;
}

/* A grab for the very window that a pointer is over is told to nobody, and nobody is told that it comes or goes. */
static void hold_over(struct reach *reach)
{
	const uint32_t nothing = 0;
	xcb_connection_t *c = reach->server->c;
	xcb_discard_reply(c, xcb_input_xi_grab_device(c, find_innermost(reach), XCB_CURRENT_TIME, reach->device->blank,
		reach->device->master.pointer, XCB_INPUT_GRAB_MODE_22_ASYNC, XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1,
		&nothing).sequence);
}

/*
 * Nobody else's requests are taken while the server is grabbed: who had our pointer when it began has it now, so
 * nothing here waits to hear whether the grab was given.
 */
static unsigned close_holes(struct reach *reach)
{
	struct device *device = reach->device;
	struct x11_server *server = reach->server;
	if (reach->borrowed && device->chain_target == reach->target) {
		/* When the menu goes, nobody's window is below the pointer that it leaves behind. */
		device_rest(device, server, reach->point, device->chain[1]);
	}
	if (reach->hovers && !reach->borrowed) {
		hold_over(reach);
		return 0;
	}
	if (reach->count == 0 && (reach->stays || reach->borrowed)) {
		return 0;
	}
	/* With our grab the windows that get their pixels back do not hear a pointer come. */
	unsigned parking = device_park_ask(device, server);
	while (reach->count > 0) {
		hole_close(server, reach->holes[--reach->count]);
	}
	if (reach->opens && !reach->borrowed) {
		struct screen_px place = device->refuge.found && !reach->lingers ? device->refuge.pixel : reach->point;
		device_rest(device, server, place, XCB_WINDOW_NONE);
		device_move(server, place);
		device_unpark(device, server);
		if (parking != 0) {
			xcb_discard_reply(server->c, parking);
		}
		return 0;
	}
	return parking;
}

/* Closes all holes and lets the server go. Without `parks` somebody else sees to it that nobody hears our pointer. */
static void leave(struct reach *reach, bool parks)
{
	struct undo_record *holes[G_N_ELEMENTS(reach->holes)];
	int count = reach->count;
	for (int i = 0; i < count; i++) {
		holes[i] = reach->holes[i];
	}
	hole_forget(reach->server, &reach->guess);
	unsigned parking = parks ? close_holes(reach) : 0;
	while (reach->count > 0) {
		hole_close(reach->server, reach->holes[--reach->count]);
	}
	device_ungrab_server(reach->device, reach->server);
	if (parking != 0) {
		device_park_collect(reach->device, reach->server, parking);
	}
	if (!x11_failed(reach->server)) {
		while (count > 0) {
			undo_drop(holes[--count]);
		}
	}
}

void reach_end(struct reach *reach)
{
	leave(reach, true);
}

void reach_rest(struct device *device, struct x11_server *server)
{
	device_grab_server(device, server);
	struct screen_px user = { -1, -1 };
	xcb_input_xi_query_pointer_reply_t *core = x11_reply(server,
		xcb_input_xi_query_pointer(server->c, server->root, DEVICE_CORE_POINTER).sequence);
	if (core != NULL) {
		user = pixel_of(core);
	}
	free(core);
	struct refuge_asked asked;
	refuge_ask(server, &device->refuge, &asked);
	if (!refuge_holds(server, &asked, user, &device->refuge)) {
		refuge_find(server, user, &device->refuge);
	}
	if (device->refuge.found && device_park(device, server)) {
		device_rest(device, server, device->refuge.pixel, XCB_WINDOW_NONE);
		device_move(server, device->refuge.pixel);
		device_unpark(device, server);
	}
	device_ungrab_server(device, server);
}

void reach_retire(struct device *device, struct x11_server *server)
{
	device_grab_server(device, server);
	if (device->refuge.found && device_park(device, server)) {
		device_rest(device, server, device->refuge.pixel, XCB_WINDOW_NONE);
		device_move(server, device->refuge.pixel);
		device_unpark(device, server);
	}
	device_ungrab_server(device, server);
}

void reach_pause(struct reach *reach)
{
	leave(reach, false);
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
	case WAY_COVERED:
	case WAY_ELSEWHERE:
		g_set_error(error, CUA_ERROR, ERROR_POINT_OUTSIDE_WINDOW,
			"The window takes no pointer at that place");
		break;
	}
}

/* Grabs the server and asks what will have to be known in any case. */
static void start(struct reach *reach)
{
	struct device *device = reach->device;
	struct x11_server *server = reach->server;
	device_grab_server(device, server);
	reach->asked_user = xcb_input_xi_query_pointer(server->c, server->root, DEVICE_CORE_POINTER).sequence;
	if (!reach->still) {
		reach->asked_park = device_park_ask(device, server);
	}
	reach->asked_parent = device->chain_target == reach->target
		? xcb_query_tree(server->c, reach->target).sequence : 0;
	device_unrest(device, server);
	refuge_ask(server, &device->refuge, &reach->asked_refuge);
	if (device->cover != XCB_WINDOW_NONE) {
		hole_ask(server, device->cover, &reach->guess);
	}
}

/* It did not come so far. */
static bool fail_at(struct reach *reach, enum way way, GError **error)
{
	collect_start(reach);
	reach_end(reach);
	if (!x11_failed(reach->server)) {
		fail(way, error);
	}
	return false;
}

bool reach_open(struct reach *reach, struct screen_px side, bool *sided, GError **error)
{
	struct device *device = reach->device;
	start(reach);
	bool known = device->chain_target == reach->target;
	enum way way = known || learn_chain(reach) ? open_way(reach, reach->point, side, sided) : WAY_ELSEWHERE;
	if (way == WAY_ELSEWHERE && known && learn_chain(reach)) {
		way = open_way(reach, reach->point, side, sided);
	}
	return way == WAY_OPEN || fail_at(reach, way, error);
}

bool reach_begin(struct reach *reach, struct device *device, struct x11_server *server,
	xcb_window_t target, struct screen_px point, GError **error)
{
	*reach = (struct reach){ .device = device, .server = server, .target = target };
	start(reach);
	bool known = device->chain_target == target;
	enum way way = known || learn_chain(reach) ? open_near(reach, point) : WAY_ELSEWHERE;
	if (way == WAY_ELSEWHERE && known && learn_chain(reach)) {
		/* It may be in another frame than it was. */
		way = open_near(reach, point);
	}
	if (way != WAY_OPEN) {
		return fail_at(reach, way, error);
	}
	if (!reach->borrowed) {
		device_unpark(device, server);
	}
	device_move(server, reach->point);
	return true;
}

xcb_window_t reach_under(struct device *device, struct x11_server *server)
{
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(server,
		xcb_input_xi_query_pointer(server->c, server->root, device->master.pointer).sequence);
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
