/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/drop.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/property.h"
#include "x11/tops.h"

xcb_window_t drop_source(const struct gesture *gesture)
{
	struct x11_server *server = gesture->server;
	xcb_get_selection_owner_reply_t *reply = x11_reply(server,
		xcb_get_selection_owner(server->c, server->atoms[ATOM_XdndSelection]).sequence);
	xcb_window_t owner = reply != NULL ? reply->owner : XCB_WINDOW_NONE;
	free(reply);
	return (owner & ~server->id_mask) == (gesture->window & ~server->id_mask) ? owner
										  : XCB_WINDOW_NONE;
}

/* What shows what is dragged: a window of the client that drags, which no window manager has. It is
 * under the pointer all the way. */
static bool is_icon(const struct gesture *gesture, xcb_window_t window)
{
	struct x11_server *server = gesture->server;
	if (window == XCB_WINDOW_NONE || ((window ^ gesture->window) & ~server->id_mask) != 0) {
		return false;
	}
	xcb_get_window_attributes_reply_t *reply = x11_reply(
		server, xcb_get_window_attributes(server->c, window).sequence);
	bool is = reply != NULL && reply->override_redirect;
	free(reply);
	return is;
}

/* A window that shows nothing and has nothing in it: mutter has one behind all others. Nothing is
 * dropped there. */
static bool is_empty(struct x11_server *server, xcb_window_t window)
{
	unsigned asked_tree = xcb_query_tree(server->c, window).sequence;
	unsigned asked_aware = x11_property_ask(server, window, server->atoms[ATOM_XdndAware], 1);
	xcb_get_window_attributes_reply_t *attributes = x11_reply(
		server, xcb_get_window_attributes(server->c, window).sequence);
	xcb_query_tree_reply_t *tree = x11_reply(server, asked_tree);
	xcb_get_property_reply_t *aware = x11_reply(server, asked_aware);
	bool empty = attributes != NULL && attributes->_class == XCB_WINDOW_CLASS_INPUT_ONLY
		&& tree != NULL && tree->children_len == 0 && aware != NULL
		&& aware->type == XCB_ATOM_NONE;
	free(attributes);
	free(tree);
	free(aware);
	return empty;
}

/* The child of the root that the server would find under our pointer without them; 0: none. */
static xcb_window_t below_icons(const struct gesture *gesture)
{
	struct x11_server *server = gesture->server;
	xcb_window_t found = XCB_WINDOW_NONE;
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(server,
		xcb_input_xi_query_pointer(server->c, server->root, gesture->device->master.pointer)
			.sequence);
	xcb_query_tree_reply_t *tree = x11_reply(
		server, xcb_query_tree(server->c, server->root).sequence);
	const xcb_window_t *tops = tree != NULL ? xcb_query_tree_children(tree) : NULL;
	for (int i = tree != NULL && at != NULL ? tree->children_len : 0;
		i-- > 0 && found == XCB_WINDOW_NONE;) {
		struct screen_px point = { at->root_x >> 16, at->root_y >> 16 };
		if (x11_takes_pointer(server, tops[i], point) && !is_icon(gesture, tops[i])) {
			found = tops[i];
		}
	}
	free(tree);
	free(at);
	return found;
}

bool drop_strays(const struct gesture *gesture, const struct journey *journey)
{
	xcb_window_t source = drop_source(gesture);
	if (source == XCB_WINDOW_NONE || source == journey->source) {
		return false;
	}
	xcb_window_t under = reach_under(gesture->device, gesture->server);
	if (is_icon(gesture, under)) {
		under = below_icons(gesture);
	}
	return under != XCB_WINDOW_NONE && under != journey->tops[0] && under != journey->tops[1]
		&& !is_empty(gesture->server, under);
}
