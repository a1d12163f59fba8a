/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/shield.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/property.h"
#include "x11/tops.h"

/*
 * A grab of a keyboard tells the window that it has the focus. KWin believes that of a window it manages, and
 * makes it the active one; it binds nothing there, so its frame will do. Others bind keys on the windows
 * themselves, and know a grab when they see one.
 */
xcb_window_t shield_window(struct reach *reach)
{
	struct x11_server *server = reach->server;
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1));
	xcb_window_t manager = x11_property_word(reply, XCB_WINDOW_NONE);
	free(reply);
	reply = manager != XCB_WINDOW_NONE ? x11_reply(server, x11_property_ask(server, manager,
		server->atoms[ATOM__NET_WM_NAME], 16)) : NULL;
	g_autofree char *name = x11_property_text(server, reply);
	free(reply);
	return g_strcmp0(name, "KWin") == 0 ? x11_top_of(server, reach->target) : reach->target;
}

/* Our own grab stops at the press and replays it: see reach_press(). */
void shield_press(struct reach *reach, xcb_window_t window, xcb_keycode_t code)
{
	xcb_connection_t *c = reach->server->c;
	xcb_input_device_id_t keyboard = reach->device->master.keyboard;
	const uint32_t mask = XCB_INPUT_XI_EVENT_MASK_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_KEY_RELEASE;
	xcb_discard_reply(c, xcb_input_xi_grab_device(c, window, XCB_CURRENT_TIME, XCB_CURSOR_NONE, keyboard,
		XCB_INPUT_GRAB_MODE_22_SYNC, XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1, &mask).sequence);
	xcb_input_xi_allow_events(c, XCB_CURRENT_TIME, keyboard, XCB_INPUT_EVENT_MODE_SYNC_DEVICE, 0, 0);
	device_key(reach->server, code, true);
	xcb_input_xi_allow_events(c, XCB_CURRENT_TIME, keyboard, XCB_INPUT_EVENT_MODE_REPLAY_DEVICE, 0, 0);
}
