/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/ping.h"

#include <stdlib.h>
#include <unistd.h>

#include "x11/property.h"

enum { MOST_PROTOCOLS = 64 };

bool ping_answers(struct x11_server *server, xcb_window_t window)
{
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, window,
		server->atoms[ATOM_WM_PROTOCOLS], MOST_PROTOCOLS));
	gsize count;
	const uint32_t *protocols = x11_property_words(reply, &count);
	bool found = false;
	for (gsize i = 0; i < count && !found; i++) {
		found = protocols[i] == server->atoms[ATOM__NET_WM_PING];
	}
	free(reply);
	return found;
}

/*
 * The application sends it back to the root window, where window managers hear it: as the standard says, or, Qt 5,
 * to those who listen to the root itself.
 */
static void listen(struct x11_server *server, bool on)
{
	const uint32_t mask = on ? XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_STRUCTURE_NOTIFY : 0;
	xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
}

static bool is_answer(struct x11_server *server, const xcb_generic_event_t *event, xcb_window_t window,
	uint32_t stamp)
{
	const xcb_client_message_event_t *message = (const void *)event;
	return (event->response_type & 0x7f) == XCB_CLIENT_MESSAGE
		&& message->type == server->atoms[ATOM_WM_PROTOCOLS]
		&& message->data.data32[0] == server->atoms[ATOM__NET_WM_PING]
		&& message->data.data32[1] == stamp && message->data.data32[2] == window;
}

bool ping_wait(struct x11_server *server, xcb_window_t window, int ms)
{
	/* No window manager's own, which are times of the server, and no other driver's or guardian's. */
	static gint stamps;
	uint32_t stamp = 0xc0000000u | ((uint32_t)getpid() & 0x3fffu) << 16
		| ((uint32_t)g_atomic_int_add(&stamps, 1) & 0xffffu);
	if (!ping_answers(server, window)) {
		return false;
	}
	const xcb_client_message_event_t ping = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window,
		.type = server->atoms[ATOM_WM_PROTOCOLS],
		.data.data32 = { server->atoms[ATOM__NET_WM_PING], stamp, window },
	};
	listen(server, true);
	xcb_send_event(server->c, false, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&ping);
	xcb_flush(server->c);
	struct deadline until = deadline_within(server->deadline, ms);
	bool answered = false;
	while (!answered && xcb_connection_has_error(server->c) == 0) {
		xcb_generic_event_t *event = xcb_poll_for_event(server->c);
		if (event != NULL) {
			answered = is_answer(server, event, window, stamp);
			free(event);
		} else if (!deadline_poll(until, xcb_get_file_descriptor(server->c), POLLIN, "the application", NULL)) {
			break;
		}
	}
	listen(server, false);
	return answered;
}
