/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/hold.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "core/wakeup.h"
#include "x11/desk.h"
#include "x11/property.h"
#include "x11/tops.h"

#define ANY_KEY 0
/* A key that waited this long goes where the focus is by then. */
#define HOLD_US (50 * G_TIME_SPAN_MILLISECOND)
/*
 * The user's window is told when the focus comes back; where another window in the same frame gets
 * it, nobody is: so who waits looks again.
 */
#define AGAIN_MS 4
/* An end that has come closer is heard of so much later: nobody wakes the thread for every action.
 */
#define LOOK_MS 500
/* And until that window hears the user's keyboard, where it hears only one. */
#define CLEAR_MS 700
/* What the server may take. */
#define SERVER_MS 1000
enum { MOST_WINDOWS = 1024, MODIFIER_SETS = 32 };

/* What the others want, and what came of it; with the lock. */
struct wish {
	xcb_window_t home, focus;
	gint64 until;            /* 0: nothing is held */
};

struct hold {
	char *display;
	struct guardian *guardian;
	int wake;                /* eventfd */

	GMutex lock;
	GCond changed;
	GThread *thread;         /* NULL: none was needed yet, or it was joined */
	bool stop, over;         /* the thread is to end; has ended, or is about to */
	bool ending, again;      /* it is waited for; another one is wanted after it */
	struct wish wish;
	GArray *forbidden;       /* xcb_window_t */
	void (*clear)(xcb_window_t window, struct deadline deadline, void *data);
	void *data;
	unsigned asked, done; /* changes of these, and how many of them have come to the server */
	gint lost;

	/* Of the thread. */
	struct x11_server *server; /* NULL: not connected */
	int connection;          /* the guardian's number of it */
	bool armed;
	bool released;           /* the grabs are gone; the guardian believes that they are there */
	struct wish now;
	GHashTable *covered;     /* windows with a grab */
	uint32_t modifiers[MODIFIER_SETS];
	uint8_t silent[32];      /* bits: keycodes of modifiers, which are no keys of a text */
	xcb_window_t heard;      /* tells of its focus */
	xcb_window_t wm;         /* whatever has this client's ids is a frame */
	bool away;               /* the focus has left the user's window */
	unsigned suspects;       /* keys since then that did not wait */
	xcb_window_t stopped_in; /* a key for this window waits; 0: none does */
	gint64 stopped;
};

struct hold *hold_new(const char *display, struct guardian *guardian)
{
	struct hold *hold = g_new0(struct hold, 1);
	hold->display = g_strdup(display);
	hold->guardian = guardian;
	hold->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	hold->forbidden = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
	hold->covered = g_hash_table_new(NULL, NULL);
	hold->connection = -1;
	g_mutex_init(&hold->lock);
	g_cond_init(&hold->changed);
	return hold;
}

static gpointer thread_main(gpointer data);

/* With the lock. */
static void start(struct hold *hold)
{
	if (hold->thread == NULL && hold->ending) {
		hold->again = true;
	} else if (hold->thread == NULL) {
		hold->stop = hold->over = false;
		hold->thread = g_thread_new("hold", thread_main, hold);
	}
}

void hold_rest(struct hold *hold)
{
	g_mutex_lock(&hold->lock);
	GThread *thread = g_steal_pointer(&hold->thread);
	hold->stop = hold->ending = thread != NULL;
	g_mutex_unlock(&hold->lock);
	if (thread == NULL) {
		return;
	}
	eventfd_write(hold->wake, 1);
	g_thread_join(thread);
	/* Two threads at once would share what belongs to one. */
	g_mutex_lock(&hold->lock);
	hold->ending = false;
	if (hold->again) {
		hold->again = false;
		start(hold);
	}
	g_mutex_unlock(&hold->lock);
}

void hold_free(struct hold *hold)
{
	if (hold == NULL) {
		return;
	}
	hold_rest(hold);
	close(hold->wake);
	g_array_unref(hold->forbidden);
	g_hash_table_unref(hold->covered);
	g_mutex_clear(&hold->lock);
	g_cond_clear(&hold->changed);
	g_free(hold->display);
	g_free(hold);
}

