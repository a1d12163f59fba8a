/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/standing.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/arrange.h"
#include "x11/desk.h"
#include "x11/pulse.h"
#include "x11/tops.h"

/* For a window manager that is busy to come to what it is asked, and then to activate the window. */
#define BUSY_MS 6000
#define ACTIVATE_MS 3000

/* A window manager that let a request go by is asked again, and the keyboard taken as well. */
#define AGAIN_US (300 * G_TIME_SPAN_MILLISECOND)
/* One that made the window active and did not give it the keyboard within this time will not. */
#define FOCUS_US (80 * G_TIME_SPAN_MILLISECOND)
/* Nothing said that something happened: look all the same. */
#define LOOK_MS 40
/* For a window manager to give back what it was asked for. */
#define RESTORE_MS 3000
/* How often the order of the windows is asked for. */
#define RESTACKS 4
#define RESTACK_MS 500

/* The focus as the server has it: also "none" and "what is under the pointer". */
static xcb_window_t raw_focus(struct x11_server *server)
{
	xcb_input_xi_get_focus_reply_t *reply = x11_reply(server,
		xcb_input_xi_get_focus(server->c, DEVICE_CORE_KEYBOARD).sequence);
	xcb_window_t focus = reply != NULL ? reply->focus : XCB_WINDOW_NONE;
	free(reply);
	return focus;
}

static const GArray *order_of(const struct x11_desk *desk)
{
	return desk->managed ? desk->clients : desk->children;
}

void standing_save(struct x11_server *server, xcb_window_t target, struct undo_standing *standing)
{
	struct x11_desk desk = { 0 };
	x11_desk_read(server, X11_DESK_USER, &desk);
	const GArray *order = order_of(&desk);
	*standing = (struct undo_standing){
		.target = target, .active = desk.active, .focus = raw_focus(server), .managed = desk.managed,
		.x = (gint16)desk.pointer.x, .y = (gint16)desk.pointer.y,
		.count = MIN(order->len, UNDO_WINDOWS),
	};
	/* If there are more, those in front count. */
	for (guint i = 0; i < standing->count; i++) {
		standing->windows[i] = g_array_index(order, xcb_window_t, order->len - standing->count + i);
	}
	x11_desk_clear(&desk);
}

static int index_in(const GArray *order, xcb_window_t window)
{
	for (guint i = 0; i < order->len; i++) {
		if (g_array_index(order, xcb_window_t, i) == window) {
			return (int)i;
		}
	}
	return -1;
}

/*
 * The windows of the standing that are still there, and how many of them, from the back, have to be put behind all
 * others, the last of them first, so that the order is what it was.
 */
static int misplaced(const struct undo_standing *standing, const GArray *order, GArray *windows)
{
	for (guint i = 0; i < standing->count; i++) {
		if (index_in(order, standing->windows[i]) >= 0) {
			g_array_append_val(windows, standing->windows[i]);
		}
	}
	int right = (int)windows->len;
	int next = G_MAXINT;
	while (right > 0) {
		int at = index_in(order, g_array_index(windows, xcb_window_t, right - 1));
		if (at > next) {
			break;
		}
		next = at;
		right--;
	}
	return right;
}

unsigned standing_compare(struct x11_server *server, const struct undo_standing *standing)
{
	struct x11_desk desk = { 0 };
	x11_desk_read(server, X11_DESK_USER, &desk);
	xcb_window_t focus = raw_focus(server);
	g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
	unsigned differs = (desk.active != standing->active ? DISTURBED_ACTIVE_WINDOW : 0)
		| (focus != standing->focus ? DISTURBED_FOCUS : 0)
		| (desk.pointer.x != standing->x || desk.pointer.y != standing->y ? DISTURBED_POINTER : 0)
		| (misplaced(standing, order_of(&desk), windows) > 0 ? DISTURBED_STACKING : 0);
	x11_desk_clear(&desk);
	return differs;
}

/* Waits until the root window says something new, or for a moment. False if `until` is over, or the call was cancelled. */
static bool wait_for_news(struct x11_server *server, struct deadline until)
{
	struct deadline moment = deadline_within(until, LOOK_MS);
	xcb_flush(server->c);
	xcb_generic_event_t *event = xcb_poll_for_event(server->c);
	if (event == NULL && deadline_poll(moment, xcb_get_file_descriptor(server->c), POLLIN, "the window manager",
		NULL)) {
		event = xcb_poll_for_event(server->c);
	}
	/* One look takes in whatever happened so far. */
	while (event != NULL) {
		free(event);
		event = xcb_poll_for_queued_event(server->c);
	}
	return !deadline_over(until, "the window manager", NULL) && !x11_failed(server);
}

static void listen(struct x11_server *server, bool on)
{
	const uint32_t mask = on ? XCB_EVENT_MASK_PROPERTY_CHANGE : 0;
	xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
}

static bool of_same_client(const struct x11_server *server, xcb_window_t a, xcb_window_t b)
{
	return ((a ^ b) & ~server->id_mask) == 0;
}

static bool focus_is_in(struct x11_server *server, xcb_window_t focus, xcb_window_t window)
{
	if (focus <= XCB_INPUT_FOCUS_POINTER_ROOT || focus == server->root) {
		return false;
	}
	/* Toolkits have it in a window of their own, beside or inside; plugs are another's inside. */
	return of_same_client(server, focus, window) || x11_top_of(server, focus) == x11_top_of(server, window);
}

static bool is_at(struct x11_server *server, xcb_window_t window, bool managed, xcb_window_t *active)
{
	*active = x11_active_window(server);
	xcb_window_t focus = raw_focus(server);
	return (!managed || *active == window) && focus_is_in(server, focus, window);
}

