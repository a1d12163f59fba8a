/* SPDX-License-Identifier: MIT */
/* Asks the window manager for what a user would do with a window: put it somewhere, turn to it. */
#include "config.h"

#include <stdlib.h>

#include "x11/arrange.h"
#include "x11/desk.h"
#include "x11/property.h"

/* Of WM_NORMAL_HINTS (ICCCM 4.1.2.3). */
enum {
	HINT_MIN = 1 << 4, HINT_MAX = 1 << 5, HINT_STEP = 1 << 6, HINT_BASE = 1 << 8,
	HINT_WORDS = 18,
};
/* Of _NET_MOVERESIZE_WINDOW: what is given, and that it is about the window itself, not its frame. */
enum {
	GIVEN_PLACE = 3 << 8, GIVEN_SIZE = 12 << 8, GRAVITY_STATIC = 10,
	/* A pager: somebody who speaks for the user. */
	SOURCE_PAGER = 2,
};

static void request(struct x11_server *server, xcb_window_t window, enum x11_atom type, uint32_t a, uint32_t b,
	uint32_t c, uint32_t d, uint32_t e)
{
	const xcb_client_message_event_t message = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window, .type = server->atoms[type],
		.data.data32 = { a, b, c, d, e },
	};
	xcb_send_event(server->c, false, server->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
		| XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&message);
}

static struct size_rules read_rules(struct x11_server *server, xcb_window_t window)
{
	struct size_rules rules = { 0 };
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, window,
		XCB_ATOM_WM_NORMAL_HINTS, HINT_WORDS));
	gsize count;
	const uint32_t *words = x11_property_words(reply, &count);
	uint32_t flags = count > 12 ? words[0] : 0;
	if ((flags & HINT_MIN) != 0) {
		rules.min_width = (int)words[5];
		rules.min_height = (int)words[6];
	}
	if ((flags & HINT_MAX) != 0) {
		rules.max_width = (int)words[7];
		rules.max_height = (int)words[8];
	}
	if ((flags & HINT_STEP) != 0) {
		rules.step_width = (int)words[9];
		rules.step_height = (int)words[10];
	}
	if ((flags & HINT_BASE) != 0 && count > 16) {
		rules.base_width = (int)words[15];
		rules.base_height = (int)words[16];
	} else {
		rules.base_width = rules.min_width;
		rules.base_height = rules.min_height;
	}
	free(reply);
	return rules;
}

/* Without anybody who manages windows they do as they are told. */
static void configure(struct x11_server *server, xcb_window_t window, const struct placement *placement)
{
	const struct screen_rect *wanted = &placement->wanted;
	const uint32_t values[] = { (uint32_t)wanted->x, (uint32_t)wanted->y, (uint32_t)wanted->width,
		(uint32_t)wanted->height };
	xcb_configure_window(server->c, window, (uint16_t)((placement->moves ? XCB_CONFIG_WINDOW_X
		| XCB_CONFIG_WINDOW_Y : 0) | (placement->resizes ? XCB_CONFIG_WINDOW_WIDTH
		| XCB_CONFIG_WINDOW_HEIGHT : 0)), placement->moves ? values : values + 2);
}

bool x11_is_managed(struct x11_server *server)
{
	struct x11_desk desk = { 0 };
	x11_desk_read(server, X11_DESK_USER, &desk);
	x11_desk_clear(&desk);
	return desk.managed;
}

bool x11_place(struct x11 *x11, const struct window *window, struct placement *placement,
	struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	const xcb_atom_t *atoms = server->atoms;
	const struct screen_rect *wanted = &placement->wanted;
	xcb_window_t id = (xcb_window_t)window->id;
	placement->rules = read_rules(server, id);
	bool managed = x11_is_managed(server);
	if (managed && (window->maximized || window->fullscreen)) {
		request(server, id, ATOM__NET_WM_STATE, 0, atoms[ATOM__NET_WM_STATE_MAXIMIZED_VERT],
			atoms[ATOM__NET_WM_STATE_MAXIMIZED_HORZ], SOURCE_PAGER, 0);
		request(server, id, ATOM__NET_WM_STATE, 0, atoms[ATOM__NET_WM_STATE_FULLSCREEN], 0, SOURCE_PAGER, 0);
	}
	if (managed) {
		request(server, id, ATOM__NET_MOVERESIZE_WINDOW, GRAVITY_STATIC
			| (placement->moves ? GIVEN_PLACE : 0) | (placement->resizes ? GIVEN_SIZE : 0)
			| SOURCE_PAGER << 12, (uint32_t)wanted->x, (uint32_t)wanted->y, (uint32_t)wanted->width,
			(uint32_t)wanted->height);
	} else {
		configure(server, id, placement);
	}
	/* One turn, so that it has been sent when this returns. */
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	return x11_end(server, error);
}