unsigned hold_lost(struct hold *hold)
{
	return (unsigned)g_atomic_int_get(&hold->lost);
}

/* --- The server ----------------------------------------------------------------------------- */

/* All that makes text, and Control. Window managers have keys with Alt and Super on windows; those
 * stay theirs. */
static void list_modifiers(uint32_t sets[MODIFIER_SETS])
{
	static const uint32_t each[] = { XCB_MOD_MASK_SHIFT, XCB_MOD_MASK_LOCK,
		XCB_MOD_MASK_CONTROL, XCB_MOD_MASK_2, XCB_MOD_MASK_5 };
	for (unsigned i = 0; i < MODIFIER_SETS; i++) {
		sets[i] = 0;
		for (unsigned bit = 0; bit < G_N_ELEMENTS(each); bit++) {
			sets[i] |= i >> bit & 1 ? each[bit] : 0;
		}
	}
}

static void learn_silent(struct hold *hold)
{
	struct x11_server *server = hold->server;
	xcb_get_modifier_mapping_reply_t *reply = x11_reply(
		server, xcb_get_modifier_mapping(server->c).sequence);
	if (reply == NULL) {
		return;
	}
	const xcb_keycode_t *codes = xcb_get_modifier_mapping_keycodes(reply);
	for (int i = 0; i < 8 * reply->keycodes_per_modifier; i++) {
		hold->silent[codes[i] / 8] |= (uint8_t)(1 << codes[i] % 8);
	}
	free(reply);
}

static bool is_forbidden(struct hold *hold, xcb_window_t window)
{
	bool forbidden = false;
	g_mutex_lock(&hold->lock);
	for (guint i = 0; i < hold->forbidden->len; i++) {
		forbidden |= g_array_index(hold->forbidden, xcb_window_t, i) == window;
	}
	g_mutex_unlock(&hold->lock);
	return forbidden;
}

/* Nobody waits for the answer: a window that somebody else has keys of is not covered, and its keys
 * are counted. */
static void cover(struct hold *hold, xcb_window_t window)
{
	struct x11_server *server = hold->server;
	const uint32_t mask = XCB_INPUT_XI_EVENT_MASK_KEY_PRESS
		| XCB_INPUT_XI_EVENT_MASK_KEY_RELEASE;
	if (is_forbidden(hold, window) || window == hold->now.home
		|| g_hash_table_size(hold->covered) >= MOST_WINDOWS
		|| !g_hash_table_add(hold->covered, GUINT_TO_POINTER(window))) {
		return;
	}
	xcb_discard_reply(server->c,
		xcb_input_xi_passive_grab_device(server->c, XCB_CURRENT_TIME, window,
			XCB_CURSOR_NONE, ANY_KEY, DEVICE_CORE_KEYBOARD, MODIFIER_SETS, 1,
			XCB_INPUT_GRAB_TYPE_KEYCODE, XCB_INPUT_GRAB_MODE_22_SYNC,
			XCB_INPUT_GRAB_MODE_22_ASYNC, false, &mask, hold->modifiers)
			.sequence);
}

static void uncover(struct hold *hold, xcb_window_t window)
{
	struct x11_server *server = hold->server;
	if (g_hash_table_remove(hold->covered, GUINT_TO_POINTER(window))) {
		xcb_input_xi_passive_ungrab_device(server->c, window, ANY_KEY, DEVICE_CORE_KEYBOARD,
			MODIFIER_SETS, XCB_INPUT_GRAB_TYPE_KEYCODE, hold->modifiers);
	}
}

static void listen_to(struct hold *hold, xcb_window_t focus)
{
	static const uint32_t none = 0, wanted = XCB_EVENT_MASK_FOCUS_CHANGE;
	if (focus != hold->heard) {
		if (hold->heard > XCB_INPUT_FOCUS_POINTER_ROOT) {
			xcb_change_window_attributes(
				hold->server->c, hold->heard, XCB_CW_EVENT_MASK, &none);
		}
		hold->heard = focus;
		if (focus > XCB_INPUT_FOCUS_POINTER_ROOT) {
			xcb_change_window_attributes(
				hold->server->c, focus, XCB_CW_EVENT_MASK, &wanted);
		}
	}
}

