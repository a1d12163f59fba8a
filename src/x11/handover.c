/* SPDX-License-Identifier: MIT */
/*
 * A window that an application hands to the window manager in answer to an action, by whatever way
 * that was done: what was asked for is ended at once, and the user has pointer and keyboard again.
 * What the user's own hand asks for goes on.
 */
#include "config.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/moveresize.h"
#include "x11/sentry.h"
#include "x11/tops.h"

/* Whether the user holds a button, by which a window is dragged; or who can tell. */
static bool user_presses(struct x11_server *server)
{
	xcb_input_xi_query_pointer_reply_t *at = server->has_xinput
		? x11_reply(server,
			xcb_input_xi_query_pointer(server->c, server->root, DEVICE_CORE_POINTER)
				.sequence)
		: NULL;
	bool presses = at == NULL;
	for (int i = 0; at != NULL && i < xcb_input_xi_query_pointer_buttons_length(at); i++) {
		presses |= xcb_input_xi_query_pointer_buttons(at)[i] != 0;
	}
	free(at);
	return presses;
}

void x11_handover_heard(struct x11_sentry *sentry, const xcb_generic_event_t *event)
{
	struct x11_server *server = sentry->server;
	xcb_window_t window = XCB_WINDOW_NONE;
	enum moveresize asked = moveresize_read(server, event, &window);
	/* A menu is a popup, and closed as one (dismiss.c). */
	if (asked > MOVERESIZE_MOVE_KEYBOARD || sentry->charges->len == 0) {
		return;
	}
	pid_t pid = x11_sentry_owner(sentry, window);
	if (x11_sentry_charge(sentry, pid) == NULL || user_presses(server)) {
		return;
	}
	moveresize_cancel(server, window, x11_top_of(server, window));
	xcb_flush(server->c);
}
