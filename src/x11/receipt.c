/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/receipt.h"

#include <stdlib.h>

#include "x11/ping.h"
#include "x11/xim.h"

/* The version of the protocol that every Editres client speaks. */
#define EDITRES_VERSION 5

/* The application asks for the command that the message announced; there is none. */
static bool is_question(struct x11_server *server, const xcb_generic_event_t *event, uint32_t stamp)
{
	const xcb_selection_request_event_t *request = (const void *)event;
	if ((event->response_type & 0x7f) != XCB_SELECTION_REQUEST) {
		return false;
	}
	const xcb_selection_notify_event_t answer = {
		.response_type = XCB_SELECTION_NOTIFY, .time = request->time, .requestor = request->requestor,
		.selection = request->selection, .target = request->target, .property = XCB_ATOM_NONE,
	};
	xcb_send_event(server->c, false, request->requestor, XCB_EVENT_MASK_NO_EVENT, (const char *)&answer);
	/* The time is the one of the message: an earlier one may be asked for again. */
	return request->selection == server->atoms[ATOM__CUA_DRIVER_KEYMAP] && request->time == stamp;
}

/* By Editres; false if it does not answer in time. */
static bool ask(struct x11_server *server, xcb_window_t window, struct deadline until)
{
	static gint stamps;
	/* No atom: programs that look at nothing else would take it for WM_DELETE_WINDOW and end. */
	uint32_t stamp = 0xe0000000u | ((uint32_t)g_atomic_int_add(&stamps, 1) & 0xffffffu);
	const xcb_client_message_event_t message = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window,
		.type = server->atoms[ATOM_Editres],
		.data.data32 = { stamp, server->atoms[ATOM__CUA_DRIVER_KEYMAP], 1, EDITRES_VERSION },
	};
	xcb_send_event(server->c, false, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&message);
	xcb_flush(server->c);
	bool asked = false;
	while (!asked && xcb_connection_has_error(server->c) == 0) {
		xcb_generic_event_t *event = xcb_poll_for_event(server->c);
		if (event != NULL) {
			asked = is_question(server, event, stamp);
			free(event);
		} else if (!deadline_poll(until, xcb_get_file_descriptor(server->c), POLLIN, "the application", NULL)) {
			break;
		}
	}
	xcb_flush(server->c);
	return asked;
}

bool receipt_wait(struct x11_server *server, xcb_window_t window, int keys, int ms)
{
	struct deadline until = deadline_within(server->deadline, ms);
	if (ping_answers(server, window)) {
		return ping_wait(server, window, ms);
	}
	bool asked = ask(server, window, until);
	/* Each time the input method may have handed only one of them back, and got the next. */
	for (int i = 0; i < 2 * keys && asked && xim_wait(server, until); i++) {
		asked = ask(server, window, until);
	}
	return asked;
}
