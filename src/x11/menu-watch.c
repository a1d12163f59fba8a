/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/menu-watch.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "x11/escape.h"
#include "x11/ping.h"

/* What the server may take. */
#define SERVER_MS 1000
/* For the application to close its menu. */
#define CLOSE_MS 200
/* A hand moves faster than anybody has to know where it is. */
#define PAUSE_MS 8
/* A pointer that a program puts somewhere tells nobody. */
#define WARP_MS 200

struct menu_watch {
	struct client_pointer client;
	struct master master;        /* as it was when it began */
	struct x11_server *server;   /* a connection of the thread's own */
	int wake;                    /* eventfd: it is over */
	gint over;                   /* the setting is as it was, or about to be */
	GThread *thread;
};

/* What the user's hands do is told to our connection, whoever has grabbed what, and which window is
 * active. */
static void listen(struct x11_server *server)
{
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} pointer = { { DEVICE_CORE_POINTER, 1 },
		XCB_INPUT_XI_EVENT_MASK_RAW_MOTION | XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS },
	  keyboard = { { DEVICE_CORE_KEYBOARD, 1 }, XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS };
	xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
	xcb_input_xi_select_events(server->c, server->root, 1, &pointer.head);
	xcb_input_xi_select_events(server->c, server->root, 1, &keyboard.head);
}

/* Whether something came, which answers may have brought along; takes it. */
static bool drain(struct x11_server *server)
{
	xcb_generic_event_t *event = xcb_poll_for_event(server->c);
	bool came = event != NULL;
	while (event != NULL) {
		free(event);
		event = xcb_poll_for_event(server->c);
	}
	return came;
}

/* Waits until something happened at the user's side, for that long at most; `deaf`: whatever
 * happens. False when it is over. */
static bool wait_for(struct menu_watch *watch, int ms, bool deaf)
{
	struct pollfd fds[] = {
		{ xcb_get_file_descriptor(watch->server->c), POLLIN, 0 },
		{ watch->wake, POLLIN, 0 },
	};
	eventfd_t over = 0;
	xcb_flush(watch->server->c);
	deadline_poll_all(
		deadline_in(ms, NULL), deaf ? fds + 1 : fds, deaf ? 1 : 2, "the user", NULL);
	return eventfd_read(watch->wake, &over) != 0
		&& xcb_connection_has_error(watch->server->c) == 0;
}

/* The menu would be in the user's way, and what the user opens must not go to our pair. */
static void leave(struct menu_watch *watch)
{
	struct x11_server *server = watch->server;
	server->deadline = deadline_in(SERVER_MS, NULL);
	xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, watch->master.pointer);
	/* Before the setting is put back: what the application gives back when it closes it is our
	 * pair then. */
	escape_press(server, &watch->master, watch->client.window);
	xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, DEVICE_CORE_POINTER);
	ping_wait(server, watch->client.window, CLOSE_MS);
}

static gpointer thread_main(gpointer data)
{
	struct menu_watch *watch = data;
	struct x11_server *server = watch->server;
	bool entered = false;
	listen(server);
	do {
		drain(server);
		server->deadline = deadline_in(SERVER_MS, NULL);
		entered = client_pointer_is_users(server, watch->client.window);
	} while (!entered && !x11_failed(server)
		&& (drain(server) || wait_for(watch, WARP_MS, false))
		&& wait_for(watch, PAUSE_MS, true));
	g_atomic_int_set(&watch->over, 1);
	if (entered) {
		leave(watch);
	}
	server->deadline = deadline_in(SERVER_MS, NULL);
	watch->client.server = server;
	client_pointer_end(&watch->client);
	client_pointer_free_keyboard(server, watch->master.keyboard);
	xcb_flush(server->c);
	return NULL;
}

struct menu_watch *menu_watch_new(const char *display, struct client_pointer *client)
{
	g_autofree char *why = NULL;
	struct x11_server *server = x11_server_open(display, &why);
	if (server == NULL) {
		return NULL;
	}
	struct menu_watch *watch = g_new0(struct menu_watch, 1);
	watch->client = *client;
	client->record = NULL;
	watch->master = client->device->master;
	watch->server = server;
	watch->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch->thread = g_thread_new("menu", thread_main, watch);
	return watch;
}

void menu_watch_stop(struct menu_watch *watch)
{
	if (watch != NULL) {
		g_atomic_int_set(&watch->over, 1);
		eventfd_write(watch->wake, 1);
	}
}

void menu_watch_free(struct menu_watch *watch)
{
	if (watch != NULL) {
		eventfd_write(watch->wake, 1);
		g_thread_join(watch->thread);
		close(watch->wake);
		x11_server_close(watch->server);
		g_free(watch);
	}
}

bool menu_watch_holds(struct menu_watch *watch, xcb_window_t window)
{
	return watch != NULL && !g_atomic_int_get(&watch->over)
		&& ((watch->client.window ^ window) & ~watch->server->id_mask) == 0;
}
