/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/desk.h"

#include <stdlib.h>
#include <xcb/randr.h>
#include <xcb/xinput.h>

#include "x11/property.h"

enum { MAX_WINDOWS = 65536 };

unsigned x11_pointer_ask(struct x11_server *server)
{
	/* QueryPointer answers for the connection's own pointer, which need not be the user's. */
	return server->has_xinput
		? xcb_input_xi_query_pointer(server->c, server->root, DEVICE_CORE_POINTER).sequence
		: xcb_query_pointer(server->c, server->root).sequence;
}

bool x11_pointer_collect(struct x11_server *server, unsigned sequence, struct screen_px *point)
{
	void *reply = x11_reply(server, sequence);
	if (reply == NULL) {
		return false;
	}
	if (server->has_xinput) {
		const xcb_input_xi_query_pointer_reply_t *xi = reply;
		*point = (struct screen_px){ xi->root_x >> 16, xi->root_y >> 16 };
	} else {
		const xcb_query_pointer_reply_t *core = reply;
		*point = (struct screen_px){ core->root_x, core->root_y };
	}
	free(reply);
	return true;
}

unsigned x11_focus_ask(struct x11_server *server)
{
	return server->has_xinput
		? xcb_input_xi_get_focus(server->c, DEVICE_CORE_KEYBOARD).sequence
		: xcb_get_input_focus(server->c).sequence;
}

xcb_window_t x11_focus_collect(struct x11_server *server, unsigned sequence)
{
	void *reply = x11_reply(server, sequence);
	if (reply == NULL) {
		return XCB_WINDOW_NONE;
	}
	xcb_window_t focus = server->has_xinput
		? ((const xcb_input_xi_get_focus_reply_t *)reply)->focus
		: ((const xcb_get_input_focus_reply_t *)reply)->focus;
	free(reply);
	return focus == XCB_INPUT_FOCUS_POINTER_ROOT ? XCB_WINDOW_NONE : focus;
}

unsigned x11_monitors_ask(struct x11_server *server)
{
	return server->has_randr ? xcb_randr_get_monitors(server->c, server->root, true).sequence : 0;
}

GPtrArray *x11_monitors_collect(struct x11_server *server, unsigned sequence,
	struct screen_rect screen, GArray *names)
{
	GPtrArray *monitors = monitor_list_new();
	xcb_randr_get_monitors_reply_t *reply = x11_reply(server, sequence);
	if (reply != NULL) {
		xcb_randr_monitor_info_iterator_t it = xcb_randr_get_monitors_monitors_iterator(reply);
		for (; it.rem > 0; xcb_randr_monitor_info_next(&it)) {
			struct monitor *monitor = g_new0(struct monitor, 1);
			monitor->bounds = (struct screen_rect){ it.data->x, it.data->y, it.data->width,
				it.data->height };
			monitor->primary = it.data->primary;
			g_ptr_array_add(monitors, monitor);
			if (names != NULL) {
				g_array_append_val(names, it.data->name);
			}
		}
		free(reply);
	}
	if (monitors->len == 0) {
		struct monitor *monitor = g_new0(struct monitor, 1);
		monitor->bounds = screen;
		monitor->primary = true;
		g_ptr_array_add(monitors, monitor);
		if (names != NULL) {
			xcb_atom_t none = XCB_ATOM_NONE;
			g_array_append_val(names, none);
		}
	}
	return monitors;
}

/*
 * A window manager that was killed leaves its properties on the root. It lives if the window they
 * name exists and names itself. The window of last time was asked along with everything else.
 */
static bool wm_lives(struct x11_server *server, xcb_window_t known, xcb_window_t check,
	xcb_window_t names_itself)
{
	if (check == XCB_WINDOW_NONE) {
		return false;
	}
	if (check != known) {
		xcb_get_property_reply_t *reply = x11_reply(server,
			x11_property_ask(server, check, server->atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1));
		names_itself = x11_property_word(reply, XCB_WINDOW_NONE);
		free(reply);
		server->wm_check = check;
	}
	return names_itself == check;
}

