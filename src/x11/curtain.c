/* SPDX-License-Identifier: MIT */
/*
 * Whether the user's screen is locked: something that no window manager manages covers all of it, as lockers do, or
 * the user is at another console. Known from events, so that asking costs nothing.
 */
#include "config.h"

#include <stdlib.h>

#include "x11/property.h"
#include "x11/sentry.h"

/* Covers all of the root, and nobody manages it. The server's own overlay is a compositor's. */
static bool covers_all(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_server *server = sentry->server;
	unsigned ask_root = xcb_get_geometry(server->c, server->root).sequence;
	unsigned ask_attributes = xcb_get_window_attributes(server->c, window).sequence;
	unsigned ask_place = xcb_get_geometry(server->c, window).sequence;
	xcb_get_geometry_reply_t *root = x11_reply(server, ask_root);
	xcb_get_window_attributes_reply_t *attributes = x11_reply(server, ask_attributes);
	xcb_get_geometry_reply_t *place = x11_reply(server, ask_place);
	bool covers = root != NULL && attributes != NULL && place != NULL && attributes->override_redirect
		&& attributes->map_state == XCB_MAP_STATE_VIEWABLE
		&& attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT && (window & ~server->id_mask) != 0
		&& place->x <= 0 && place->y <= 0 && place->x + place->width >= root->width
		&& place->y + place->height >= root->height;
	free(root);
	free(attributes);
	free(place);
	return covers;
}

/* Xorg notes on its root window whether the user looks at it. */
static void read_console(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM_XFree86_has_VT], 1));
	sentry->away = x11_property_word(reply, 1) == 0;
	free(reply);
}

void x11_curtain_learn(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	xcb_query_tree_reply_t *tree = x11_reply(server, xcb_query_tree(server->c, server->root).sequence);
	int count = tree != NULL ? tree->children_len : 0;
	for (int i = count; i-- > 0 && sentry->curtain == XCB_WINDOW_NONE;) {
		x11_curtain_mapped(sentry, xcb_query_tree_children(tree)[i]);
	}
	free(tree);
	read_console(sentry);
}

void x11_curtain_mapped(struct x11_sentry *sentry, xcb_window_t window)
{
	if (covers_all(sentry, window)) {
		sentry->curtain = window;
	}
}

void x11_curtain_gone(struct x11_sentry *sentry, xcb_window_t window)
{
	if (window == sentry->curtain) {
		sentry->curtain = XCB_WINDOW_NONE;
	}
}

void x11_curtain_property(struct x11_sentry *sentry, xcb_atom_t atom)
{
	if (atom == sentry->server->atoms[ATOM_XFree86_has_VT]) {
		read_console(sentry);
	}
}

/* Wallpapers cover all of the screen, too, but lie below everything. */
static bool is_in_front(struct x11_sentry *sentry, const GArray *children)
{
	struct x11_server *server = sentry->server;
	for (guint i = children->len; i-- > 0;) {
		xcb_window_t window = g_array_index(children, xcb_window_t, i);
		if (window == sentry->curtain) {
			return true;
		}
		xcb_get_window_attributes_reply_t *attributes = x11_reply(server,
			xcb_get_window_attributes(server->c, window).sequence);
		bool seen = attributes != NULL && attributes->map_state == XCB_MAP_STATE_VIEWABLE
			&& attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT && (window & ~server->id_mask) != 0;
		free(attributes);
		if (seen) {
			return false;
		}
	}
	return false;
}

bool x11_curtain_is_down(struct x11_sentry *sentry, const GArray *children)
{
	return sentry->away || (sentry->curtain != XCB_WINDOW_NONE && is_in_front(sentry, children));
}
