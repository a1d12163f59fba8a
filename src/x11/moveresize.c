/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/moveresize.h"

#include <poll.h>
#include <stdlib.h>

#include "x11/ping.h"
#include "x11/pulse.h"
#include "x11/tops.h"

/* How long a window manager may take to come to a request, and how often that is looked at. */
#define MANAGER_MS 300
#define LOOK_MS 1
/* An application that takes longer to answer is busy. */
#define BUSY_US (4 * G_TIME_SPAN_MILLISECOND)
#define MOST_BUSY 3

enum moveresize moveresize_read(
	const struct x11_server *server, const xcb_generic_event_t *event, xcb_window_t *window)
{
	const xcb_client_message_event_t *message = (const void *)event;
	if ((event->response_type & 0x7f) != XCB_CLIENT_MESSAGE || message->format != 32) {
		return MOVERESIZE_NONE;
	}
	*window = message->window;
	if (message->type == server->atoms[ATOM__GTK_SHOW_WINDOW_MENU]) {
		return MOVERESIZE_MENU;
	}
	bool known = message->type == server->atoms[ATOM__NET_WM_MOVERESIZE]
		&& message->data.data32[2] < MOVERESIZE_CANCEL;
	return known ? (enum moveresize)message->data.data32[2] : MOVERESIZE_NONE;
}

void moveresize_cancel(struct x11_server *server, xcb_window_t window, xcb_window_t frame)
{
	const xcb_client_message_event_t cancel = {
		.response_type = XCB_CLIENT_MESSAGE,
		.format = 32,
		.window = window,
		.type = server->atoms[ATOM__NET_WM_MOVERESIZE],
		.data.data32 = { 0, 0, MOVERESIZE_CANCEL, 0, 1 },
	};
	xcb_send_event(server->c, false, server->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
		| XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&cancel);
	/* xfwm4 reads no requests while it moves a window. The frame is its own; where there is
	 * none it would be the application's. */
	if (frame != XCB_WINDOW_NONE && ((frame ^ window) & ~server->id_mask) != 0) {
		const xcb_button_release_event_t release = {
			.response_type = XCB_BUTTON_RELEASE,
			.detail = 1,
			.root = server->root,
			.event = frame,
			.state = XCB_BUTTON_MASK_1,
			.same_screen = 1,
		};
		xcb_send_event(
			server->c, false, frame, XCB_EVENT_MASK_NO_EVENT, (const char *)&release);
	}
}

static void take(const xcb_generic_event_t *event, void *data)
{
	struct moveresize_watch *watch = data;
	xcb_window_t window = XCB_WINDOW_NONE;
	enum moveresize asked = moveresize_read(watch->server, event, &window);
	if (asked != MOVERESIZE_NONE && watch->asked == MOVERESIZE_NONE
		&& ((window ^ watch->window) & ~watch->server->id_mask) == 0) {
		watch->asked = asked;
		watch->window = window;
	}
}

/* Takes in what comes until then, or until it asks. */
static void listen(struct moveresize_watch *watch, struct deadline until)
{
	xcb_connection_t *c = watch->server->c;
	xcb_flush(c);
	while (watch->asked == MOVERESIZE_NONE && xcb_connection_has_error(c) == 0) {
		xcb_generic_event_t *event = xcb_poll_for_event(c);
		if (event != NULL) {
			take(event, watch);
			free(event);
		} else if (!deadline_poll(until, xcb_get_file_descriptor(c), POLLIN,
				   "the application", NULL)) {
			break;
		}
	}
}

void moveresize_begin(
	struct moveresize_watch *watch, struct x11_server *server, xcb_window_t window)
{
	*watch = (struct moveresize_watch){
		.server = server, .window = window, .asked = MOVERESIZE_NONE
	};
	ping_hear(server, true);
}

bool moveresize_wait(struct moveresize_watch *watch, int least_ms, int most_ms)
{
	struct x11_server *server = watch->server;
	struct deadline least = deadline_within(server->deadline, least_ms);
	bool answers = watch->asked == MOVERESIZE_NONE && most_ms > 0
		&& ping_answers(server, watch->window);
	if (answers) {
		ping_all(server, &watch->window, 1, most_ms, take, watch);
	}
	listen(watch, least);
	/* Who was busy meanwhile has not painted: that is waited for again, a few times. */
	for (int i = 0; i < MOST_BUSY && answers && least_ms > 0 && watch->asked == MOVERESIZE_NONE;
		i++) {
		gint64 asked = g_get_monotonic_time();
		ping_all(server, &watch->window, 1, most_ms, take, watch);
		if (g_get_monotonic_time() - asked < BUSY_US) {
			break;
		}
		listen(watch, deadline_within(server->deadline, least_ms));
	}
	return watch->asked != MOVERESIZE_NONE;
}

void moveresize_end(struct moveresize_watch *watch)
{
	struct x11_server *server = watch->server;
	ping_hear(server, false);
	if (watch->asked == MOVERESIZE_NONE) {
		return;
	}
	struct deadline until = deadline_within(server->deadline, MANAGER_MS);
	/* Also after a failure: it is only sent. */
	moveresize_cancel(server, watch->window, x11_top_of(server, watch->window));
	xcb_flush(server->c);
	if (x11_failed(server)) {
		return;
	}
	x11_pulse_begin(server);
	while (!x11_pulse_beats(server) && !x11_failed(server) && deadline_left(until) > 0) {
		/* It tells nobody. */
		deadline_poll_all(
			deadline_within(until, LOOK_MS), NULL, 0, "the window manager", NULL);
	}
	x11_pulse_end(server);
}