static uint32_t collect_word(struct x11_server *server, unsigned sequence, uint32_t otherwise)
{
	xcb_get_property_reply_t *reply = x11_reply(server, sequence);
	uint32_t word = x11_property_word(reply, otherwise);
	free(reply);
	return word;
}

static GArray *window_array(const xcb_window_t *windows, gsize count)
{
	GArray *array = g_array_sized_new(FALSE, FALSE, sizeof(xcb_window_t), (guint)count);
	if (count > 0) {
		g_array_append_vals(array, windows, (guint)count);
	}
	return array;
}

void x11_desk_ask(struct x11_server *server, enum x11_desk_part part, struct x11_desk_asked *asked)
{
	bool all = part == X11_DESK_ALL;
	const xcb_atom_t *atoms = server->atoms;
	xcb_window_t root = server->root;
	asked->check = x11_property_ask(server, root, atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1);
	asked->wm_check = server->wm_check;
	asked->itself = server->wm_check == XCB_WINDOW_NONE ? 0
		: x11_property_ask(server, server->wm_check, atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1);
	asked->stacking = x11_property_ask(server, root, atoms[ATOM__NET_CLIENT_LIST_STACKING], MAX_WINDOWS);
	asked->list = x11_property_ask(server, root, atoms[ATOM__NET_CLIENT_LIST], MAX_WINDOWS);
	asked->active = x11_property_ask(server, root, atoms[ATOM__NET_ACTIVE_WINDOW], 1);
	asked->workspace = !all ? 0 : x11_property_ask(server, root, atoms[ATOM__NET_CURRENT_DESKTOP], 1);
	asked->focus = x11_focus_ask(server);
	asked->pointer = x11_pointer_ask(server);
	asked->geometry = all ? xcb_get_geometry(server->c, root).sequence : 0;
	asked->monitors = all ? x11_monitors_ask(server) : 0;
	asked->tree = xcb_query_tree(server->c, root).sequence;
}

void x11_desk_collect(struct x11_server *server, const struct x11_desk_asked *asked, struct x11_desk *desk)
{
	xcb_window_t wm_check = collect_word(server, asked->check, XCB_WINDOW_NONE);
	xcb_window_t wm_itself = collect_word(server, asked->itself, XCB_WINDOW_NONE);
	xcb_get_property_reply_t *by_height = x11_reply(server, asked->stacking);
	xcb_get_property_reply_t *by_age = x11_reply(server, asked->list);
	gsize count;
	const uint32_t *clients = x11_property_words(by_height, &count);
	if (count == 0) {
		clients = x11_property_words(by_age, &count);
	}
	desk->clients = window_array(clients, count);
	free(by_height);
	free(by_age);

	desk->active = collect_word(server, asked->active, XCB_WINDOW_NONE);
	desk->workspace = (int)collect_word(server, asked->workspace, (uint32_t)-1);
	desk->focus = x11_focus_collect(server, asked->focus);
	x11_pointer_collect(server, asked->pointer, &desk->pointer);
	xcb_get_geometry_reply_t *size = x11_reply(server, asked->geometry);
	if (size != NULL) {
		desk->bounds = (struct screen_rect){ 0, 0, size->width, size->height };
	}
	free(size);
	desk->monitors = x11_monitors_collect(server, asked->monitors, desk->bounds, NULL);
	xcb_query_tree_reply_t *children = x11_reply(server, asked->tree);
	desk->children = window_array(children != NULL ? xcb_query_tree_children(children) : NULL,
		children != NULL ? children->children_len : 0);
	free(children);

	desk->managed = wm_lives(server, asked->wm_check, wm_check, wm_itself);
	if (!desk->managed) {
		g_array_set_size(desk->clients, 0);
		desk->active = XCB_WINDOW_NONE;
		desk->workspace = -1;
	}
}

void x11_desk_read(struct x11_server *server, enum x11_desk_part part, struct x11_desk *desk)
{
	struct x11_desk_asked asked;
	x11_desk_ask(server, part, &asked);
	x11_desk_collect(server, &asked, desk);
}

void x11_desk_clear(struct x11_desk *desk)
{
	g_clear_pointer(&desk->clients, g_array_unref);
	g_clear_pointer(&desk->children, g_array_unref);
	g_clear_pointer(&desk->monitors, g_ptr_array_unref);
}
