/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/popup.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/escape.h"
#include "x11/freeze.h"
#include "x11/menu-watch.h"
#include "x11/ping.h"
#include "x11/quirks.h"
#include "x11/reach.h"

/* How long an application may take to show what surely opens, and then to take the pointer. */
#define OPEN_MS 1500
#define GRAB_MS 400
/* To say that it has come to a press of which nobody knows what it does; a page, which is asked
 * first. */
#define ANSWER_MS 300
#define PAGE_MS 600
/* To close it, beyond the delay of the toolkit. */
#define LAG_MS 250
/* For the menu below it to take over. */
#define AGAIN_MS 40
/* The user's pointer stands still for no longer. */
#define STILL_MS 250
/* Between two looks whether it has our pointer: no event tells of somebody else's grab. */
#define GLANCE_MS 4

/* What comes and goes on the screen is told to our connection. */
static bool has(const struct popup *popup, enum quirk quirk)
{
	return quirks_has(popup->action->window->toolkit, quirk);
}

/* It takes every pointer when it has something to show. */
static void freeze(struct popup *popup)
{
	if (!popup->frozen && has(popup, QUIRK_POPUP_GRABS_POINTERS)) {
		guardian_grabbing(popup->device->guardian, popup->device->connection, true);
		popup->frozen = freeze_begin(popup->device, popup->server, false);
		popup->froze = popup->froze || popup->frozen;
		if (!popup->frozen) {
			guardian_grabbing(
				popup->device->guardian, popup->device->connection, false);
		}
	}
}

static void thaw(struct popup *popup)
{
	struct freeze *freeze = &popup->device->freeze;
	if (popup->frozen) {
		freeze_thaw(popup->device, popup->server);
		popup->frozen = false;
		popup->freeze.ms += freeze->ms;
		popup->freeze.moved = popup->freeze.moved || freeze->moved;
	}
}

static void take_event(const xcb_generic_event_t *event, void *data)
{
	struct popup *popup = data;
	const xcb_create_notify_event_t *created = (const void *)event;
	const xcb_map_notify_event_t *mapped = (const void *)event;
	xcb_window_t mask = ~popup->server->id_mask;
	unsigned type = event->response_type & 0x7f;
	if (type == XCB_CREATE_NOTIFY && created->override_redirect
		&& ((created->window ^ popup->window) & mask) == 0) {
		freeze(popup);
	} else if (type == XCB_MAP_NOTIFY && mapped->override_redirect
		&& ((mapped->window ^ popup->window) & mask) == 0) {
		freeze(popup);
		popup->mapped = true;
	}
}

static void take_events(struct popup *popup)
{
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_event(popup->server->c)) != NULL) {
		take_event(event, popup);
		free(event);
	}
}

/* The guardian watches over a grab of the server, and over the user's pointer while that stands
 * still. */
static void grab_server(struct popup *popup)
{
	if (popup->frozen) {
		xcb_grab_server(popup->server->c);
	} else {
		device_grab_server(popup->device, popup->server);
	}
}

static void ungrab_server(struct popup *popup)
{
	if (popup->frozen) {
		xcb_ungrab_server(popup->server->c);
		xcb_flush(popup->server->c);
	} else {
		device_ungrab_server(popup->device, popup->server);
	}
}

/* Whether somebody else has our pointer, as who asks for it at this moment would be told. */
static bool is_taken(struct popup *popup)
{
	struct x11_server *server = popup->server;
	const uint32_t nothing = 0;
	xcb_input_device_id_t pointer = popup->device->master.pointer;
	grab_server(popup);
	xcb_input_xi_grab_device_reply_t *reply = x11_reply(server,
		xcb_input_xi_grab_device(server->c, server->root, XCB_CURRENT_TIME,
			popup->device->blank, pointer, XCB_INPUT_GRAB_MODE_22_ASYNC,
			XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1, &nothing)
			.sequence);
	bool taken = reply != NULL && reply->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
	if (reply != NULL && reply->status == XCB_GRAB_STATUS_SUCCESS) {
		xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, pointer);
	}
	free(reply);
	ungrab_server(popup);
	return taken;
}

