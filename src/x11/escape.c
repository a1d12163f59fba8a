/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/escape.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/device.h"

#define MAX_DEPTH 64

static bool is_held(struct x11_server *server, const struct master *master)
{
	const uint32_t nothing = 0;
	xcb_input_xi_grab_device_reply_t *reply = x11_reply(server, xcb_input_xi_grab_device(server->c,
		server->root, XCB_CURRENT_TIME, XCB_CURSOR_NONE, master->keyboard, XCB_INPUT_GRAB_MODE_22_ASYNC,
		XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1, &nothing).sequence);
	bool held = reply != NULL && reply->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
	if (reply != NULL && reply->status == XCB_GRAB_STATUS_SUCCESS) {
		xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, master->keyboard);
	}
	free(reply);
	return held;
}

/* Whether the innermost window under the pointer is of the application that owns the window. */
static bool is_over(struct x11_server *server, const struct master *master, xcb_window_t window)
{
	xcb_window_t under = server->root;
	for (int depth = 0; depth < MAX_DEPTH && window != XCB_WINDOW_NONE; depth++) {
		xcb_input_xi_query_pointer_reply_t *at = x11_reply(server,
			xcb_input_xi_query_pointer(server->c, under, master->pointer).sequence);
		xcb_window_t child = at != NULL ? at->child : XCB_WINDOW_NONE;
		free(at);
		if (child == XCB_WINDOW_NONE) {
			break;
		}
		under = child;
	}
	return window != XCB_WINDOW_NONE && (under & ~server->id_mask) == (window & ~server->id_mask);
}

/* Who has our pointer hears that it comes there, and nobody else does. */
static void bring_over(struct x11_server *server, xcb_window_t window)
{
	xcb_get_geometry_reply_t *at = x11_reply(server, xcb_get_geometry(server->c, window).sequence);
	xcb_translate_coordinates_reply_t *middle = at == NULL ? NULL : x11_reply(server,
		xcb_translate_coordinates(server->c, window, server->root, (int16_t)(at->width / 2),
			(int16_t)(at->height / 2)).sequence);
	if (middle != NULL) {
		device_move(server, (struct screen_px){ middle->dst_x, middle->dst_y });
	}
	free(at);
	free(middle);
}

bool escape_press(struct x11_server *server, const struct master *master, xcb_window_t window)
{
	xcb_keycode_t key = device_find_key(server, KEY_ESCAPE);
	/* What is seen must still be so when it is pressed. */
	xcb_grab_server(server->c);
	bool safe = key != 0 && (is_held(server, master) || is_over(server, master, window));
	if (!safe && key != 0 && window != XCB_WINDOW_NONE) {
		/* It rests elsewhere since it opened the menu. */
		bring_over(server, window);
		safe = is_over(server, master, window);
	}
	if (safe) {
		device_key(server, key, true);
		device_key(server, key, false);
	}
	xcb_ungrab_server(server->c);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	return safe;
}
