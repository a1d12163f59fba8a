/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/foreground.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/describe.h"
#include "x11/devices.h"
#include "x11/quirks.h"
#include "x11/receipt.h"
#include "x11/rung.h"
#include "x11/standing.h"
#include "x11/tops.h"

/* What the server may take for all of it: a time of its own, so that what was begun is also ended. */
#define SERVER_MS 60000
/* For the user to let go of buttons and modifiers, and how often that is looked at. */
#define USER_MS 2000
#define LOOK_MS 20
/* And to give a window that was clicked the keyboard. */
#define FOLLOW_MS 1500
/* For the application to take what was sent, before the focus goes away from it. */
#define TAKE_MS 500
/* So much later the user's keys are given back, or a menu looked at again. */
#define REST_MS 2000
#define MENU_MS 200

enum { HELD_BY_USER = 0x1f00 | XCB_MOD_MASK_SHIFT | XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_1 | XCB_MOD_MASK_4 };

/* Buttons and modifiers of the user would be part of what we do. */
static bool user_lets_go(struct foreground *foreground, GError **error)
{
	struct deadline patience = deadline_within(foreground->action->deadline, USER_MS);
	for (;;) {
		xcb_query_pointer_reply_t *reply = x11_reply(foreground->server,
			xcb_query_pointer(foreground->server->c, foreground->server->root).sequence);
		bool holds = reply != NULL && (reply->mask & HELD_BY_USER) != 0;
		free(reply);
		if (!holds) {
			return !x11_failed(foreground->server);
		}
		/* No event tells it without a grab or listening to every key. */
		deadline_poll_all(deadline_within(patience, LOOK_MS), NULL, 0, "the user", NULL);
		if (deadline_left(patience) == 0) {
			g_set_error(error, CUA_ERROR, ERROR_USER_ACTIVE,
				"The user holds a mouse button or a modifier key");
			return false;
		}
	}
}

/* A menu or the like: shown by the application itself, past the window manager. */
static bool is_popup(struct x11_server *server, xcb_window_t window)
{
	xcb_get_window_attributes_reply_t *reply = x11_reply(server,
		xcb_get_window_attributes(server->c, window).sequence);
	bool popup = reply != NULL && reply->override_redirect && reply->map_state == XCB_MAP_STATE_VIEWABLE
		&& reply->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
	free(reply);
	return popup;
}

/* Popups of the window's application that are open, tooltips left out; at most `most`, returns how many. */
static int find_popups(struct x11_server *server, xcb_window_t window, xcb_window_t *found, int most)
{
	xcb_query_tree_reply_t *tree = x11_reply(server, xcb_query_tree(server->c, server->root).sequence);
	int count = 0;
	for (int i = 0; tree != NULL && i < tree->children_len && count < most; i++) {
		xcb_window_t child = xcb_query_tree_children(tree)[i];
		if (((child ^ window) & ~server->id_mask) == 0 && child != window && is_popup(server, child)
			&& !x11_is_incidental(server, child)) {
			found[count++] = child;
		}
	}
	free(tree);
	return count;
}

/* Whether one is open that was not before. */
static bool has_menu(struct device *device, struct x11_server *server)
{
	xcb_window_t found[G_N_ELEMENTS(device->popups)];
	int count = find_popups(server, device->log->standing.target, found, G_N_ELEMENTS(found));
	for (int i = 0; i < count; i++) {
		bool known = false;
		for (gsize k = 0; k < G_N_ELEMENTS(device->popups) && !known; k++) {
			known = device->popups[k] == found[i];
		}
		if (!known) {
			return true;
		}
	}
	return false;
}

/* Puts the user back where the user was. */
static unsigned restore(struct device *device, struct x11_server *server)
{
	unsigned missing = standing_restore(server, &device->log->standing);
	undo_drop(g_steal_pointer(&device->standing));
	return missing;
}

bool foreground_rest(struct device *device, struct x11_server *server)
{
	if (device->standing == NULL) {
		return true;
	}
	if (has_menu(device, server)) {
		return false;
	}
	restore(device, server);
	return true;
}