/* Whether an application has the user's pointer, though the user holds no button. Nobody hears of
 * the look. */
static bool has_users(struct popup *popup)
{
	struct x11_server *server = popup->server;
	struct screen_px place;
	device_grab_server(popup->device, server);
	bool free_again = freeze_user(server, &place, false);
	if (free_again) {
		xcb_input_xi_ungrab_device(server->c, XCB_CURRENT_TIME, DEVICE_CORE_POINTER);
	}
	xcb_input_xi_query_pointer_reply_t *at = x11_reply(server,
		xcb_input_xi_query_pointer(server->c, server->root, DEVICE_CORE_POINTER).sequence);
	const uint32_t *buttons = at != NULL ? xcb_input_xi_query_pointer_buttons(at) : NULL;
	bool holds = at != NULL && at->buttons_len > 0 && (buttons[0] & 0x3e) != 0;
	free(at);
	device_ungrab_server(popup->device, server);
	return !free_again && !holds;
}

bool popup_begin(struct popup *popup, struct device *device, struct x11_server *server,
	const struct action *action, bool rests, GError **error)
{
	*popup = (struct popup){ .device = device, .server = server, .action = action,
		.window = (xcb_window_t)action->window->id };
	if (has(popup, QUIRK_POPUP_GRABS_POINTERS) && !freeze_may(server, popup->window, error)) {
		return false;
	}
	if (rests) {
		/* It knows of the pair then, which may be new. A press tells it in its turn. */
		ping_wait(server, popup->window, ANSWER_MS);
	}
	if (!menu_watch_holds(device->watch, popup->window)) {
		device_forget_menu(device);
		if (!client_pointer_begin(&popup->client, device, server, popup->window, error)) {
			return false;
		}
	}
	/* Whoever removes the pair closes its menu there. */
	device->record->window = popup->window;
	device->freeze = (struct freeze){ 0 };
	popup->before = device->watch != NULL && is_taken(popup);
	ping_hear(server, true);
	if (rests) {
		reach_rest(device, server);
	}
	/* Who takes it already at the press is kept from that then, and makes its window anew each
	 * time. */
	freeze(popup);
	return true;
}

/* Whether the application has come to what was sent to it, as far as it says so. */
static void wait_until_done(struct popup *popup)
{
	const struct action *action = popup->action;
	const struct tree *tree = action->tree;
	const struct element *element = action->now != NULL ? action->now
		: tree != NULL && tree->elements->len > 0 ? tree->elements->pdata[0] : NULL;
	/* The first answer says that it came, the second mostly that it has come to it. */
	for (int i = 0; i < 2; i++) {
		ping_all(popup->server, &popup->window, 1, ANSWER_MS, take_event, popup);
	}
	if (element != NULL && !has(popup, QUIRK_LAST_KEYBOARD)) {
		/* Qt answers two pings in one go where processors are scarce, GTK while it is about
		 * to grab; this when that is done. */
		element_free(action->platform->impl->reread(action->platform, element,
			deadline_within(action->deadline, ANSWER_MS), NULL));
	}
}

