/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/real.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/kernel.h"

/* Stops our pointer, on behalf of that window. Whoever has it by a grab keeps it: false with an error. */
static bool stop(struct reach *reach, xcb_window_t window, uint32_t mask, GError **error)
{
	xcb_input_xi_grab_device_reply_t *reply = x11_reply(reach->server,
		xcb_input_xi_grab_device(reach->server->c, window, XCB_CURRENT_TIME, reach->device->blank,
			reach->device->master.pointer, XCB_INPUT_GRAB_MODE_22_SYNC, XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1,
			&mask).sequence);
	bool stopped = reply != NULL && reply->status == XCB_GRAB_STATUS_SUCCESS;
	free(reply);
	if (!stopped) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE, "Somebody took the session's pointer");
	}
	return stopped;
}

/* What came while it was stopped comes to us, and so to nobody. */
static void swallow(struct reach *reach)
{
	reach->device->parked = false;
	device_park(reach->device, reach->server);
}

static bool is_at(struct reach *reach, struct screen_px point)
{
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(reach->server, xcb_input_xi_query_pointer(reach->server->c,
		reach->server->root, reach->device->master.pointer).sequence);
	bool there = at != NULL && at->root_x >> 16 == point.x && at->root_y >> 16 == point.y;
	free(at);
	return there;
}

static bool go(struct reach *reach, struct screen_px point, GError **error)
{
	return kernel_move(reach->device, reach->server, point, error);
}

/* Goes there while nobody hears it. */
static bool prepare(struct reach *reach, struct screen_px point, GError **error)
{
	if (!go(reach, point, error)) {
		return false;
	}
	if (!is_at(reach, point)) {
		g_set_error(error, CUA_ERROR, ERROR_POINT_OUTSIDE_WINDOW,
			"The kernel's pointer does not come to that place of the screen");
		return false;
	}
	return true;
}

/* A menu of the application has our pointer, and gets all that it does wherever it is. */
static bool begin_borrowed(struct reach *reach, GError **error)
{
	bool sided;
	reach->borrowed = true;
	if (!prepare(reach, reach->point, error) || !reach_open(reach, reach->point, &sided, error)) {
		return false;
	}
	if (reach->count > 0) {
		reach_end(reach);
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE, "Something covers the menu");
		return false;
	}
	return true;
}

bool real_begin(struct reach *reach, struct device *device, struct x11_server *server, xcb_window_t target,
	struct screen_px point, GError **error)
{
	/* From the left, from the right, or right there: toolkits believe a pointer that moves. */
	static const int sides[] = { -1, 1, 0 };
	*reach = (struct reach){ .device = device, .server = server, .target = target, .point = point, .still = true };
	if (!device_park(device, server)) {
		return begin_borrowed(reach, error);
	}
	bool sided = false;
	for (gsize i = 0; i < G_N_ELEMENTS(sides) && !sided; i++) {
		struct screen_px side = { point.x + sides[i], point.y };
		if (!prepare(reach, side, error)) {
			return false;
		}
		if (!stop(reach, server->root, 0, error) || (sides[i] != 0 && !go(reach, point, error))
			|| !reach_open(reach, side, &sided, error)) {
			swallow(reach);
			return false;
		}
		if (!sided && sides[i] != 0) {
			reach_pause(reach);
			swallow(reach);
		}
		sided = sided || sides[i] == 0;
	}
	device_unpark(device, server);
	if (!is_at(reach, point)) {
		reach_end(reach);
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The kernel's pointer was moved by somebody else");
		return false;
	}
	return true;
}

/* The way is open again, and what came meanwhile is still kept; or it is swallowed. */
static bool resume(struct reach *reach, bool came, GError **error)
{
	bool sided;
	if (came && reach_open(reach, reach->point, &sided, error)) {
		return true;
	}
	if (!reach->borrowed) {
		swallow(reach);
	}
	return false;
}

bool real_press(struct reach *reach, unsigned button, bool releases, unsigned after_ms, GError **error)
{
	xcb_connection_t *c = reach->server->c;
	struct device *device = reach->device;
	bool shielded = !reach->borrowed;
	if (shielded && !stop(reach, reach->target, XCB_INPUT_XI_EVENT_MASK_BUTTON_PRESS
		| XCB_INPUT_XI_EVENT_MASK_BUTTON_RELEASE, error)) {
		return false;
	}
	reach_pause(reach);
	deadline_poll_all(deadline_within(reach->server->deadline, (int)after_ms), NULL, 0, "a double click", NULL);
	bool came = kernel_button(device, reach->server, button, true, error)
		&& (!releases || kernel_button(device, reach->server, button, false, error));
	if (!resume(reach, came, error)) {
		return false;
	}
	device->kernel_holds |= releases ? 0 : 1u << button;
	if (shielded) {
		/* Up to the press, and that once more for whoever is under it, past every grab of a window manager. */
		xcb_input_xi_allow_events(c, XCB_CURRENT_TIME, device->master.pointer, XCB_INPUT_EVENT_MODE_SYNC_DEVICE, 0,
			0);
		xcb_input_xi_allow_events(c, XCB_CURRENT_TIME, device->master.pointer, XCB_INPUT_EVENT_MODE_REPLAY_DEVICE,
			0, 0);
	}
	return true;
}

bool real_turn(struct reach *reach, unsigned wheel, int count, GError **error)
{
	if (!reach->borrowed && !stop(reach, reach->server->root, 0, error)) {
		return false;
	}
	reach_pause(reach);
	bool came = true;
	for (int i = 0; i < count && came; i++) {
		came = kernel_turn(reach->device, reach->server, wheel, error);
	}
	if (!resume(reach, came, error)) {
		return false;
	}
	if (!reach->borrowed) {
		device_unpark(reach->device, reach->server);
	}
	return true;
}
