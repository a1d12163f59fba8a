/* SPDX-License-Identifier: MIT */
/*
 * An application that activates itself in answer to a background action is put back: the user's
 * window gets focus and activation again. What the user chose is never undone.
 */
#include "config.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/arrange.h"
#include "x11/blame.h"
#include "x11/desk.h"
#include "x11/property.h"
#include "x11/tops.h"

/* A window manager that insists is not fought for ever. */
#define MOST_FIGHTS 12
/* Nor one that puts a window on top again and again. */
#define MOST_LOWERED 10
#define MOST_WINDOWS 4096
/* One that let a request go by is asked again. */
#define AGAIN_US (60 * G_TIME_SPAN_MILLISECOND)
/*
 * Several requests at once come to the window manager, and to toolkits that take the focus
 * themselves, as old ones: they go on answering each other. Keys wait meanwhile (hold.h).
 */
#define SOON_US (12 * G_TIME_SPAN_MILLISECOND)

/* Whether the press was somewhere else than in the user's window. */
static bool is_elsewhere(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	xcb_input_xi_query_pointer_cookie_t asked = xcb_input_xi_query_pointer(
		server->c, server->root, DEVICE_CORE_POINTER);
	xcb_window_t home = x11_top_of(server, sentry->home);
	xcb_input_xi_query_pointer_reply_t *reply = x11_reply(server, asked.sequence);
	bool elsewhere = reply != NULL && reply->child != home;
	free(reply);
	return elsewhere;
}

void x11_guard_input(struct x11_sentry *sentry, unsigned type, unsigned code)
{
	x11_choice_note(&sentry->choice, type, code);
	if (type == XCB_INPUT_RAW_BUTTON_PRESS && sentry->home != XCB_WINDOW_NONE
		&& is_elsewhere(sentry)) {
		sentry->elsewhere = sentry->choice.selected;
	}
}

void x11_guard_asked(struct x11_sentry *sentry, const xcb_client_message_event_t *event)
{
	enum { SOURCE_PAGER = 2 };
	if (event->type == sentry->server->atoms[ATOM__NET_ACTIVE_WINDOW] && event->format == 32
		&& event->data.data32[0] == SOURCE_PAGER) {
		sentry->paged = event->window;
		sentry->paged_at = g_get_monotonic_time();
	}
}

/* As a pager asks it, and the keyboard at once: what the user types meanwhile belongs there. */
static void give_back(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	const xcb_client_message_event_t message = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = sentry->home,
		.type = server->atoms[ATOM__NET_ACTIVE_WINDOW], .data.data32 = { 2, XCB_CURRENT_TIME, 0 },
	};
	if (sentry->home_focus != XCB_WINDOW_NONE) {
		xcb_set_input_focus(server->c, XCB_INPUT_FOCUS_POINTER_ROOT, sentry->home_focus,
			XCB_CURRENT_TIME);
	}
	if (sentry->home != XCB_WINDOW_NONE) {
		xcb_send_event(server->c, false, server->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
			| XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&message);
	}
	xcb_flush(server->c);
}

gint64 x11_guard_next(const struct x11_sentry *sentry)
{
	return sentry->given != 0 ? sentry->given + (sentry->taken_again ? SOON_US : AGAIN_US)
				  : G_MAXINT64;
}

/* The user is where an application put the user; or, with no charge, where the user wants to be. */
static void judge(struct x11_sentry *sentry, bool moved)
{
	const struct x11_culprit thief = x11_blame(sentry);
	if (thief.charge != NULL && moved) {
		sentry->steals++;
		x11_sentry_note_taken(sentry, "focus", thief.pid, thief.charge->pid);
	}
	if (thief.charge != NULL && g_get_monotonic_time() - sentry->gave < SOON_US) {
		sentry->given = sentry->gave;
		sentry->taken_again = true;
		return;
	}
	sentry->given = 0;
	sentry->taken_again = false;
	if (thief.charge != NULL && thief.charge->fights++ < MOST_FIGHTS) {
		give_back(sentry);
		sentry->given = sentry->gave = g_get_monotonic_time();
		return;
	}
	sentry->home = sentry->active;
	sentry->home_focus = sentry->focus;
	sentry->home_pid = sentry->focus_pid;
	x11_sentry_hold(sentry);
}

static bool any_launching(const struct x11_sentry *sentry)
{
	for (guint i = 0; i < sentry->charges->len; i++) {
		if (g_array_index(sentry->charges, struct x11_charge, i).launching) {
			return true;
		}
	}
	return false;
}

/*
 * The user has the focus. If it was away and nobody could see where, it was taken all the same: a window manager
 * may give it back sooner than anybody can look, when a window that took it is put behind.
 */
static void come_home(struct x11_sentry *sentry)
{
	if (sentry->gone && sentry->given == 0 && sentry->charges->len > 0
		&& !x11_choice_works(sentry->choice.selected)) {
		sentry->steals++;
		x11_sentry_note_taken(sentry, "focus", 0, 0);
	}
	sentry->gone = false;
	sentry->given = 0;
}

