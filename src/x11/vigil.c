/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/vigil.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "x11/master.h"
#include "x11/ping.h"
#include "x11/quirks.h"
#include "x11/watched.h"

/* As long as the user's keyboard may stand still for our pairs to go, and for the application to hear of it. */
#define YIELD_MS 2000
#define HEAR_MS 300
/* Who is asked to go is asked again so much later. */
#define AGAIN_MS 30
/* What the server may take. */
#define SERVER_MS 2000

struct vigil {
	char *display;
	struct guardian *guardian;
	struct hold *hold;
	void (*yield)(struct deadline deadline, void *data);
	void *data;
	int wake;                /* eventfd: somebody changed what is below */

	GMutex lock;
	GCond changed;
	GThread *thread;         /* NULL: it was never needed, or has been joined */
	int pairs;               /* that there are, or are to be */
	bool ready;              /* all windows are watched */
	bool yielding;           /* no pair may come */
	xcb_window_t wanted; /* is to hear the user's keyboard, though no key was stopped there; 0:
				none is */
	bool over;               /* the thread has ended, or is about to */

	/* Of the thread. */
	struct x11 *eyes;        /* lists windows */
	struct x11_server *server;
	int connection;          /* the guardian's number of it */
	xcb_window_t window;     /* never shown; owns the word that no pair may come */
	struct watched *watched;
};

/* A key that was stopped elsewhere is about to come to that window. */
static void clear_way(xcb_window_t window, struct deadline deadline, void *data)
{
	struct vigil *vigil = data;
	bool in_time = true;
	g_mutex_lock(&vigil->lock);
	bool watches = vigil->thread != NULL && !vigil->over;
	vigil->wanted = watches ? window : XCB_WINDOW_NONE;
	eventfd_write(vigil->wake, 1);
	while (in_time && !vigil->over && vigil->wanted != XCB_WINDOW_NONE) {
		in_time = g_cond_wait_until(&vigil->changed, &vigil->lock, deadline.at);
	}
	vigil->wanted = XCB_WINDOW_NONE;
	g_mutex_unlock(&vigil->lock);
}

struct vigil *vigil_new(const char *display, struct guardian *guardian, struct hold *hold,
	void (*yield)(struct deadline deadline, void *data), void *data)
{
	struct vigil *vigil = g_new0(struct vigil, 1);
	vigil->display = g_strdup(display);
	vigil->guardian = guardian;
	vigil->hold = hold;
	vigil->yield = yield;
	vigil->data = data;
	vigil->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	g_mutex_init(&vigil->lock);
	g_cond_init(&vigil->changed);
	hold_ask(hold, clear_way, vigil);
	return vigil;
}

void vigil_free(struct vigil *vigil)
{
	if (vigil == NULL) {
		return;
	}
	if (vigil->thread != NULL) {
		g_mutex_lock(&vigil->lock);
		vigil->pairs = 0;
		g_mutex_unlock(&vigil->lock);
		eventfd_write(vigil->wake, 1);
		g_thread_join(vigil->thread);
	}
	close(vigil->wake);
	g_cond_clear(&vigil->changed);
	g_mutex_clear(&vigil->lock);
	g_free(vigil->display);
	g_free(vigil);
}

static void listen_to_root(struct x11_server *server)
{
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} hierarchy = { { XCB_INPUT_DEVICE_ALL, 1 }, XCB_INPUT_XI_EVENT_MASK_HIERARCHY };
	xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
	xcb_input_xi_select_events(server->c, server->root, 1, &hierarchy.head);
}

