/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/freeze.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/ping.h"
#include "x11/property.h"
#include "x11/quirks.h"

/* As long as a user's pointer may stand still: who has just answered does so again, however slow the machine. */
#define FREEZE_MS 1000
/* As long as one may take that is not hung. */
#define ANSWER_MS 2000
#define MAX_DEPTH 64

/* Where the user's pointer is; returns the child of the window that it is in. */
static xcb_window_t look(struct x11_server *server, xcb_window_t window, struct screen_px *place)
{
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(server,
		xcb_input_xi_query_pointer(server->c, window, DEVICE_CORE_POINTER).sequence);
	xcb_window_t child = at != NULL ? at->child : XCB_WINDOW_NONE;
	if (at != NULL) {
		*place = (struct screen_px){ at->root_x >> 16, at->root_y >> 16 };
	}
	free(at);
	return child;
}

/* The innermost window that the user's pointer is in. */
static xcb_window_t users_window(struct x11_server *server, struct screen_px *place)
{
	xcb_window_t window = server->root;
	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		xcb_window_t child = look(server, window, place);
		if (child == XCB_WINDOW_NONE) {
			break;
		}
		window = child;
	}
	return window;
}

bool freeze_may(struct x11_server *server, xcb_window_t window, GError **error)
{
	/* Windows that answer nothing are menus and the like, which hold the pointers they want already. */
	if (!ping_answers(server, window) || ping_wait(server, window, ANSWER_MS) || x11_failed(server)) {
		return true;
	}
	g_set_error(error, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
		"The application does not answer, and would take the user's pointer when it comes to the press");
	return false;
}

bool freeze_user(struct x11_server *server, struct screen_px *place, bool keyboard)
{
	const uint32_t nothing = 0;
	*place = (struct screen_px){ -1, -1 };
	xcb_window_t window = users_window(server, place);
	if (x11_failed(server)) {
		return false;
	}
	xcb_input_xi_grab_device_reply_t *reply = x11_reply(server, xcb_input_xi_grab_device(server->c,
		window, XCB_CURRENT_TIME, XCB_CURSOR_NONE, DEVICE_CORE_POINTER,
		XCB_INPUT_GRAB_MODE_22_SYNC, keyboard ? XCB_INPUT_GRAB_MODE_22_SYNC : XCB_INPUT_GRAB_MODE_22_ASYNC,
		true, 1, &nothing).sequence);
	bool taken = reply != NULL && reply->status == XCB_GRAB_STATUS_SUCCESS;
	if (reply == NULL) {
		/* It was sent, and nobody waits for it any more: it may still be granted. */
		xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, DEVICE_CORE_POINTER);
		xcb_flush(server->c);
	}
	free(reply);
	return taken;
}

/* A window of the window manager's, if that puts the pointer where a window is to be dragged from;
 * else 0. */
static xcb_window_t find_warper(struct x11_server *server)
{
	enum { LONGEST_NAME = 16 };
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1));
	xcb_window_t manager = x11_property_word(reply, XCB_WINDOW_NONE);
	free(reply);
	if (manager == XCB_WINDOW_NONE) {
		return XCB_WINDOW_NONE;
	}
	reply = x11_reply(server,
		x11_property_ask(server, manager, server->atoms[ATOM__NET_WM_NAME], LONGEST_NAME));
	g_autofree char *name = x11_property_text(server, reply);
	free(reply);
	return name != NULL && quirks_has(name, QUIRK_MANAGER_WARPS) ? manager : XCB_WINDOW_NONE;
}

bool freeze_begin(struct device *device, struct x11_server *server, bool keyboard)
{
	device->freeze = (struct freeze){ .since = g_get_monotonic_time(),
		.warper = keyboard ? find_warper(server) : 0 };
	if (device->freeze.warper != XCB_WINDOW_NONE) {
		/* What it does with "the" pointer is done with ours. It is sent nothing of the
		 * user's meanwhile, so it does not miss that. */
		xcb_input_xi_set_client_pointer(
			server->c, device->freeze.warper, device->master.pointer);
	}
	bool taken = freeze_user(server, &device->freeze.place, keyboard);
	if (!taken && device->freeze.warper != XCB_WINDOW_NONE) {
		xcb_input_xi_set_client_pointer(
			server->c, device->freeze.warper, DEVICE_CORE_POINTER);
	}
	return taken;
}

void freeze_keep(struct device *device)
{
	guardian_grabbing(device->guardian, device->connection, true);
}

void freeze_thaw(struct device *device, struct x11_server *server)
{
	struct freeze *freeze = &device->freeze;
	struct screen_px now = freeze->place;
	if (freeze->warper != XCB_WINDOW_NONE) {
		xcb_input_xi_set_client_pointer(server->c, freeze->warper, DEVICE_CORE_POINTER);
	}
	xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, DEVICE_CORE_POINTER);
	/* Also after a failure, when nothing is asked any more. */
	xcb_flush(server->c);
	/* What waited has been let go before this is answered. */
	look(server, server->root, &now);
	guardian_grabbing(device->guardian, device->connection, false);
	freeze->ms = (int)((g_get_monotonic_time() - freeze->since) / 1000) + 1;
	freeze->moved = now.x != freeze->place.x || now.y != freeze->place.y;
}

void freeze_end(struct device *device, struct x11_server *server, xcb_window_t window)
{
	/* A driver that stands still now must not keep the user's pointer. */
	guardian_grabbing(device->guardian, device->connection, true);
	ping_wait(server, window, FREEZE_MS);
	freeze_thaw(device, server);
}