/* New windows, and what the user's keyboard does. */
static void listen_to_all(struct hold *hold, bool on)
{
	struct x11_server *server = hold->server;
	const uint32_t mask = on ? XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY : 0;
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} keys = { { DEVICE_CORE_KEYBOARD, 1 }, on ? XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS : 0 };
	xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
	xcb_input_xi_select_events(server->c, server->root, 1, &keys.head);
}

static void cover_all(struct hold *hold)
{
	struct x11_server *server = hold->server;
	unsigned list = x11_property_ask(
		server, server->root, server->atoms[ATOM__NET_CLIENT_LIST], MOST_WINDOWS);
	unsigned check = x11_property_ask(
		server, server->root, server->atoms[ATOM__NET_SUPPORTING_WM_CHECK], 1);
	xcb_query_tree_cookie_t tree = xcb_query_tree(server->c, server->root);
	xcb_get_property_reply_t *listed = x11_reply(server, list), *wm = x11_reply(server, check);
	xcb_query_tree_reply_t *children = x11_reply(server, tree.sequence);
	gsize count;
	const uint32_t *windows = x11_property_words(listed, &count);
	hold->wm = x11_property_word(wm, XCB_WINDOW_NONE);
	for (gsize i = 0; i < count; i++) {
		cover(hold, windows[i]);
	}
	for (int i = 0; count == 0 && children != NULL && i < children->children_len; i++) {
		cover(hold, xcb_query_tree_children(children)[i]);
	}
	free(listed);
	free(wm);
	free(children);
}

/* --- Arming --------------------------------------------------------------------------------- */

static void disarm(struct hold *hold)
{
	GHashTableIter iter;
	gpointer window;
	if (!hold->armed) {
		return;
	}
	/* What was typed away from the user's window and never came back. */
	g_atomic_int_add(&hold->lost, (gint)hold->suspects);
	hold->armed = hold->away = false;
	hold->suspects = 0;
	listen_to(hold, XCB_WINDOW_NONE);
	listen_to_all(hold, false);
	g_hash_table_iter_init(&iter, hold->covered);
	while (g_hash_table_iter_next(&iter, &window, NULL)) {
		xcb_input_xi_passive_ungrab_device(hold->server->c, GPOINTER_TO_UINT(window),
			ANY_KEY, DEVICE_CORE_KEYBOARD, MODIFIER_SETS, XCB_INPUT_GRAB_TYPE_KEYCODE,
			hold->modifiers);
		g_hash_table_iter_remove(&iter);
	}
	/* What is stopped from now on is none of ours; what was is among the events by now. */
	free(x11_reply(hold->server, xcb_get_input_focus(hold->server->c).sequence));
	hold->released = true;
}

static void disconnect(struct hold *hold)
{
	if (hold->server != NULL) {
		guardian_remove(hold->guardian, hold->connection);
		x11_server_close(g_steal_pointer(&hold->server));
	}
	hold->connection = -1;
	hold->armed = hold->away = hold->released = false;
	hold->suspects = 0;
	hold->stopped_in = hold->heard = XCB_WINDOW_NONE;
	g_hash_table_remove_all(hold->covered);
}

static bool connect_to(struct hold *hold)
{
	g_autofree char *why = NULL;
	if (hold->server != NULL) {
		return true;
	}
	hold->server = x11_server_open(hold->display, &why);
	if (hold->server == NULL) {
		return false;
	}
	hold->server->deadline = deadline_in(SERVER_MS, NULL);
	hold->connection = guardian_add(hold->guardian, xcb_get_file_descriptor(hold->server->c));
	if (!hold->server->has_xinput || hold->connection < 0) {
		disconnect(hold);
		return false;
	}
	list_modifiers(hold->modifiers);
	learn_silent(hold);
	return true;
}