/* Watches the windows that are not watched yet. False if nobody can tell which there are. */
static bool look(struct vigil *vigil)
{
	struct x11_server *server = vigil->server;
	g_autoptr(GPtrArray) windows = x11_windows(vigil->eyes, deadline_in(SERVER_MS, NULL), NULL);
	if (windows == NULL) {
		return false;
	}
	/* Keys of one window have one owner; and who lets go of them talks to the server. */
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (quirks_has(window->toolkit, QUIRK_LAST_KEYBOARD)) {
			hold_forbid(vigil->hold, (xcb_window_t)window->id,
				deadline_in(SERVER_MS, NULL));
		}
	}
	server->deadline = deadline_in(SERVER_MS, NULL);
	/* Or two drivers could get half of the keys each. */
	guardian_grabbing(vigil->guardian, vigil->connection, true);
	xcb_grab_server(server->c);
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (quirks_has(window->toolkit, QUIRK_LAST_KEYBOARD)) {
			watched_add(vigil->watched, server, (xcb_window_t)window->id);
		}
	}
	xcb_ungrab_server(server->c);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	guardian_grabbing(vigil->guardian, vigil->connection, false);
	return !x11_failed(server);
}

/* Whether no driver's pair is left; some may take a moment to go. */
static bool are_gone(struct x11_server *server, struct deadline patience)
{
	for (;;) {
		g_autoptr(GArray) masters = masters_list(server);
		if (masters->len == 0 || x11_failed(server)) {
			return true;
		}
		if (!deadline_poll(patience, xcb_get_file_descriptor(server->c), POLLIN, "the pairs", NULL)) {
			return false;
		}
		xcb_generic_event_t *event;
		while ((event = xcb_poll_for_event(server->c)) != NULL) {
			free(event);
		}
	}
}

/* All pairs, of all drivers. One that was just about to be added when this was said is there only a moment later. */
static void remove_pairs(struct vigil *vigil)
{
	struct x11_server *server = vigil->server;
	struct deadline patience = deadline_in(YIELD_MS, NULL);
	do {
		const uint32_t time = (uint32_t)(g_get_monotonic_time() / 1000);
		xcb_change_property(server->c, XCB_PROP_MODE_REPLACE, server->root,
			server->atoms[ATOM__CUA_DRIVER_YIELD], XCB_ATOM_CARDINAL, 32, 1, &time);
		xcb_flush(server->c);
		vigil->yield(patience, vigil->data);
	} while (!are_gone(server, deadline_within(patience, AGAIN_MS)) && deadline_left(patience) > 0);
}

/* Whether the thread is still needed; if not, nobody may count on it from now on. */
static bool goes_on(struct vigil *vigil)
{
	g_mutex_lock(&vigil->lock);
	vigil->over = vigil->pairs <= 0;
	bool needed = !vigil->over;
	g_mutex_unlock(&vigil->lock);
	return needed;
}

static void set_ready(struct vigil *vigil, bool ready)
{
	g_mutex_lock(&vigil->lock);
	vigil->ready = ready;
	g_cond_broadcast(&vigil->changed);
	g_mutex_unlock(&vigil->lock);
}

static void set_yielding(struct vigil *vigil, bool yielding)
{
	g_mutex_lock(&vigil->lock);
	vigil->yielding = yielding;
	g_cond_broadcast(&vigil->changed);
	g_mutex_unlock(&vigil->lock);
}

/* The key that stopped the user's keyboard is played again, with what came after it. */
static void let_go(struct x11_server *server, xcb_window_t window)
{
	xcb_input_xi_allow_events(server->c, XCB_CURRENT_TIME, DEVICE_CORE_KEYBOARD,
		XCB_INPUT_EVENT_MODE_REPLAY_DEVICE, 0, window);
}