/* The server's clock, as a change of a property tells it; XCB_CURRENT_TIME if it does not. */
static xcb_timestamp_t read_time(struct x11_server *server)
{
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	xcb_timestamp_t time = XCB_CURRENT_TIME;
	xcb_generic_event_t *event;
	xcb_create_window(server->c, 0, server->clock, server->root, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
		XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
	xcb_change_property(server->c, XCB_PROP_MODE_REPLACE, server->clock, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
		0, "");
	xcb_destroy_window(server->c, server->clock);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	while ((event = xcb_poll_for_queued_event(server->c)) != NULL) {
		const xcb_property_notify_event_t *change = (const void *)event;
		if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY && change->window == server->clock) {
			time = change->time;
		}
		free(event);
	}
	return time;
}

xcb_window_t x11_active_window(struct x11_server *server)
{
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_ACTIVE_WINDOW], 1));
	xcb_window_t active = x11_property_word(reply, XCB_WINDOW_NONE);
	free(reply);
	return active;
}

void x11_ask_active(struct x11_server *server, xcb_window_t window, bool managed, bool focus)
{
	static const uint32_t above = XCB_STACK_MODE_ABOVE;
	xcb_timestamp_t time = read_time(server);
	if (managed) {
		request(server, window, ATOM__NET_ACTIVE_WINDOW, SOURCE_PAGER, time, 0, 0, 0);
	} else {
		xcb_map_window(server->c, window);
		xcb_configure_window(server->c, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
	}
	if (!managed || focus) {
		xcb_set_input_focus(server->c, XCB_INPUT_FOCUS_POINTER_ROOT, window, time);
	}
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
}

void x11_ask_behind(struct x11_server *server, xcb_window_t window, bool managed)
{
	static const uint32_t below = XCB_STACK_MODE_BELOW;
	/* xfwm4 does not know the one; metacity and mutter take the other only from the active application. */
	if (managed) {
		request(server, window, ATOM__NET_RESTACK_WINDOW, SOURCE_PAGER, XCB_WINDOW_NONE, XCB_STACK_MODE_BELOW,
			0, 0);
	}
	xcb_configure_window(server->c, window, XCB_CONFIG_WINDOW_STACK_MODE, &below);
}

void x11_ask_below(struct x11_server *server, xcb_window_t window, xcb_window_t sibling)
{
	const uint32_t values[] = { sibling, XCB_STACK_MODE_BELOW };
	request(server, window, ATOM__NET_RESTACK_WINDOW, SOURCE_PAGER, sibling, XCB_STACK_MODE_BELOW, 0, 0);
	xcb_configure_window(server->c, window, XCB_CONFIG_WINDOW_SIBLING | XCB_CONFIG_WINDOW_STACK_MODE, values);
}

bool x11_activate(struct x11 *x11, const struct window *window, bool again, struct deadline deadline,
	GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	x11_ask_active(server, (xcb_window_t)window->id, x11_is_managed(server), again);
	return x11_end(server, error);
}

bool x11_focused(struct x11 *x11, const struct window *window, struct deadline deadline)
{
	struct x11_server *server = x11_begin(x11, deadline, NULL);
	if (server == NULL) {
		return false;
	}
	xcb_window_t focus = x11_focus_collect(server, x11_focus_ask(server));
	/* Toolkits have it in a window of their own, beside or inside. */
	bool same = focus != XCB_WINDOW_NONE && ((focus ^ (xcb_window_t)window->id) & ~server->id_mask) == 0;
	return x11_end(server, NULL) && same;
}