/* Waits for its window and its grab. */
static void wait_for(struct popup *popup, enum popup_hope hope)
{
	struct x11_server *server = popup->server;
	struct deadline all = popup->action->deadline;
	int patience = hope == POPUP_SURELY                            ? OPEN_MS
		: hope == POPUP_LIKELY && has(popup, QUIRK_PAGE_FIRST) ? PAGE_MS
								       : GLANCE_MS;
	if (hope != POPUP_SURELY) {
		wait_until_done(popup);
	}
	struct deadline until = deadline_within(all, patience);
	struct deadline still = deadline_within(all, STILL_MS);
	bool seen = false, settled = false;
	while (!x11_failed(server)) {
		take_events(popup);
		popup->taken = is_taken(popup);
		if (popup->taken || deadline_left(still) <= 0) {
			/* Who takes every pointer asks for all of them in one go. */
			thaw(popup);
		}
		if (popup->taken && popup->mapped && !settled) {
			/* Menus of GTK grab for a bar or a window that is not seen first, and for
			 * their own once that is shown. */
			settled = true;
			wait_until_done(popup);
			continue;
		}
		if ((popup->taken || popup->mapped) && !seen) {
			/* The rest is to be hoped for; some applications fill a menu first. */
			seen = true;
			until = deadline_within(all, popup->mapped ? GRAB_MS : OPEN_MS);
		}
		if (deadline_left(until) <= 0 || settled) {
			break;
		}
		deadline_poll(deadline_within(until, GLANCE_MS), xcb_get_file_descriptor(server->c),
			POLLIN, "a menu", NULL);
	}
}

bool popup_end(struct popup *popup, enum popup_hope hope, GError **error)
{
	struct x11_server *server = popup->server;
	struct device *device = popup->device;
	if (popup->frozen) {
		/* A gesture has told it that its own grabs are over. */
		guardian_grabbing(device->guardian, device->connection, true);
	} else {
		popup->freeze = device->freeze;
	}
	/* Where one is open already this may close it. */
	wait_for(popup, popup->before ? POPUP_MAYBE : hope);
	ping_hear(server, false);
	thaw(popup);
	client_pointer_free_keyboard(server, device->master.keyboard);
	bool users = popup->taken && has(popup, QUIRK_POPUP_GRABS_POINTERS) && has_users(popup);
	if (users) {
		escape_press(server, &device->master, popup->window);
		g_set_error(error, CUA_ERROR, ERROR_POPUP_GRABS_USER,
			"The menu took the user's pointer, so it was closed again");
	}
	if (popup->taken && popup->client.record != NULL) {
		device->watch = menu_watch_new(device->display, &popup->client);
	}
	client_pointer_end(&popup->client);
	if (popup->taken) {
		device->menu = popup->window;
	} else {
		device_forget_menu(device);
	}
	device->freeze.ms = popup->freeze.ms;
	device->freeze.moved = popup->freeze.moved;
	xcb_flush(server->c);
	return !users;
}

void popup_resume(struct popup *popup, struct device *device, struct x11_server *server,
	const struct action *action)
{
	xcb_window_t window = (xcb_window_t)action->window->id;
	*popup = (struct popup){
		.device = device, .server = server, .action = action, .window = window
	};
	if (device->menu != XCB_WINDOW_NONE && ((device->menu ^ window) & ~server->id_mask) == 0) {
		popup->before = is_taken(popup);
	}
	if (popup->before) {
		ping_hear(server, true);
		/*
		 * The menu that is left when one of several closes takes every pointer anew. The
		 * user's stands still for something short only.
		 */
		if (action->kind == ACTION_CLICK || action->kind == ACTION_PRESS_KEY) {
			freeze(popup);
		}
	}
}

void popup_leave(struct popup *popup)
{
	struct device *device = popup->device;
	if (!popup->before) {
		return;
	}
	if (popup->frozen) {
		/* A gesture has told it that its own grabs are over. */
		guardian_grabbing(device->guardian, device->connection, true);
	}
	wait_until_done(popup);
	/* What an element does that much later than it says so closes the menu as late. */
	int late_ms = popup->action->lag_ms > 0 ? popup->action->lag_ms + LAG_MS : 0;
	struct deadline until = deadline_within(popup->action->deadline, late_ms);
	while ((popup->taken = is_taken(popup)) && deadline_left(until) > 0) {
		deadline_poll(deadline_within(until, GLANCE_MS),
			xcb_get_file_descriptor(popup->server->c), POLLIN, "a menu", NULL);
		take_events(popup);
	}
	ping_hear(popup->server, false);
	thaw(popup);
	client_pointer_free_keyboard(popup->server, device->master.keyboard);
	if (!popup->taken) {
		device_forget_menu(device);
	}
}