/* The user presses a key in such a window: the user's keyboard stands still until it is let go here. */
static void give_way(struct vigil *vigil, xcb_window_t window)
{
	struct x11_server *server = vigil->server;
	const xcb_atom_t word = server->atoms[ATOM__CUA_DRIVER_YIELD];
	guardian_grabbing(vigil->guardian, vigil->connection, true);
	set_yielding(vigil, true);
	server->deadline = deadline_in(YIELD_MS + 2 * HEAR_MS + SERVER_MS, NULL);
	/* Keeps new ones away, and ends with us, whatever happens. */
	xcb_set_selection_owner(server->c, vigil->window, word, XCB_CURRENT_TIME);
	remove_pairs(vigil);
	/* It has read that they are gone when it has answered, and asked who is left when it has answered again. */
	ping_wait(server, window, HEAR_MS);
	ping_wait(server, window, HEAR_MS);
	/* What comes next goes straight to it; before another pair comes all is watched again. */
	set_ready(vigil, false);
	watched_clear(vigil->watched, server);
	hold_permit(vigil->hold);
	let_go(server, window);
	xcb_set_selection_owner(server->c, XCB_WINDOW_NONE, word, XCB_CURRENT_TIME);
	/* A ping has its own ideas of what is heard of the root. */
	listen_to_root(server);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	set_yielding(vigil, false);
	guardian_grabbing(vigil->guardian, vigil->connection, false);
}

static void take_property(struct vigil *vigil, const xcb_property_notify_event_t *event)
{
	const xcb_atom_t *atoms = vigil->server->atoms;
	if (event->atom == atoms[ATOM__CUA_DRIVER_YIELD] && event->state == XCB_PROPERTY_NEW_VALUE) {
		/* Another driver watches the window; ours must go, too. */
		set_yielding(vigil, true);
		vigil->yield(deadline_in(YIELD_MS, NULL), vigil->data);
		set_yielding(vigil, false);
	} else if (event->atom == atoms[ATOM__CUA_DRIVER_WATCH] || event->atom == atoms[ATOM__NET_CLIENT_LIST]) {
		/* Windows came or went, or another driver watches none any more; all is looked at again in a moment. */
		set_ready(vigil, false);
	}
}

/* The window in which the user pressed the key of which the event tells; 0: it tells of none. */
static xcb_window_t stopped_in(const xcb_generic_event_t *event)
{
	const xcb_input_key_press_event_t *key = (const void *)event;
	return (event->response_type & 0x7f) == XCB_GE_GENERIC && key->event_type == XCB_INPUT_KEY_PRESS
		&& key->deviceid == DEVICE_CORE_KEYBOARD ? key->event : XCB_WINDOW_NONE;
}

static void take(struct vigil *vigil, const xcb_generic_event_t *event)
{
	xcb_window_t window = stopped_in(event);
	if (window != XCB_WINDOW_NONE) {
		give_way(vigil, window);
	} else if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY) {
		take_property(vigil, (const void *)event);
	} else if ((event->response_type & 0x7f) == XCB_GE_GENERIC) {
		/* Pairs came or went: perhaps with whoever watched a window. */
		set_ready(vigil, false);
	}
}

static void take_wanted(struct vigil *vigil)
{
	g_mutex_lock(&vigil->lock);
	xcb_window_t wanted = vigil->wanted;
	g_mutex_unlock(&vigil->lock);
	if (wanted != XCB_WINDOW_NONE) {
		give_way(vigil, wanted);
		g_mutex_lock(&vigil->lock);
		vigil->wanted = XCB_WINDOW_NONE;
		g_cond_broadcast(&vigil->changed);
		g_mutex_unlock(&vigil->lock);
	}
}

static void watch(struct vigil *vigil)
{
	struct x11_server *server = vigil->server;
	xcb_generic_event_t *event;
	while (goes_on(vigil) && !x11_failed(server) && xcb_connection_has_error(server->c) == 0) {
		eventfd_t unused;
		take_wanted(vigil);
		if (!vigil->ready) {
			if (!look(vigil)) {
				break;
			}
			set_ready(vigil, true);
		}
		while ((event = xcb_poll_for_event(server->c)) != NULL) {
			take(vigil, event);
			free(event);
		}
		xcb_flush(server->c);
		struct pollfd fds[] = {
			{ xcb_get_file_descriptor(server->c), POLLIN, 0 }, { vigil->wake, POLLIN, 0 },
		};
		if (vigil->ready) {
			deadline_poll_all((struct deadline){ G_MAXINT64, NULL }, fds, 2, "the user", NULL);
			eventfd_read(vigil->wake, &unused);
		}
	}
	/* A key that was stopped just now must not go with the connection. */
	watched_clear(vigil->watched, server);
	hold_permit(vigil->hold);
	server->deadline = deadline_in(SERVER_MS, NULL);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	while ((event = xcb_poll_for_event(server->c)) != NULL) {
		xcb_window_t window = stopped_in(event);
		if (window != XCB_WINDOW_NONE) {
			let_go(server, window);
		}
		free(event);
	}
	xcb_flush(server->c);
}

