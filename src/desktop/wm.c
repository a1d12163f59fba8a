/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "cli.h"
#include "desktop/child.h"
#include "desktop/trial.h"
#include "desktop/wm.h"

#define START_LIMIT (15 * G_USEC_PER_SEC)
#define TRIAL_LIMIT (3 * G_USEC_PER_SEC)

/* A window manager we know how to start, in the order of preference. */
struct wm_impl {
	const char *name;
	const char *package;      /* Debian's, for apt-get install */
	const char *arguments[6]; /* after the name */
};

static const struct wm_impl managers[] = {
	{ "openbox", "openbox", { "--sm-disable" } },
	{ "xfwm4", "xfwm4", { "--sm-client-disable" } },
	{ "metacity", "metacity", { "--sm-disable" } },
	/* it dies without a schema its package does not depend on */
	{ "marco", "marco mate-settings-daemon-common", { "--sm-disable" } },
	{ "mutter", "mutter", { "--x11", "--sm-disable" } },
	{ "kwin_x11", "kwin-x11", { "--no-kactivities" } },
	/* without a configuration of the user it would start its wizard */
	{ "i3", "i3-wm", { "-a", "-c", "/dev/null" } },
	{ "fluxbox", "fluxbox", { "-no-slit", "-no-toolbar" } },
	{ "icewm", "icewm", { NULL } },
};

static const struct wm_impl *find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(managers); i++) {
		if (strcmp(managers[i].name, name) == 0) {
			return &managers[i];
		}
	}
	return NULL;
}

char *wm_names(void)
{
	GString *names = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(managers); i++) {
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", managers[i].name);
	}
	return g_string_free(names, FALSE);
}

bool wm_choose(struct desk *desk, GError **error)
{
	const char *name = desk->options.wm;

	if (name != NULL && strcmp(name, "none") == 0) {
		return true;
	}
	if (name == NULL) {
		for (size_t i = 0; i < G_N_ELEMENTS(managers) && desk->wm_program == NULL; i++) {
			desk->wm_impl = &managers[i];
			desk->wm_program = g_find_program_in_path(managers[i].name);
		}
		return true;
	}
	desk->wm_impl = find(name);
	desk->wm_program = g_find_program_in_path(name);
	if (desk->wm_program == NULL && desk->wm_impl != NULL) {
		g_set_error(error, DESK_ERROR, EXIT_UNAVAILABLE,
		            "the window manager %s is not installed: apt-get install %s", name,
		            desk->wm_impl->package);
	} else if (desk->wm_program == NULL) {
		g_set_error(error, DESK_ERROR, EXIT_UNAVAILABLE,
		            "the window manager %s is not installed, and no package of it is known",
		            name);
	}
	return desk->wm_program != NULL;
}

bool wm_start(struct desk *desk, GError **error)
{
	const char *argv[G_N_ELEMENTS(managers[0].arguments) + 2] = { desk->wm_program };

	if (desk->wm_program == NULL) {
		return true;
	}
	for (size_t i = 0; desk->wm_impl != NULL && i < G_N_ELEMENTS(managers[0].arguments); i++) {
		argv[i + 1] = desk->wm_impl->arguments[i];
	}
	/* Before it runs, so that no change of the property is missed. */
	xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(desk->display)).data->root;
	uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	xcb_change_window_attributes(desk->display, root, XCB_CW_EVENT_MASK, &mask);
	xcb_flush(desk->display);

	pid_t pid = child_start(desk, "wm", argv, -1, error);
	desk->wm = MAX(pid, 0);
	return pid > 0;
}

/* The window a property names, or 0. */
static xcb_window_t read_window(xcb_connection_t *display, xcb_window_t window, xcb_atom_t atom)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(display,
		xcb_get_property(display, 0, window, atom, XCB_ATOM_WINDOW, 0, 1), NULL);
	xcb_window_t found = 0;

	if (reply != NULL && xcb_get_property_value_length(reply) == (int)sizeof found) {
		memcpy(&found, xcb_get_property_value(reply), sizeof found);
	}
	free(reply);
	return found;
}

/* As EWMH asks: the window the root names must name itself, else the property is stale. */
static bool is_managed(xcb_connection_t *display, xcb_window_t root, xcb_atom_t check)
{
	xcb_window_t window = read_window(display, root, check);

	return window != 0 && read_window(display, window, check) == window;
}

static bool drain(xcb_connection_t *display, xcb_generic_event_t *(*next)(xcb_connection_t *))
{
	xcb_generic_event_t *event;
	bool any = false;

	while ((event = next(display)) != NULL) {
		free(event);
		any = true;
	}
	return any;
}

bool wm_await(struct desk *desk, GError **error)
{
	static const char name[] = "_NET_SUPPORTING_WM_CHECK";
	xcb_connection_t *display = desk->display;
	int64_t deadline = g_get_monotonic_time() + START_LIMIT;
	xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(display)).data->root;

	if (desk->wm == 0) {
		return true;
	}
	xcb_intern_atom_reply_t *atom = xcb_intern_atom_reply(display,
		xcb_intern_atom(display, 0, strlen(name), name), NULL);
	xcb_atom_t check = atom != NULL ? atom->atom : XCB_ATOM_NONE;
	free(atom);

	while (!is_managed(display, root, check)) {
		int status = -1;

		if (watch_ended(&desk->watch, desk->wm, &status) && status != 0) {
			child_set_error(desk, error, "wm", status, "the window manager %s did not start",
			                desk->wm_program);
			return false;
		}
		/* The replies above may have brought events along, which poll() would not see. */
		if (drain(display, xcb_poll_for_queued_event)) {
			continue;
		}
		enum wake wake = watch_wait(&desk->watch, xcb_get_file_descriptor(display), POLLIN,
		                            deadline);
		if (wake == WAKE_TIMEOUT || wake == WAKE_STOP ||
		    xcb_connection_has_error(display) != 0) {
			child_set_error(desk, error, "wm", status,
			                "the window manager %s does not say it is there (no %s on the "
			                "root window)", desk->wm_program, name);
			return false;
		}
		drain(display, xcb_poll_for_event);
	}
	trial_run(desk, MIN(deadline, g_get_monotonic_time() + TRIAL_LIMIT));
	desk_say(desk, "%s manages the display", desk->wm_program);
	return true;
}