void x11_guard_look(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	unsigned ask_active = x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_ACTIVE_WINDOW], 1);
	unsigned ask_focus = x11_focus_ask(server);
	xcb_get_property_reply_t *reply = x11_reply(server, ask_active);
	xcb_window_t active = x11_property_word(reply, XCB_WINDOW_NONE);
	free(reply);
	xcb_window_t focus = x11_focus_collect(server, ask_focus);
	bool moved = active != sentry->active || focus != sentry->focus;
	if (x11_failed(server)) {
		return;
	}
	sentry->active = active;
	sentry->moves++;
	x11_sentry_set_focus(sentry, focus);
	if (active == sentry->home && focus == sentry->home_focus) {
		come_home(sentry);
	} else if (moved && sentry->charges->len > 0 && active == XCB_WINDOW_NONE) {
		/* On the way from one window to another; what comes next tells. */
		sentry->gone = true;
	} else if (moved || sentry->given != 0) {
		sentry->gone = false;
		judge(sentry, moved);
	}
}

void x11_guard_left(struct x11_sentry *sentry)
{
	sentry->gone = true;
	x11_guard_look(sentry);
}

/* The charge of a process that was just started, if the user has not turned to it; else NULL. */
static struct x11_charge *launching(struct x11_sentry *sentry, pid_t owner)
{
	struct x11_charge *charge = x11_sentry_charge(sentry, owner);
	return charge != NULL && charge->launching && x11_sentry_charge(sentry, sentry->home_pid) != charge
		? charge : NULL;
}

/*
 * Before a window of an application that was just started is shown it says, in the application's name, that the
 * user did not ask for it: window managers then leave the focus where it is. Some toolkits say otherwise later.
 */
void x11_guard_created(struct x11_sentry *sentry, const xcb_create_notify_event_t *event)
{
	static const uint32_t never = 0;
	struct x11_server *server = sentry->server;
	if ((sentry->charges->len == 0 && sentry->sires->len == 0) || event->override_redirect
		|| event->parent != server->root) {
		return;
	}
	pid_t owner = x11_sentry_owner(sentry, event->window);
	x11_kin_adopt(sentry, event->window, owner, true);
	if (launching(sentry, owner) != NULL) {
		xcb_change_property(server->c, XCB_PROP_MODE_REPLACE, event->window,
			server->atoms[ATOM__NET_WM_USER_TIME], XCB_ATOM_CARDINAL, 32, 1, &never);
		xcb_flush(server->c);
	}
}

/* Some window managers put on top what does not get the focus; it belongs behind what the user works in. */
static void lower(struct x11_sentry *sentry, xcb_window_t window, struct x11_charge *charge)
{
	static const uint32_t below = XCB_STACK_MODE_BELOW;
	if (charge != NULL && charge->lowered++ < MOST_LOWERED) {
		xcb_configure_window(sentry->server->c, window, XCB_CONFIG_WINDOW_STACK_MODE, &below);
		xcb_flush(sentry->server->c);
	}
}

void x11_guard_opened(struct x11_sentry *sentry, xcb_window_t window, pid_t owner)
{
	if (sentry->home != XCB_WINDOW_NONE) {
		lower(sentry, window, launching(sentry, owner));
	}
}

/* Whether the window was behind the user's before the action. */
static bool was_behind(const struct x11_sentry *sentry, xcb_window_t window)
{
	bool below = false;
	for (guint i = 0; sentry->order != NULL && i < sentry->order->len; i++) {
		xcb_window_t at = g_array_index(sentry->order, xcb_window_t, i);
		if (at == sentry->home) {
			return below;
		}
		below |= at == window;
	}
	return false;
}

/* One that an application raised, with or without the focus, goes back to where it was: behind what the user works in. */
static void put_behind(struct x11_sentry *sentry, xcb_window_t window, struct x11_charge *charge)
{
	if (charge != NULL && charge->lowered < MOST_LOWERED
		&& !x11_choice_works(sentry->choice.selected)
		&& (charge->pid != sentry->home_pid || x11_blame_sibling(sentry, window))) {
		charge->lowered++;
		sentry->rises++;
		x11_ask_below(sentry->server, window, sentry->home);
		xcb_flush(sentry->server->c);
	}
}

void x11_guard_restacked(struct x11_sentry *sentry)
{
	if (sentry->charges->len == 0 || sentry->home == XCB_WINDOW_NONE) {
		return;
	}
	struct x11_server *server = sentry->server;
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_CLIENT_LIST_STACKING], MOST_WINDOWS));
	gsize count;
	const uint32_t *windows = x11_property_words(reply, &count);
	gsize at = count;
	while (at > 0 && windows[at - 1] != sentry->home) {
		at--;
	}
	/* Only what is above the user's window, if that is in the list at all. */
	for (gsize i = at; at > 0 && i < count; i++) {
		bool behind = was_behind(sentry, windows[i]);
		pid_t owner = behind || any_launching(sentry) ? x11_sentry_owner(sentry, windows[i]) : 0;
		struct x11_charge *charge = launching(sentry, owner);
		if (charge == NULL && behind) {
			put_behind(sentry, windows[i], x11_sentry_charge(sentry, owner));
		} else {
			lower(sentry, windows[i], charge);
		}
	}
	free(reply);
}
