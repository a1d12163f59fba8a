/* SPDX-License-Identifier: MIT */
/*
 * A popup that an action opened and that took the user's keyboard is closed: until then everything the
 * user types is swallowed. Escape goes to whoever holds the keyboard, so it must be certain that
 * somebody still does: nobody can let go of it while the server is ours.
 */
#include "config.h"

#include <stdlib.h>
#include <xcb/xtest.h>

#include "x11/sentry.h"

#define KEYSYM_ESCAPE 0xff1b
/*
 * A popup that is still there after this gets another one: the first may have come before it was ready
 * for keys. Each time it is given longer; a slow application is not flooded.
 */
#define AGAIN_US (30 * G_TIME_SPAN_MILLISECOND)
#define MOST_ESCAPES 12
/* The server is nobody else's meanwhile. */
#define GRAB_MS 200

void x11_dismiss_learn(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	const xcb_setup_t *setup = xcb_get_setup(server->c);
	uint8_t count = (uint8_t)(setup->max_keycode - setup->min_keycode + 1);
	xcb_get_keyboard_mapping_reply_t *reply = x11_reply(server,
		xcb_get_keyboard_mapping(server->c, setup->min_keycode, count).sequence);
	if (reply == NULL) {
		return;
	}
	const xcb_keysym_t *symbols = xcb_get_keyboard_mapping_keysyms(reply);
	int each = reply->keysyms_per_keycode;
	for (int i = 0; i < count * each; i += each) {
		if (symbols[i] == KEYSYM_ESCAPE) {
			sentry->escape = (xcb_keycode_t)(setup->min_keycode + i / each);
			break;
		}
	}
	free(reply);
}

/* Whether the popup is a charge's and nobody else's, who may have opened one of the user's. */
static bool is_charged(const struct x11_sentry *sentry)
{
	gint64 now = g_get_monotonic_time();
	for (guint i = 0; i < sentry->charges->len; i++) {
		const struct x11_charge *charge = &g_array_index(sentry->charges, struct x11_charge, i);
		if (charge->allow_grab && charge->until > now) {
			return false;
		}
	}
	return sentry->charges->len > 0 && sentry->popup != 0 && !sentry->own
		&& sentry->foreign_popup < sentry->armed;
}

static gint64 next_escape(const struct x11_sentry *sentry)
{
	return sentry->escaped + AGAIN_US * MIN(sentry->escapes, 10);
}

/* Takes in what has come, but only as far as it says who has the keyboard. */
static void take_grabs(struct x11_sentry *sentry)
{
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_queued_event(sentry->server->c)) != NULL) {
		const xcb_focus_in_event_t *focus = (const void *)event;
		unsigned type = event->response_type & 0x7f;
		if (type == XCB_FOCUS_IN && focus->event == sentry->focus
			&& focus->mode == XCB_NOTIFY_MODE_UNGRAB) {
			sentry->grabbed = false;
		}
		g_queue_push_tail(&sentry->waiting, event);
	}
}

void x11_dismiss_look(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	gint64 now = g_get_monotonic_time();
	if (!sentry->grabbed || sentry->escape == 0 || !server->has_xtest || !is_charged(sentry)
		|| now < next_escape(sentry) || sentry->escapes >= MOST_ESCAPES) {
		return;
	}
	server->deadline = deadline_in(GRAB_MS, NULL);
	xcb_grab_server(server->c);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	take_grabs(sentry);
	if (sentry->grabbed && !x11_failed(server)) {
		xcb_test_fake_input(server->c, XCB_KEY_PRESS, sentry->escape, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
		xcb_test_fake_input(server->c, XCB_KEY_RELEASE, sentry->escape, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
		sentry->escaped = now;
		if (sentry->escapes++ == 0) {
			sentry->dismissed++;
			/* Whose popup it is nobody says, if several have been acted on. */
			pid_t pid = sentry->charges->len == 1
				? g_array_index(sentry->charges, struct x11_charge, 0).pid
				: 0;
			x11_sentry_note_taken(sentry, "keyboard", pid, pid);
		}
	}
	xcb_ungrab_server(server->c);
	xcb_flush(server->c);
}

gint64 x11_dismiss_next(const struct x11_sentry *sentry)
{
	return sentry->grabbed && sentry->escaped != 0 && sentry->escapes < MOST_ESCAPES
		&& is_charged(sentry) ? next_escape(sentry) : G_MAXINT64;
}