/* Without a guardian a stopped driver would stop the user's keyboard. */
static bool get_ready(struct hold *hold)
{
	return guardian_log(hold->guardian, NULL) != NULL && connect_to(hold);
}

static void arm(struct hold *hold, const struct wish *wish)
{
	if (!get_ready(hold)) {
		return;
	}
	hold->armed = true;
	hold->released = false;
	hold->now = *wish;
	guardian_holding(hold->guardian, hold->connection, true);
	listen_to_all(hold, true);
	listen_to(hold, wish->focus);
	cover_all(hold);
}

/* Where the user works is not covered; where the user worked is. */
static void follow(struct hold *hold, const struct wish *wish)
{
	xcb_window_t before = hold->now.home;
	bool moved = wish->home != before;
	hold->now = *wish;
	if (moved) {
		uncover(hold, wish->home);
	}
	if (moved && before != XCB_WINDOW_NONE) {
		cover(hold, before);
	}
	if (moved || wish->focus != hold->heard) {
		/* The user went there. */
		hold->away = false;
		hold->suspects = 0;
	}
	listen_to(hold, wish->focus);
}

/* --- Keys ----------------------------------------------------------------------------------- */

/* Whether the user's keyboard is where the user works. */
static bool is_home(struct hold *hold)
{
	struct x11_server *server = hold->server;
	xcb_window_t focus = x11_focus_collect(server, x11_focus_ask(server));
	if (focus <= XCB_INPUT_FOCUS_POINTER_ROOT) {
		return false;
	}
	return focus == hold->now.focus || focus == hold->now.home
		|| x11_top_of(server, focus)
		== x11_top_of(server,
			hold->now.home != XCB_WINDOW_NONE ? hold->now.home : hold->now.focus);
}

/* The key that waits is dealt out anew, where the focus is. */
static void let_go(struct hold *hold, bool lost)
{
	struct x11_server *server = hold->server;
	xcb_input_xi_allow_events(server->c, XCB_CURRENT_TIME, DEVICE_CORE_KEYBOARD,
		XCB_INPUT_EVENT_MODE_REPLAY_DEVICE, 0, hold->stopped_in);
	xcb_flush(server->c);
	hold->stopped_in = XCB_WINDOW_NONE;
	if (lost) {
		hold->suspects++;
	}
}

static void look(struct hold *hold)
{
	if (hold->stopped_in == XCB_WINDOW_NONE) {
		return;
	}
	if (!hold->armed || hold->stopped_in == hold->now.home || is_home(hold)) {
		/* What is dealt out anew passes by whoever watches over that window. */
		if (is_forbidden(hold, hold->now.home)) {
			hold->clear(hold->now.home, deadline_in(CLEAR_MS, NULL), hold->data);
		}
		let_go(hold, false);
	} else if (g_get_monotonic_time() - hold->stopped >= HOLD_US) {
		let_go(hold, true);
	}
}

static void take_focus(struct hold *hold, const xcb_focus_in_event_t *event, bool in)
{
	if (event->event != hold->heard || event->detail == XCB_NOTIFY_DETAIL_INFERIOR
		|| event->detail >= XCB_NOTIFY_DETAIL_POINTER
		|| (event->mode != XCB_NOTIFY_MODE_NORMAL
			&& event->mode != XCB_NOTIFY_MODE_WHILE_GRABBED)) {
		return;
	}
	hold->away = !in;
	if (in) {
		/* It was taken and given back: had the user left, the guard would have said so. */
		g_atomic_int_add(&hold->lost, (gint)hold->suspects);
		hold->suspects = 0;
	}
}

static void take_input(struct hold *hold, const xcb_ge_generic_event_t *event)
{
	if (event->extension != hold->server->xinput_opcode) {
		return;
	}
	if (event->event_type == XCB_INPUT_RAW_KEY_PRESS) {
		const xcb_input_raw_key_press_event_t *raw = (const void *)event;
		bool silent = raw->detail < 256
			&& (hold->silent[raw->detail / 8] >> raw->detail % 8 & 1) != 0;
		hold->suspects += hold->away && hold->stopped_in == XCB_WINDOW_NONE && !silent;
	} else if (event->event_type == XCB_INPUT_KEY_PRESS) {
		const xcb_input_key_press_event_t *key = (const void *)event;
		hold->stopped_in = key->event;
		hold->stopped = g_get_monotonic_time();
		/* It was counted when it was pressed. */
		hold->suspects -= hold->suspects > 0;
	}
}