static bool save(struct foreground *foreground, GError **error)
{
	struct device *device = foreground->device;
	struct x11_server *server = foreground->server;
	const struct undo_record record = { .kind = UNDO_STANDING };
	if (device->standing != NULL && ((device->log->standing.target ^ foreground->window)
		& ~server->id_mask) == 0) {
		/* The user is to be where the user was before the first of them. */
		return true;
	}
	if (device->standing != NULL) {
		restore(device, server);
	}
	standing_save(server, foreground->window, &device->log->standing);
	device->standing = !x11_failed(server) ? undo_write(device->log, &record) : NULL;
	if (device->standing == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE,
			"Where the user is could not be noted, so it could not be given back");
		return false;
	}
	int count = find_popups(server, foreground->window, device->popups, G_N_ELEMENTS(device->popups));
	for (gsize i = (gsize)count; i < G_N_ELEMENTS(device->popups); i++) {
		device->popups[i] = XCB_WINDOW_NONE;
	}
	return true;
}

/* What is not as it was so far. */
static void note(struct foreground *foreground)
{
	foreground->action->disturbed |= standing_compare(foreground->server, &foreground->device->log->standing);
}

static bool activate(struct foreground *foreground, GError **error)
{
	struct action *action = foreground->action;
	struct x11_server *server = foreground->server;
	xcb_window_t instead = XCB_WINDOW_NONE;
	/* A menu is above everything and has the keyboard. */
	bool there = is_popup(server, foreground->window);
	if (!there) {
		x11_platform_forgive(action->platform, action->window, action->deadline);
		there = standing_leave(server, foreground->window, action->deadline, &instead);
		note(foreground);
	}
	if (!there) {
		g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE, instead == foreground->window
			? "The window is active, but did not get the user's keyboard; nothing was sent"
			: "The window manager did not make it the active window (that is %u); nothing was sent", instead);
	}
	return there;
}

static void leave(struct foreground *foreground)
{
	struct devices *devices = x11_platform_devices(foreground->action->platform);
	device_end(foreground->device, foreground->server, NULL);
	devices_used(devices, foreground->device, foreground->action->waits_for_menu ? MENU_MS : REST_MS);
	device_unref(foreground->device);
}

static void give_back(struct foreground *foreground)
{
	struct action *action = foreground->action;
	note(foreground);
	unsigned missing = restore(foreground->device, foreground->server);
	action->restored = action->disturbed & ~missing;
}

bool foreground_begin(struct foreground *foreground, struct action *action, GError **error)
{
	*foreground = (struct foreground){
		.action = action, .device = devices_core(x11_platform_devices(action->platform)),
		.window = action->window != NULL ? (xcb_window_t)action->window->id : XCB_WINDOW_NONE,
	};
	if (action->window != NULL && quirks_has(action->window->toolkit, QUIRK_LAST_KEYBOARD)) {
		/* Before anything is typed: later it would wait for us, and we for it. */
		devices_yield(x11_platform_devices(action->platform), deadline_within(action->deadline, SERVER_MS));
	}
	foreground->server = device_begin(foreground->device, action->deadline, error);
	if (foreground->server == NULL) {
		device_unref(foreground->device);
		return false;
	}
	foreground->server->deadline = deadline_in(SERVER_MS, NULL);
	if (!user_lets_go(foreground, error) || (foreground->window != XCB_WINDOW_NONE && !save(foreground, error))) {
		leave(foreground);
		return false;
	}
	if (foreground->window != XCB_WINDOW_NONE && !activate(foreground, error)) {
		give_back(foreground);
		leave(foreground);
		return false;
	}
	foreground->top = foreground->window != XCB_WINDOW_NONE
		? x11_top_of(foreground->server, foreground->window) : XCB_WINDOW_NONE;
	return true;
}

bool foreground_follow(struct foreground *foreground, GError **error)
{
	struct x11_server *server = foreground->server;
	/* Menus have the keyboard while they are open, and the bare root never gets it. */
	if (foreground->top == XCB_WINDOW_NONE || is_popup(server, foreground->top)
		|| standing_comes(server, foreground->top, deadline_within(foreground->action->deadline, FOLLOW_MS))) {
		return !x11_failed(server);
	}
	g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE,
		"The window at that place was clicked and did not get the user's keyboard; no key was pressed");
	return false;
}

void foreground_end(struct foreground *foreground)
{
	struct x11_server *server = foreground->server;
	if (foreground->window != XCB_WINDOW_NONE) {
		/* The first answer says that it came, the second that what came of it was done. */
		if (receipt_wait(server, foreground->window, 0, TAKE_MS)) {
			receipt_wait(server, foreground->window, 0, TAKE_MS);
		}
		foreground->action->waits_for_menu = has_menu(foreground->device, server);
		if (foreground->action->waits_for_menu) {
			note(foreground);
		} else {
			give_back(foreground);
		}
	}
	leave(foreground);
}