static gpointer thread_main(gpointer data)
{
	struct vigil *vigil = data;
	g_autofree char *why = NULL;
	vigil->server = x11_server_open(vigil->display, &why);
	if (vigil->server != NULL) {
		vigil->server->deadline = deadline_in(SERVER_MS, NULL);
		vigil->eyes = x11_new(vigil->display);
		vigil->watched = watched_new();
		vigil->connection = guardian_add(vigil->guardian, xcb_get_file_descriptor(vigil->server->c));
		guardian_standing(vigil->guardian, vigil->connection);
		vigil->window = xcb_generate_id(vigil->server->c);
		xcb_create_window(vigil->server->c, XCB_COPY_FROM_PARENT, vigil->window, vigil->server->root, -1, -1, 1, 1, 0,
			XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT, &(uint32_t){ 1 });
		listen_to_root(vigil->server);
		watch(vigil);
		guardian_remove(vigil->guardian, vigil->connection);
		watched_free(vigil->watched);
		x11_destroy(vigil->eyes);
		x11_server_close(g_steal_pointer(&vigil->server));
	}
	g_mutex_lock(&vigil->lock);
	vigil->ready = false;
	vigil->over = true;
	g_cond_broadcast(&vigil->changed);
	g_mutex_unlock(&vigil->lock);
	return NULL;
}

/* With the lock: joins a thread that has ended, and starts one if there is none. */
static void start(struct vigil *vigil)
{
	if (vigil->thread != NULL && vigil->over) {
		/* It needs the lock once more, for a last word. */
		GThread *thread = g_steal_pointer(&vigil->thread);
		g_mutex_unlock(&vigil->lock);
		g_thread_join(thread);
		g_mutex_lock(&vigil->lock);
	}
	if (vigil->thread == NULL) {
		vigil->over = vigil->ready = false;
		vigil->thread = g_thread_new("vigil", thread_main, vigil);
	}
}

bool vigil_forbids(struct x11_server *server)
{
	xcb_get_selection_owner_reply_t *reply = x11_reply(server, xcb_get_selection_owner(server->c,
		server->atoms[ATOM__CUA_DRIVER_YIELD]).sequence);
	bool owned = reply != NULL && reply->owner != XCB_WINDOW_NONE;
	free(reply);
	return owned;
}

bool vigil_begin(struct vigil *vigil, struct deadline deadline, GError **error)
{
	bool in_time = true;
	g_mutex_lock(&vigil->lock);
	vigil->pairs++;
	start(vigil);
	eventfd_write(vigil->wake, 1);
	while (in_time && !vigil->over && (vigil->yielding || !vigil->ready)) {
		in_time = g_cond_wait_until(&vigil->changed, &vigil->lock, deadline.at);
	}
	bool watches = in_time && !vigil->over;
	vigil->pairs -= !watches;
	g_mutex_unlock(&vigil->lock);
	if (!watches) {
		g_set_error(error, CUA_ERROR, in_time ? ERROR_NO_INPUT_DEVICE : ERROR_USER_ACTIVE, in_time
			? "Nobody can watch over the user's keyboard"
			: "The user types in a window that hears only one keyboard");
	}
	return watches;
}

void vigil_end(struct vigil *vigil)
{
	g_mutex_lock(&vigil->lock);
	vigil->pairs--;
	g_mutex_unlock(&vigil->lock);
	eventfd_write(vigil->wake, 1);
}