static void take(struct hold *hold, const xcb_generic_event_t *event)
{
	const xcb_create_notify_event_t *created = (const void *)event;
	const xcb_destroy_notify_event_t *destroyed = (const void *)event;
	struct x11_server *server = hold->server;
	switch (event->response_type & 0x7f) {
	case XCB_CREATE_NOTIFY:
		/* A frame's client has the key first, and window managers have keys of their own on
		 * frames. */
		if (hold->armed && created->parent == server->root && !created->override_redirect
			&& (hold->wm == XCB_WINDOW_NONE
				|| ((created->window ^ hold->wm) & ~server->id_mask) != 0)) {
			cover(hold, created->window);
		}
		break;
	case XCB_DESTROY_NOTIFY:
		g_hash_table_remove(hold->covered, GUINT_TO_POINTER(destroyed->window));
		if (destroyed->window == hold->heard) {
			hold->heard = XCB_WINDOW_NONE;
		}
		break;
	case XCB_FOCUS_IN:
	case XCB_FOCUS_OUT:
		take_focus(
			hold, (const void *)event, (event->response_type & 0x7f) == XCB_FOCUS_IN);
		break;
	case XCB_GE_GENERIC:
		take_input(hold, (const void *)event);
		break;
	default:
		break;
	}
}

/* False if the connection is of no use any more. */
static bool take_all(struct hold *hold)
{
	xcb_connection_t *c = hold->server->c;
	xcb_generic_event_t *event = xcb_poll_for_event(c);
	do {
		for (; event != NULL; event = xcb_poll_for_event(c)) {
			hold->server->deadline = deadline_in(SERVER_MS, NULL);
			take(hold, event);
			free(event);
		}
		hold->server->deadline = deadline_in(SERVER_MS, NULL);
		look(hold);
		xcb_flush(c);
		/* Replies, and what is read while something is sent, bring events along, which
		 * nothing tells of later. */
	} while ((event = xcb_poll_for_queued_event(c)) != NULL);
	if (hold->released && hold->stopped_in == XCB_WINDOW_NONE) {
		hold->released = false;
		guardian_holding(hold->guardian, hold->connection, false);
	}
	return xcb_connection_has_error(hold->server->c) == 0 && !x11_failed(hold->server);
}

/* --- The thread ----------------------------------------------------------------------------- */

/* What was asked for comes to the server. False: it is all over. */
static bool obey(struct hold *hold)
{
	g_mutex_lock(&hold->lock);
	unsigned asked = hold->asked;
	const struct wish wish = hold->wish;
	bool stop = hold->stop;
	g_autoptr(GArray) forbidden = g_array_copy(hold->forbidden);
	g_mutex_unlock(&hold->lock);
	bool wanted = !stop && wish.until > g_get_monotonic_time();
	if (hold->server != NULL) {
		hold->server->deadline = deadline_in(SERVER_MS, NULL);
	}
	if (wanted && !hold->armed) {
		arm(hold, &wish);
	} else if (wanted && (wish.home != hold->now.home || wish.focus != hold->now.focus)) {
		follow(hold, &wish);
	} else if (!wanted && hold->armed) {
		disarm(hold);
	}
	hold->now.until = wish.until;
	for (guint i = 0; hold->armed && i < forbidden->len; i++) {
		uncover(hold, g_array_index(forbidden, xcb_window_t, i));
	}
	if (hold->server != NULL && asked != hold->done) {
		look(hold);
		/* Who waits sends something by another connection next. */
		free(x11_reply(hold->server, xcb_get_input_focus(hold->server->c).sequence));
	}
	g_mutex_lock(&hold->lock);
	hold->done = asked;
	hold->over = stop;
	g_cond_broadcast(&hold->changed);
	g_mutex_unlock(&hold->lock);
	return !stop;
}