bool standing_is_at(struct x11_server *server, xcb_window_t window)
{
	xcb_window_t focus = raw_focus(server);
	return focus_is_in(server, focus, window);
}

bool standing_leave(struct x11_server *server, xcb_window_t window, struct deadline deadline,
	xcb_window_t *instead)
{
	bool managed = x11_is_managed(server);
	bool there = is_at(server, window, managed, instead);
	if (there) {
		return true;
	}
	gint64 asked = g_get_monotonic_time();
	listen(server, true);
	x11_ask_active(server, window, managed, false);
	if (managed) {
		x11_pulse_begin(server);
	}
	bool busy = managed, goes_on = true;
	struct deadline until = deadline_within(deadline, busy ? BUSY_MS : ACTIVATE_MS);
	while (!there && goes_on) {
		goes_on = wait_for_news(server, until);
		there = is_at(server, window, managed, instead);
		if (!there && busy && (!goes_on || x11_pulse_beats(server))) {
			/* It has come to it, or never says so. */
			busy = false;
			goes_on = !x11_failed(server);
			asked = g_get_monotonic_time();
			until = deadline_within(deadline, ACTIVATE_MS);
		}
		/* Some only raise it. */
		if (!there && !busy && g_get_monotonic_time() > asked + (*instead == window ? FOCUS_US : AGAIN_US)) {
			asked = g_get_monotonic_time();
			x11_ask_active(server, window, managed, true);
		}
	}
	if (managed) {
		x11_pulse_end(server);
	}
	listen(server, false);
	return there;
}

bool standing_comes(struct x11_server *server, xcb_window_t top, struct deadline deadline)
{
	bool there = false, goes_on = true;
	listen(server, true);
	while (!there && goes_on) {
		xcb_window_t focus = raw_focus(server);
		there = focus > XCB_INPUT_FOCUS_POINTER_ROOT && x11_top_of(server, focus) == top;
		goes_on = there || wait_for_news(server, deadline);
	}
	listen(server, false);
	return there;
}

/* Whether the user is there because of us: in the window of the action, in nothing, or in what is new. */
static bool is_our_doing(const struct x11_server *server, const struct undo_standing *standing,
	xcb_window_t active)
{
	if (active == XCB_WINDOW_NONE || active == standing->active
		|| of_same_client(server, active, standing->target)) {
		return true;
	}
	for (guint i = 0; i < standing->count; i++) {
		if (standing->windows[i] == active) {
			return false;
		}
	}
	return true;
}

static void ask_back(struct x11_server *server, const struct undo_standing *standing)
{
	if (standing->active != XCB_WINDOW_NONE) {
		x11_ask_active(server, standing->active, standing->managed, false);
	}
	/* At once, and after the window manager: what the user types belongs there. */
	xcb_set_input_focus(server->c, XCB_INPUT_FOCUS_PARENT, standing->focus, XCB_CURRENT_TIME);
}

static void restore_active(struct x11_server *server, const struct undo_standing *standing,
	struct deadline until)
{
	gint64 again = 0;
	bool back = false;
	while (!back) {
		xcb_window_t active = x11_active_window(server), focus = raw_focus(server);
		back = focus == standing->focus && (!standing->managed || active == standing->active);
		if (!back && g_get_monotonic_time() > again) {
			again = g_get_monotonic_time() + AGAIN_US;
			ask_back(server, standing);
		}
		if (!back && !wait_for_news(server, until)) {
			break;
		}
	}
}

/* Sends that those which lie too high are put behind all others; false if nothing is to be done. */
static bool lower(struct x11_server *server, const struct undo_standing *standing)
{
	struct x11_desk desk = { 0 };
	g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
	x11_desk_read(server, X11_DESK_USER, &desk);
	int wrong = misplaced(standing, order_of(&desk), windows);
	for (int i = wrong; i-- > 0;) {
		x11_ask_behind(server, g_array_index(windows, xcb_window_t, i), desk.managed);
	}
	x11_desk_clear(&desk);
	return wrong > 0;
}

static void restore_order(struct x11_server *server, const struct undo_standing *standing, struct deadline until)
{
	for (int i = 0; i < RESTACKS && lower(server, standing); i++) {
		struct deadline soon = deadline_within(until, RESTACK_MS);
		bool goes_on = true;
		while (goes_on && (standing_compare(server, standing) & DISTURBED_STACKING) != 0) {
			goes_on = wait_for_news(server, soon);
		}
	}
}

unsigned standing_restore(struct x11_server *server, const struct undo_standing *standing)
{
	struct deadline until = deadline_within(server->deadline, RESTORE_MS);
	struct screen_px pointer;
	unsigned forgiven = 0;
	/* A hand that moved it since has it. */
	if (x11_pointer_collect(server, x11_pointer_ask(server), &pointer) && standing->moved) {
		if (pointer.x == standing->hand_x && pointer.y == standing->hand_y) {
			xcb_warp_pointer(server->c, XCB_WINDOW_NONE, server->root, 0, 0, 0, 0, standing->x, standing->y);
		} else {
			forgiven |= DISTURBED_POINTER;
		}
	}
	if (!is_our_doing(server, standing, x11_active_window(server))) {
		/* The user has turned to another window: that is where the user is now. */
		return standing_compare(server, standing) & ~(forgiven | DISTURBED_FOCUS | DISTURBED_ACTIVE_WINDOW
			| DISTURBED_STACKING);
	}
	listen(server, true);
	/* Each may undo the other: a window manager raises what it activates and lets go of what is lowered. */
	unsigned differs;
	do {
		restore_active(server, standing, until);
		restore_order(server, standing, until);
		differs = standing_compare(server, standing) & ~forgiven;
	} while ((differs & ~(unsigned)DISTURBED_POINTER) != 0 && wait_for_news(server, until));
	listen(server, false);
	return differs;
}
