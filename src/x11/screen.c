/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "x11/desk.h"
#include "x11/property.h"

/* The factor desktops draw with, which they publish as Xft.dpi among the X resources; 96 is 1.0. */
static double scale_of(const char *resources)
{
	static const char key[] = "Xft.dpi:";
	const char *line = resources;
	while (line != NULL) {
		if (g_str_has_prefix(line, key)) {
			double dpi = g_ascii_strtod(line + strlen(key), NULL);
			return dpi >= 24 && dpi <= 960 ? (double)(int)(dpi / 96 * 100 + 0.5) / 100 : 1.0;
		}
		line = strchr(line, '\n');
		line = line != NULL ? line + 1 : NULL;
	}
	return 1.0;
}

static void name_monitors(struct x11_server *server, GPtrArray *monitors, GArray *names)
{
	g_autofree unsigned *sequences = g_new0(unsigned, names->len);
	for (guint i = 0; i < names->len; i++) {
		xcb_atom_t name = g_array_index(names, xcb_atom_t, i);
		sequences[i] = name == XCB_ATOM_NONE ? 0 : xcb_get_atom_name(server->c, name).sequence;
	}
	for (guint i = 0; i < names->len; i++) {
		struct monitor *monitor = monitors->pdata[i];
		xcb_get_atom_name_reply_t *reply = x11_reply(server, sequences[i]);
		monitor->name = reply != NULL
			? g_utf8_make_valid(xcb_get_atom_name_name(reply), reply->name_len)
			: g_strdup("screen");
		free(reply);
	}
}

bool x11_screen(struct x11 *x11, struct deadline deadline, struct screen *screen, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	*screen = (struct screen){ .scale = 1.0 };
	unsigned geometry = xcb_get_geometry(server->c, server->root).sequence;
	unsigned resources = x11_property_ask(server, server->root, XCB_ATOM_RESOURCE_MANAGER, 65536);
	unsigned monitors = x11_monitors_ask(server);

	xcb_get_geometry_reply_t *size = x11_reply(server, geometry);
	if (size != NULL) {
		screen->width = size->width;
		screen->height = size->height;
	}
	free(size);
	xcb_get_property_reply_t *reply = x11_reply(server, resources);
	g_autofree char *text = x11_property_text(server, reply);
	free(reply);
	screen->scale = scale_of(text);
	g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(xcb_atom_t));
	struct screen_rect whole = { 0, 0, screen->width, screen->height };
	screen->monitors = x11_monitors_collect(server, monitors, whole, names);
	name_monitors(server, screen->monitors, names);
	if (!x11_end(server, error)) {
		screen_clear(screen);
		return false;
	}
	return true;
}

bool x11_pointer(struct x11 *x11, struct deadline deadline, struct screen_px *point, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	bool known = x11_pointer_collect(server, x11_pointer_ask(server), point);
	if (!x11_end(server, error)) {
		return false;
	}
	if (!known) {
		g_set_error(error, CUA_ERROR, ERROR_INTERNAL,
			"The X server does not tell where the pointer is");
	}
	return known;
}