static void wait_for_news(struct hold *hold)
{
	struct pollfd fds[] = {
		{ hold->wake, POLLIN, 0 },
		{ hold->server != NULL ? xcb_get_file_descriptor(hold->server->c) : -1, POLLIN, 0 },
	};
	gint64 left = hold->armed
		? CLAMP((hold->now.until - g_get_monotonic_time()) / 1000 + 1, 0, LOOK_MS)
		: -1;
	if (hold->stopped_in != XCB_WINDOW_NONE) {
		left = AGAIN_MS;
	}
	eventfd_t unused;
	poll(fds, 2, (int)CLAMP(left, -1, G_MAXINT));
	eventfd_read(hold->wake, &unused);
}

static gpointer thread_main(gpointer data)
{
	struct hold *hold = data;
	get_ready(hold);
	wakeup_soon();
	while (obey(hold)) {
		if (hold->server != NULL && !take_all(hold)) {
			/* The server went away, or the guardian found us stopped. */
			disconnect(hold);
			continue;
		}
		wait_for_news(hold);
	}
	if (hold->server != NULL) {
		/* A key that was stopped just now must not go with the connection. */
		take_all(hold);
	}
	disconnect(hold);
	return NULL;
}

/* With the lock: something was changed; is done once `done` is what this returns. */
static unsigned tell(struct hold *hold)
{
	unsigned number = ++hold->asked;
	eventfd_write(hold->wake, 1);
	return number;
}

/* With the lock. */
static void wait_until(struct hold *hold, unsigned number, struct deadline deadline)
{
	while (hold->thread != NULL && !hold->over && (gint)(hold->done - number) < 0
		&& g_cond_wait_until(&hold->changed, &hold->lock, deadline.at)) {
	}
}

void hold_prepare(struct hold *hold)
{
	g_mutex_lock(&hold->lock);
	start(hold);
	g_mutex_unlock(&hold->lock);
}

void hold_arm(struct hold *hold, xcb_window_t home, xcb_window_t focus, gint64 until)
{
	const struct wish wish = { home, focus, home > XCB_INPUT_FOCUS_POINTER_ROOT
		|| focus > XCB_INPUT_FOCUS_POINTER_ROOT ? until : 0 };
	g_mutex_lock(&hold->lock);
	bool same = wish.home == hold->wish.home && wish.focus == hold->wish.focus
		&& hold->wish.until > g_get_monotonic_time();
	bool needed = wish.until > g_get_monotonic_time();
	bool news = needed ? !same : hold->wish.until != 0;
	if (needed) {
		start(hold);
	}
	hold->wish = wish;
	if (news && hold->thread != NULL) {
		tell(hold);
	}
	g_mutex_unlock(&hold->lock);
}

void hold_drop(struct hold *hold, struct deadline deadline)
{
	g_mutex_lock(&hold->lock);
	bool held = hold->wish.until != 0;
	hold->wish.until = 0;
	if (held && hold->thread != NULL) {
		wait_until(hold, tell(hold), deadline);
	}
	g_mutex_unlock(&hold->lock);
}

void hold_ask(struct hold *hold,
	void (*clear)(xcb_window_t window, struct deadline deadline, void *data), void *data)
{
	hold->clear = clear;
	hold->data = data;
}

void hold_forbid(struct hold *hold, xcb_window_t window, struct deadline deadline)
{
	g_mutex_lock(&hold->lock);
	bool known = false;
	for (guint i = 0; i < hold->forbidden->len; i++) {
		known |= g_array_index(hold->forbidden, xcb_window_t, i) == window;
	}
	if (!known) {
		g_array_append_val(hold->forbidden, window);
	}
	if (!known && hold->thread != NULL) {
		wait_until(hold, tell(hold), deadline);
	}
	g_mutex_unlock(&hold->lock);
}

void hold_permit(struct hold *hold)
{
	g_mutex_lock(&hold->lock);
	g_array_set_size(hold->forbidden, 0);
	g_mutex_unlock(&hold->lock);
}
