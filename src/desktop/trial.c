/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "desktop/trial.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* How long a window manager that listens takes at most to show a small window. */
#define PATIENCE (60 * 1000)
/* How long the list of windows is waited for. */
#define LISTING (300 * 1000)

static xcb_atom_t atom_of(xcb_connection_t *display, const char *name)
{
	xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(display,
		xcb_intern_atom(display, 0, (uint16_t)strlen(name), name), NULL);
	xcb_atom_t atom = reply != NULL ? reply->atom : XCB_ATOM_NONE;
	free(reply);
	return atom;
}

static xcb_window_t create(xcb_connection_t *display, const xcb_screen_t *screen)
{
	static const char title[] = "cua-driver desktop";
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE, never = 0;
	/* WM_HINTS: flags InputHint, input False; together with user time 0 it takes no focus. */
	const uint32_t hints[9] = { 1, 0 };
	xcb_window_t window = xcb_generate_id(display);

	xcb_create_window(display, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 10, 10, 0,
	                  XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	xcb_change_property(display, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
	                    sizeof title - 1, title);
	xcb_change_property(display, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_HINTS, XCB_ATOM_WM_HINTS,
	                    32, G_N_ELEMENTS(hints), hints);
	xcb_change_property(display, XCB_PROP_MODE_REPLACE, window, atom_of(display, "_NET_WM_USER_TIME"),
	                    XCB_ATOM_CARDINAL, 32, 1, &never);
	return window;
}

/* Takes it off the screen the way ICCCM 4.1.4 asks for. */
static void withdraw(xcb_connection_t *display, xcb_window_t root, xcb_window_t window)
{
	const xcb_unmap_notify_event_t withdrawn = {
		.response_type = XCB_UNMAP_NOTIFY, .event = root, .window = window,
	};
	char event[32] = { 0 };

	memcpy(event, &withdrawn, sizeof withdrawn);
	xcb_unmap_window(display, window);
	xcb_send_event(display, 0, root,
	               XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY, event);
}

/* Until something about the window or the root changed; false when the time is over. */
static bool await(struct desk *desk, int64_t deadline)
{
	xcb_connection_t *display = desk->display;
	xcb_generic_event_t *event;
	bool any = false;

	xcb_flush(display);
	for (;;) {
		while ((event = xcb_poll_for_event(display)) != NULL) {
			free(event);
			any = true;
		}
		if (any) {
			return true;
		}
		enum wake wake = watch_wait(&desk->watch, xcb_get_file_descriptor(display), POLLIN, deadline);
		if (wake == WAKE_TIMEOUT || wake == WAKE_STOP || xcb_connection_has_error(display) != 0) {
			return false;
		}
	}
}

/* The state a window manager writes on every window it manages (ICCCM 4.1.3.1). */
static bool is_managed(xcb_connection_t *display, xcb_window_t window, xcb_atom_t state)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(display,
		xcb_get_property(display, 0, window, state, state, 0, 2), NULL);
	const uint32_t normal = 1;
	bool managed = reply != NULL && xcb_get_property_value_length(reply) >= 4 &&
		memcmp(xcb_get_property_value(reply), &normal, sizeof normal) == 0;

	free(reply);
	return managed;
}

static bool is_listed(xcb_connection_t *display, xcb_window_t root, xcb_atom_t list, xcb_window_t window)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(display,
		xcb_get_property(display, 0, root, list, XCB_ATOM_WINDOW, 0, 1024), NULL);
	bool listed = false;

	if (reply != NULL) {
		const xcb_window_t *windows = xcb_get_property_value(reply);
		int count = xcb_get_property_value_length(reply) / (int)sizeof *windows;
		for (int i = 0; i < count && !listed; i++) {
			listed = windows[i] == window;
		}
	}
	free(reply);
	return listed;
}

static bool is_over(const struct desk *desk, int64_t deadline)
{
	return g_get_monotonic_time() >= deadline || desk->watch.stop_signal != 0 ||
		xcb_connection_has_error(desk->display) != 0;
}

void trial_run(struct desk *desk, int64_t deadline)
{
	xcb_connection_t *display = desk->display;
	const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(display)).data;
	xcb_window_t window = create(display, screen);
	xcb_atom_t list = atom_of(display, "_NET_CLIENT_LIST"), state = atom_of(display, "WM_STATE");
	int64_t patience = g_get_monotonic_time() + PATIENCE;

	xcb_map_window(display, window);
	while (!is_managed(display, window, state) && !is_over(desk, deadline)) {
		if (!await(desk, MIN(deadline, patience))) {
			withdraw(display, screen->root, window);
			xcb_map_window(display, window);
			patience = g_get_monotonic_time() + PATIENCE;
		}
	}
	/* Mutter lists it a moment later. Not every window manager lists anything. */
	int64_t listing = MIN(deadline, g_get_monotonic_time() + LISTING);
	while (!is_listed(display, screen->root, list, window) && !is_over(desk, listing)) {
		await(desk, listing);
	}
	/*
	 * It must be forgotten before it is gone: COMMAND's first window may get the same number, and
	 * mutter then takes it for this one.
	 */
	withdraw(display, screen->root, window);
	while ((is_managed(display, window, state) || is_listed(display, screen->root, list, window)) &&
	       !is_over(desk, deadline)) {
		await(desk, deadline);
	}
	xcb_destroy_window(display, window);
	xcb_flush(display);
}
