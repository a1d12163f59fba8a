/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/pulse.h"

#include <stdlib.h>

/* Off the screen. */
enum { FROM = -1, TO = -2 };

void x11_pulse_begin(struct x11_server *server)
{
	const uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	const int32_t to = TO;
	xcb_create_window(server->c, XCB_COPY_FROM_PARENT, server->pulse, server->root, FROM, FROM, 1, 1, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	xcb_configure_window(server->c, server->pulse, XCB_CONFIG_WINDOW_X, &to);
}

bool x11_pulse_beats(struct x11_server *server)
{
	xcb_get_geometry_reply_t *reply = x11_reply(server, xcb_get_geometry(server->c, server->pulse).sequence);
	bool moved = reply != NULL && reply->x != FROM;
	free(reply);
	return moved;
}

void x11_pulse_end(struct x11_server *server)
{
	xcb_destroy_window(server->c, server->pulse);
	xcb_flush(server->c);
}
