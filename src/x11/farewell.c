/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/farewell.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/freeze.h"
#include "x11/ping.h"
#include "x11/property.h"

/* As long as the user's devices may stand still: several pictures of a screen, in which most answer many times. */
#define STILL_MS 60
/* Between two tries. */
#define AGAIN_MS 150
#define MOST_WINDOWS 1024

/* What all keyboards do is told to us, also while they stand still. */
static void listen(struct x11_server *server, bool on)
{
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { XCB_INPUT_DEVICE_ALL_MASTER, 1 },
		on ? XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE : 0 };
	xcb_input_xi_select_events(server->c, server->root, 1, &wanted.head);
}

/* Whether a keyboard that does not stand still was used: another agent's. */
static void note_key(const xcb_generic_event_t *event, void *data)
{
	const xcb_input_raw_key_press_event_t *key = (const void *)event;
	bool *typed = data;
	*typed = *typed || ((event->response_type & 0x7f) == XCB_GE_GENERIC
		&& (key->event_type == XCB_INPUT_RAW_KEY_PRESS || key->event_type == XCB_INPUT_RAW_KEY_RELEASE)
		&& key->deviceid != DEVICE_CORE_KEYBOARD);
}

/* All windows that a window manager knows have read what came so far. */
static bool all_have_read(struct x11_server *server, bool *typed)
{
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_CLIENT_LIST], MOST_WINDOWS));
	gsize count;
	const uint32_t *windows = x11_property_words(reply, &count);
	bool read = ping_all(server, windows, count, STILL_MS, note_key, typed);
	free(reply);
	return read;
}

/* The server is grabbed: who waits for a place hears of the pair, and looks, when both are gone. */
static void remove_now(struct x11_server *server, const char *name)
{
	g_autoptr(GArray) masters = masters_list(server);
	struct master master;
	if (masters_find(masters, name, &master)) {
		master_remove(server, &master);
		master_own(server, master.place, XCB_WINDOW_NONE);
	}
}

/* Between freeze and thaw. False if it would not be safe. */
static bool leave(struct x11_server *server, const char *name)
{
	bool typed = false;
	listen(server, true);
	if (!all_have_read(server, &typed) || typed) {
		listen(server, false);
		return false;
	}
	xcb_grab_server(server->c);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_event(server->c)) != NULL) {
		note_key(event, &typed);
		free(event);
	}
	if (!typed) {
		remove_now(server, name);
	}
	xcb_ungrab_server(server->c);
	listen(server, false);
	return !typed;
}

void farewell(struct x11_server *server, const char *name, struct deadline patience, struct guardian *guardian,
	int connection)
{
	bool gone = false;
	while (!gone && deadline_left(patience) > 0 && !x11_failed(server)) {
		if (guardian != NULL) {
			guardian_grabbing(guardian, connection, true);
		}
		struct screen_px place;
		bool still = freeze_user(server, &place, true);
		gone = still && leave(server, name);
		if (still) {
			xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, DEVICE_CORE_POINTER);
			free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
		}
		if (guardian != NULL) {
			guardian_grabbing(guardian, connection, false);
		}
		if (!gone) {
			deadline_poll_all(deadline_within(patience, AGAIN_MS), NULL, 0, "a quiet moment", NULL);
		}
	}
	if (!gone && !x11_failed(server)) {
		xcb_grab_server(server->c);
		remove_now(server, name);
		xcb_ungrab_server(server->c);
		free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	}
}
