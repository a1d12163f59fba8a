/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/xim.h"

#include <stdlib.h>

#include "x11/property.h"

enum { MOST_SERVERS = 4 };

/* Each owns a selection, and must tell whoever asks there how it can be reached. */
static int find_servers(struct x11_server *server, xcb_atom_t *selections)
{
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM_XIM_SERVERS], MOST_SERVERS));
	gsize count;
	const uint32_t *atoms = x11_property_words(reply, &count);
	int found = 0;
	for (gsize i = 0; i < count && found < MOST_SERVERS; i++) {
		xcb_get_selection_owner_reply_t *owner = x11_reply(server,
			xcb_get_selection_owner(server->c, atoms[i]).sequence);
		if (owner != NULL && owner->owner != XCB_WINDOW_NONE) {
			selections[found++] = atoms[i];
		}
		free(owner);
	}
	free(reply);
	return found;
}

bool xim_exists(struct x11_server *server)
{
	xcb_atom_t selections[MOST_SERVERS];
	return find_servers(server, selections) > 0;
}

bool xim_wait(struct x11_server *server, struct deadline until)
{
	xcb_atom_t selections[MOST_SERVERS], transport = server->atoms[ATOM_TRANSPORT];
	int left = find_servers(server, selections);
	if (left == 0) {
		return false;
	}
	xcb_create_window(server->c, 0, server->clock, server->root, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
		XCB_COPY_FROM_PARENT, 0, NULL);
	for (int i = 0; i < left; i++) {
		xcb_convert_selection(server->c, server->clock, selections[i], transport, transport, XCB_CURRENT_TIME);
	}
	xcb_flush(server->c);
	while (left > 0 && xcb_connection_has_error(server->c) == 0) {
		xcb_generic_event_t *event = xcb_poll_for_event(server->c);
		const xcb_selection_notify_event_t *told = (const void *)event;
		if (event == NULL) {
			if (!deadline_poll(until, xcb_get_file_descriptor(server->c), POLLIN, "an input method", NULL)) {
				break;
			}
			continue;
		}
		left -= (event->response_type & 0x7f) == XCB_SELECTION_NOTIFY && told->requestor == server->clock;
		free(event);
	}
	xcb_destroy_window(server->c, server->clock);
	return left == 0;
}
