/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "x11/ahead.h"
#include "x11/describe.h"

/* Whether the program is one that people browse with; others may be made of the same engine. */
static bool is_browser(const struct window *window)
{
	static const char *const names[] = {
		"brave", "chrome", "chromium", "epiphany", "firefox", "google-chrome", "microsoft-edge", "msedge",
		"opera", "vivaldi", NULL,
	};
	if (strcmp(window->toolkit, "chromium") != 0 && strcmp(window->toolkit, "gecko") != 0
		&& strcmp(window->app_name, "Epiphany") != 0) {
		return false;
	}
	g_autofree char *process = x11_process_name(window->pid);
	for (int i = 0; names[i] != NULL; i++) {
		if (g_str_has_prefix(process, names[i])) {
			return true;
		}
	}
	return false;
}

/*
 * Owner, name and toolkit come from the process, not from the server: the connection is free by
 * now.
 */
static void identify(struct x11 *x11, const struct x11_sighting *sighting)
{
	struct window *window = sighting->window;
	window->pid = x11_owner(sighting);
	if (*window->app_name == '\0') {
		g_free(window->app_name);
		window->app_name = x11_process_name(window->pid);
	}
	window->toolkit = x11_toolkit(x11, sighting);
	window->browser = is_browser(window);
}

GPtrArray *x11_windows(struct x11 *x11, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return NULL;
	}
	struct x11_desk desk = { 0 };
	xcb_window_t focused = XCB_WINDOW_NONE;
	x11_ahead_begin(server);
	x11_desk_read(server, X11_DESK_ALL, &desk);
	g_autoptr(GArray) tops = x11_tops_find(server, &desk, &focused);
	g_autoptr(GArray) sightings = x11_describe(server, &desk, tops, focused);
	x11_ahead_end(server);
	x11_desk_clear(&desk);
	if (!x11_end(server, error)) {
		return NULL;
	}
	GPtrArray *windows = window_list_new();
	for (guint i = 0; i < sightings->len; i++) {
		struct x11_sighting *sighting = &g_array_index(sightings, struct x11_sighting, i);
		if (sighting->window != NULL) {
			identify(x11, sighting);
			g_ptr_array_add(windows, g_steal_pointer(&sighting->window));
		}
	}
	window_list_count_namesakes(windows);
	return windows;
}
