/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/ping.h"

#include <stdlib.h>
#include <unistd.h>

#include "x11/property.h"

enum { MOST_PROTOCOLS = 64 };

static unsigned ask_protocols(struct x11_server *server, xcb_window_t window)
{
	return x11_property_ask(server, window, server->atoms[ATOM_WM_PROTOCOLS], MOST_PROTOCOLS);
}

static bool has_ping(struct x11_server *server, unsigned asked)
{
	xcb_get_property_reply_t *reply = x11_reply(server, asked);
	gsize count;
	const uint32_t *protocols = x11_property_words(reply, &count);
	bool found = false;
	for (gsize i = 0; i < count && !found; i++) {
		found = protocols[i] == server->atoms[ATOM__NET_WM_PING];
	}
	free(reply);
	return found;
}

bool ping_answers(struct x11_server *server, xcb_window_t window)
{
	return has_ping(server, ask_protocols(server, window));
}

/*
 * The application sends it back to the root window, where window managers hear it: as the standard says, or, Qt 5,
 * to those who listen to the root itself.
 */
void ping_hear(struct x11_server *server, bool on)
{
	const uint32_t mask = on ? XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_STRUCTURE_NOTIFY : 0;
	server->hearers += on ? 1 : -1;
	if (server->hearers == (on ? 1 : 0)) {
		xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
	}
}

/* Sends it to a window that answers. Returns the stamp of the answer. */
static uint32_t send(struct x11_server *server, xcb_window_t window)
{
	/* No window manager's own, which are times of the server, and no other driver's or guardian's. */
	static gint stamps;
	uint32_t stamp = 0xc0000000u | ((uint32_t)getpid() & 0x3fffu) << 16
		| ((uint32_t)g_atomic_int_add(&stamps, 1) & 0xffffu);
	const xcb_client_message_event_t ping = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window,
		.type = server->atoms[ATOM_WM_PROTOCOLS],
		.data.data32 = { server->atoms[ATOM__NET_WM_PING], stamp, window },
	};
	xcb_send_event(server->c, false, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&ping);
	return stamp;
}

/* The stamp that the event answers; 0: it is no answer. */
static uint32_t answered(struct x11_server *server, const xcb_generic_event_t *event)
{
	const xcb_client_message_event_t *message = (const void *)event;
	bool is = (event->response_type & 0x7f) == XCB_CLIENT_MESSAGE
		&& message->type == server->atoms[ATOM_WM_PROTOCOLS]
		&& message->data.data32[0] == server->atoms[ATOM__NET_WM_PING];
	return is ? message->data.data32[1] : 0;
}

/* Waits until each of them was answered; takes those away that were. */
static bool wait_for(struct x11_server *server, GArray *stamps, int ms, ping_other *other, void *data)
{
	struct deadline until = deadline_within(server->deadline, ms);
	xcb_flush(server->c);
	while (stamps->len > 0 && xcb_connection_has_error(server->c) == 0) {
		xcb_generic_event_t *event = xcb_poll_for_event(server->c);
		if (event == NULL) {
			if (!deadline_poll(until, xcb_get_file_descriptor(server->c), POLLIN, "the application", NULL)) {
				break;
			}
			continue;
		}
		uint32_t stamp = answered(server, event);
		if (stamp == 0 && other != NULL) {
			other(event, data);
		}
		for (guint i = stamps->len; i-- > 0;) {
			if (g_array_index(stamps, uint32_t, i) == stamp) {
				g_array_remove_index_fast(stamps, i);
			}
		}
		free(event);
	}
	return stamps->len == 0;
}

bool ping_wait(struct x11_server *server, xcb_window_t window, int ms)
{
	return ping_answers(server, window) && ping_all(server, &window, 1, ms, NULL, NULL);
}

bool ping_all(struct x11_server *server, const xcb_window_t *windows, gsize count, int ms,
	ping_other *other, void *data)
{
	g_autoptr(GArray) stamps = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree unsigned *asked = g_new(unsigned, MAX(count, 1));
	for (gsize i = 0; i < count; i++) {
		asked[i] = ask_protocols(server, windows[i]);
	}
	ping_hear(server, true);
	for (gsize i = 0; i < count; i++) {
		if (has_ping(server, asked[i])) {
			uint32_t stamp = send(server, windows[i]);
			g_array_append_val(stamps, stamp);
		}
	}
	bool all = wait_for(server, stamps, ms, other, data);
	ping_hear(server, false);
	return all;
}
