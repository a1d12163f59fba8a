/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/client-pointer.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/property.h"

#define MAX_DEPTH 64

static bool same_client(const struct x11_server *server, xcb_window_t a, xcb_window_t b)
{
	return a > XCB_INPUT_FOCUS_POINTER_ROOT && (a & ~server->id_mask) == (b & ~server->id_mask);
}

/* The application's windows are inside of frames, so it is looked down to the innermost one under
 * the user's pointer. */
static bool has_pointer(struct x11_server *server, xcb_window_t window)
{
	xcb_window_t under = server->root;
	for (int depth = 0; depth < MAX_DEPTH && under != XCB_WINDOW_NONE; depth++) {
		xcb_input_xi_query_pointer_reply_t *at = x11_reply(server,
			xcb_input_xi_query_pointer(server->c, under, DEVICE_CORE_POINTER).sequence);
		under = at != NULL ? at->child : XCB_WINDOW_NONE;
		free(at);
		if (same_client(server, under, window)) {
			return true;
		}
	}
	return false;
}

bool client_pointer_is_users(struct x11_server *server, xcb_window_t window)
{
	xcb_input_xi_get_focus_reply_t *reply = x11_reply(server,
		xcb_input_xi_get_focus(server->c, DEVICE_CORE_KEYBOARD).sequence);
	bool users = reply != NULL && same_client(server, reply->focus, window);
	free(reply);
	return users || has_pointer(server, window);
}

/* The pointer that the application's core requests mean; 0 if nobody can tell. */
static unsigned ask(struct x11_server *server, xcb_window_t window)
{
	xcb_input_xi_get_client_pointer_reply_t *reply = x11_reply(server,
		xcb_input_xi_get_client_pointer(server->c, window).sequence);
	unsigned pointer = reply == NULL ? 0 : reply->set ? reply->deviceid : DEVICE_CORE_POINTER;
	free(reply);
	return pointer;
}

/*
 * A window of the same client that lives as long as its connection, where there is one: the setting
 * is the client's, and a menu may close the window that it was opened in.
 */
static xcb_window_t anchor_of(struct x11_server *server, xcb_window_t window)
{
	xcb_get_property_reply_t *reply = x11_reply(server,
		x11_property_ask(server, window, server->atoms[ATOM_WM_CLIENT_LEADER], 1));
	xcb_window_t leader = x11_property_word(reply, XCB_WINDOW_NONE);
	free(reply);
	return leader != XCB_WINDOW_NONE && ((leader ^ window) & ~server->id_mask) == 0
			&& ask(server, leader) != 0
		? leader
		: window;
}

bool client_pointer_begin(struct client_pointer *client, struct device *device,
	struct x11_server *server, xcb_window_t window, GError **error)
{
	*client = (struct client_pointer){ .device = device, .server = server, .window = window };
	device_grab_server(device, server);
	client->anchor = anchor_of(server, window);
	bool users = client_pointer_is_users(server, window);
	client->before = users ? 0 : ask(server, client->anchor);
	if (client->before != 0) {
		struct undo_record record = {
			.kind = UNDO_CLIENT, .window = client->anchor, .code = client->before
		};
		g_strlcpy(record.master, device->master.name, sizeof record.master);
		client->record = undo_write(device->log, &record);
	}
	if (client->record != NULL) {
		xcb_input_xi_set_client_pointer(
			server->c, client->anchor, device->master.pointer);
	}
	device_ungrab_server(device, server);
	if (client->record == NULL && !x11_failed(server)) {
		g_set_error(error, CUA_ERROR,
			users ? ERROR_POPUP_GRABS_USER : ERROR_BACKGROUND_UNAVAILABLE,
			users ? "The user's pointer or keyboard is in this application, where a "
				"menu would take it"
			      : "Too much is held or changed already to be undone if the driver "
				"died");
	}
	return client->record != NULL;
}

void client_pointer_end(struct client_pointer *client)
{
	struct x11_server *server = client->server;
	if (client->record != NULL) {
		xcb_input_xi_set_client_pointer(
			server->c, client->anchor, (xcb_input_device_id_t)client->before);
		free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
		if (!x11_failed(server)) {
			undo_drop(g_steal_pointer(&client->record));
		}
	}
}

void client_pointer_free_keyboard(struct x11_server *server, unsigned keyboard)
{
	xcb_input_xi_get_focus_reply_t *reply = x11_reply(server,
		xcb_input_xi_get_focus(server->c, (xcb_input_device_id_t)keyboard).sequence);
	if (reply != NULL && reply->focus != XCB_INPUT_FOCUS_POINTER_ROOT) {
		xcb_input_xi_set_focus(server->c, XCB_INPUT_FOCUS_POINTER_ROOT, XCB_CURRENT_TIME,
			(xcb_input_device_id_t)keyboard);
	}
	free(reply);
}

void client_pointer_mend(struct x11_server *server, const struct undo_record *record)
{
	g_autoptr(GArray) masters = masters_list(server);
	struct master master;
	/* With the pair it has gone back to the user's by itself. */
	if (masters_find(masters, record->master, &master)
		&& ask(server, record->window) == master.pointer) {
		xcb_input_xi_set_client_pointer(
			server->c, record->window, (xcb_input_device_id_t)record->code);
	}
}
