/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/sentry.h"

#include <stdlib.h>
#include <xcb/res.h>
#include <xcb/xinput.h>

#include "apps/process.h"
#include "x11/describe.h"
#include "x11/property.h"

enum { MAX_WINDOWS = 65536 };
/* What the server may take to answer. */
#define SERVER_MS 1000
/* How long an application that was acted on is kept from taking the focus. */
#define GUARD_US (1500 * G_TIME_SPAN_MILLISECOND)
/* And its answer is waited for. */
#define HOLD_US (30 * G_TIME_SPAN_SECOND)
/* One that was started may take longer until it shows what it has. */
#define LAUNCH_GUARD_US (10 * G_TIME_SPAN_SECOND)

pid_t x11_sentry_owner(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_server *server = sentry->server;
	pid_t pid = 0;
	if (window <= XCB_INPUT_FOCUS_POINTER_ROOT) {
		return 0;
	}
	if (server->has_res) {
		const xcb_res_client_id_spec_t spec = { window & ~server->id_mask,
			XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
		xcb_res_query_client_ids_reply_t *reply = x11_reply(server,
			xcb_res_query_client_ids(server->c, 1, &spec).sequence);
		if (reply != NULL) {
			xcb_res_client_id_value_iterator_t it = xcb_res_query_client_ids_ids_iterator(reply);
			if (it.rem > 0 && xcb_res_client_id_value_value_length(it.data) > 0) {
				pid = (pid_t)*xcb_res_client_id_value_value(it.data);
			}
			free(reply);
		}
	}
	if (pid == 0) {
		xcb_get_property_reply_t *reply = x11_reply(server,
			x11_property_ask(server, window, server->atoms[ATOM__NET_WM_PID], 1));
		pid = (pid_t)x11_property_word(reply, 0);
		free(reply);
	}
	return pid;
}

struct x11_charge *x11_sentry_charge(struct x11_sentry *sentry, pid_t pid)
{
	gint64 now = g_get_monotonic_time();
	for (guint i = 0; i < sentry->charges->len; i++) {
		struct x11_charge *charge = &g_array_index(sentry->charges, struct x11_charge, i);
		if (charge->until > now && (charge->pid == pid
			|| (charge->launching && process_is_of(pid, charge->pid)))) {
			return charge;
		}
	}
	return NULL;
}

void x11_sentry_note(struct x11_sentry *sentry, enum happening_kind kind, xcb_window_t window,
	pid_t pid)
{
	past_note(sentry->past, &(struct happening){
		.kind = kind, .at = g_get_monotonic_time(), .window = window, .pid = pid,
	});
}

void x11_sentry_note_taken(struct x11_sentry *sentry, const char *what, pid_t pid, pid_t cause)
{
	past_note(sentry->past,
		&(struct happening){
			.kind = HAPPENED_TAKEN,
			.at = g_get_monotonic_time(),
			.what = what,
			.pid = pid,
			.cause = cause,
		});
}

void x11_sentry_hold(struct x11_sentry *sentry)
{
	/* Also a lookout that nobody hears of any more comes to an end. */
	gint64 now = g_get_monotonic_time(), until = 0;
	for (guint i = 0; i < sentry->charges->len; i++) {
		until = MAX(until, g_array_index(sentry->charges, struct x11_charge, i).until);
	}
	/* Also that nothing is to be held any more: somebody else may have asked for it meanwhile. */
	hold_arm(sentry->hold, sentry->home, sentry->home_focus,
		until > now ? MIN(until, now + HOLD_US) : 0);
}

static bool contains(const GArray *windows, xcb_window_t window)
{
	for (guint i = 0; i < windows->len; i++) {
		if (g_array_index(windows, xcb_window_t, i) == window) {
			return true;
		}
	}
	return false;
}

static GArray *read_clients(struct x11_sentry *sentry)
{
	struct x11_server *server = sentry->server;
	GArray *clients = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, server->root,
		server->atoms[ATOM__NET_CLIENT_LIST], MAX_WINDOWS));
	gsize count;
	const uint32_t *words = x11_property_words(reply, &count);
	if (count > 0) {
		g_array_append_vals(clients, words, (guint)count);
	}
	free(reply);
	return clients;
}

bool x11_sentry_knows(const struct x11_sentry *sentry, xcb_window_t window)
{
	return contains(sentry->clients, window);
}

static uint32_t mask_of(const struct x11_sentry *sentry, xcb_window_t window)
{
	return (window == sentry->focus ? XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_LEAVE_WINDOW : 0)
		| x11_knowledge_mask(sentry, window)
		| (sentry->attends && contains(sentry->clients, window) ? XCB_EVENT_MASK_PROPERTY_CHANGE : 0);
}

void x11_sentry_select(struct x11_sentry *sentry, xcb_window_t window)
{
	uint32_t mask = mask_of(sentry, window);
	if (window > XCB_INPUT_FOCUS_POINTER_ROOT && window != sentry->server->root) {
		xcb_change_window_attributes(sentry->server->c, window, XCB_CW_EVENT_MASK, &mask);
	}
}

void x11_sentry_attend(struct x11_sentry *sentry, bool on)
{
	sentry->attends = on;
	for (guint i = 0; i < sentry->clients->len; i++) {
		x11_sentry_select(sentry, g_array_index(sentry->clients, xcb_window_t, i));
	}
	xcb_flush(sentry->server->c);
}

/* The window manager's list has changed: who came, who went? */
static void update_clients(struct x11_sentry *sentry)
{
	g_autoptr(GArray) before = sentry->clients;
	sentry->clients = read_clients(sentry);
	for (guint i = 0; i < sentry->clients->len; i++) {
		xcb_window_t window = g_array_index(sentry->clients, xcb_window_t, i);
		if (!contains(before, window)) {
			if (sentry->attends) {
				x11_sentry_select(sentry, window);
			}
			pid_t pid = x11_sentry_owner(sentry, window);
			x11_kin_adopt(sentry, window, pid, true);
			x11_guard_opened(sentry, window, pid);
			x11_sentry_note(sentry, HAPPENED_OPENED, window, pid);
		}
	}
	for (guint i = 0; i < before->len; i++) {
		xcb_window_t window = g_array_index(before, xcb_window_t, i);
		if (!contains(sentry->clients, window)) {
			x11_sentry_note(sentry, HAPPENED_CLOSED, window, 0);
		}
	}
}

/* A window nobody manages: a menu or another popup; or any window where nobody manages. */
static void take_map(struct x11_sentry *sentry, const xcb_map_notify_event_t *event)
{
	if (event->event == sentry->server->root && event->override_redirect) {
		x11_curtain_mapped(sentry, event->window);
	}
	if ((sentry->charges->len == 0 && !sentry->attends) || event->event != sentry->server->root
		|| (!event->override_redirect && sentry->clients->len > 0)) {
		return;
	}
	pid_t pid = x11_sentry_owner(sentry, event->window);
	if (x11_is_incidental(sentry->server, event->window)) {
		return;
	}
	if (x11_sentry_charge(sentry, pid) != NULL) {
		sentry->popup = g_get_monotonic_time();
	} else {
		sentry->foreign_popup = g_get_monotonic_time();
	}
	x11_sentry_note(sentry, HAPPENED_OPENED, event->window, pid);
	x11_dismiss_look(sentry);
}

static void take_property(struct x11_sentry *sentry, const xcb_property_notify_event_t *event)
{
	const xcb_atom_t *atoms = sentry->server->atoms;
	if (event->window == sentry->server->root) {
		x11_curtain_property(sentry, event->atom);
		if (event->atom == atoms[ATOM__NET_CLIENT_LIST]) {
			update_clients(sentry);
		} else if (event->atom == atoms[ATOM__NET_CLIENT_LIST_STACKING]) {
			x11_guard_restacked(sentry);
		} else if (event->atom == atoms[ATOM__NET_ACTIVE_WINDOW]) {
			x11_guard_look(sentry);
			if (sentry->attends) {
				x11_sentry_note(sentry, HAPPENED_PLACED, sentry->active, 0);
			}
		}
	} else if ((event->window == sentry->target || sentry->attends) && (event->atom == atoms[ATOM__NET_WM_NAME]
		|| event->atom == XCB_ATOM_WM_NAME)) {
		x11_sentry_note(sentry, HAPPENED_RETITLED, event->window, 0);
	}
}

static void take_focus(struct x11_sentry *sentry, const xcb_focus_in_event_t *event, bool out)
{
	if (event->event != sentry->focus) {
		return;
	}
	if (event->event != sentry->home_focus && (event->mode == XCB_NOTIFY_MODE_GRAB
		|| event->mode == XCB_NOTIFY_MODE_UNGRAB)) {
		/* Where the user does not work it is our own, for a key that waits (hold.h). */
		return;
	}
	if (out && event->mode == XCB_NOTIFY_MODE_GRAB) {
		sentry->keyboard_grabs++;
		sentry->grabbed = true;
		/* What comes that soon is what the user clicked for. */
		sentry->own = x11_choice_works(sentry->choice.selected);
		x11_dismiss_look(sentry);
	} else if (!out && event->mode == XCB_NOTIFY_MODE_UNGRAB) {
		sentry->grabbed = false;
	} else if (out && event->detail != XCB_NOTIFY_DETAIL_INFERIOR) {
		x11_guard_left(sentry);
	}
}

static void take_raw(struct x11_sentry *sentry, const xcb_ge_generic_event_t *event)
{
	if (event->extension != sentry->server->xinput_opcode) {
		return;
	}
	const xcb_input_raw_key_press_event_t *raw = (const void *)event;
	sentry->motions += event->event_type == XCB_INPUT_RAW_MOTION;
	x11_guard_input(sentry, event->event_type, raw->detail);
}

void x11_sentry_wipe(struct x11_sentry *sentry)
{
	if (sentry->damage != XCB_NONE) {
		xcb_damage_subtract(sentry->server->c, sentry->damage, XCB_NONE, XCB_NONE);
	}
	sentry->drawn = false;
}

static void watch_damage(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_server *server = sentry->server;
	if (sentry->damage != XCB_NONE) {
		xcb_damage_destroy(server->c, sentry->damage);
		sentry->damage = XCB_NONE;
	}
	if (server->has_damage && window != XCB_WINDOW_NONE) {
		/* All of the window counts as drawn when it begins: who acts on it wipes that. */
		sentry->damage = server->damage;
		xcb_damage_create(server->c, sentry->damage, window, XCB_DAMAGE_REPORT_LEVEL_BOUNDING_BOX);
	}
}

static void set_target(struct x11_sentry *sentry, xcb_window_t window)
{
	if (window != sentry->target) {
		sentry->target = window;
		sentry->watched = sentry->drawn = false;
		x11_knowledge_turn(sentry, window);
		watch_damage(sentry, window);
	}
}

/* By a client, who can say anything. */
static bool is_sent(const xcb_generic_event_t *event)
{
	return (event->response_type & 0x80) != 0;
}

static void take_event(struct x11_sentry *sentry, const xcb_generic_event_t *event)
{
	const xcb_leave_notify_event_t *leave = (const void *)event;
	unsigned type = event->response_type & 0x7f;
	x11_knowledge_note(sentry, event);
	if (sentry->server->has_damage && type == sentry->server->damage_notify) {
		const xcb_damage_notify_event_t *damage = (const void *)event;
		if (damage->damage == sentry->damage && sentry->watched) {
			past_note(sentry->past, &(struct happening){
				.kind = HAPPENED_PIXELS, .at = g_get_monotonic_time(), .window = damage->drawable,
				.area = { { damage->area.x, damage->area.y }, damage->area.width, damage->area.height },
			});
			sentry->drawn = true;
		}
		return;
	}
	if (sentry->server->selection_notify != 0 && type == sentry->server->selection_notify) {
		x11_clip_taken(sentry, (const void *)event);
		return;
	}
	switch (type) {
	case XCB_GE_GENERIC:
		take_raw(sentry, (const void *)event);
		break;
	case XCB_FOCUS_IN:
	case XCB_FOCUS_OUT:
		take_focus(sentry, (const void *)event, type == XCB_FOCUS_OUT);
		break;
	case XCB_LEAVE_NOTIFY:
		sentry->pointer_grabs += leave->mode == XCB_NOTIFY_MODE_GRAB;
		break;
	case XCB_PROPERTY_NOTIFY:
		take_property(sentry, (const void *)event);
		break;
	case XCB_CONFIGURE_NOTIFY: {
		xcb_window_t window = ((const xcb_configure_notify_event_t *)event)->window;
		if (sentry->attends && window == sentry->target) {
			x11_sentry_note(sentry, HAPPENED_PLACED, window, 0);
		}
		break;
	}
	case XCB_CLIENT_MESSAGE:
		x11_guard_asked(sentry, (const void *)event);
		x11_handover_heard(sentry, event);
		break;
	case XCB_CREATE_NOTIFY:
		x11_guard_created(sentry, (const void *)event);
		break;
	case XCB_MAP_NOTIFY:
		take_map(sentry, (const void *)event);
		break;
	case XCB_UNMAP_NOTIFY: {
		const xcb_unmap_notify_event_t *unmap = (const void *)event;
		x11_curtain_gone(sentry, unmap->window);
		/* A menu, or any window where nobody manages. */
		if (sentry->attends && unmap->event == sentry->server->root
			&& unmap->window != sentry->target && !contains(sentry->clients, unmap->window)) {
			x11_sentry_note(sentry, HAPPENED_CLOSED, unmap->window, 0);
		}
		break;
	}
	case XCB_DESTROY_NOTIFY: {
		xcb_window_t window = ((const xcb_destroy_notify_event_t *)event)->window;
		x11_curtain_gone(sentry, window);
		if (window == sentry->target && !contains(sentry->clients, window)) {
			x11_sentry_note(sentry, HAPPENED_CLOSED, window, 0);
		}
		if (window == sentry->target && !is_sent(event)) {
			/* The next one of this id is another window. */
			set_target(sentry, XCB_WINDOW_NONE);
		}
		break;
	}
	}
}

bool x11_sentry_catch_up(struct x11_sentry *sentry)
{
	xcb_generic_event_t *event;
	while ((event = g_queue_pop_head(&sentry->waiting)) != NULL
		|| (event = xcb_poll_for_queued_event(sentry->server->c)) != NULL) {
		sentry->server->deadline = deadline_in(SERVER_MS, NULL);
		take_event(sentry, event);
		free(event);
	}
	return xcb_connection_has_error(sentry->server->c) == 0 && !x11_failed(sentry->server);
}

bool x11_sentry_listen(struct x11_sentry *sentry)
{
	x11_sentry_catch_up(sentry);
	xcb_generic_event_t *event = xcb_poll_for_event(sentry->server->c);
	if (event != NULL) {
		g_queue_push_tail(&sentry->waiting, event);
	}
	return x11_sentry_catch_up(sentry);
}

/* Raw events tell the user's hand from programs; selected only while somebody might take something. */
static void select_raw(struct x11_sentry *sentry)
{
	bool on = sentry->charges->len > 0 || sentry->sires->len > 0;
	if (on == sentry->raw) {
		return;
	}
	sentry->raw = on;
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} pointer = { { DEVICE_CORE_POINTER, 1 }, on ? XCB_INPUT_XI_EVENT_MASK_RAW_MOTION
		| XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS : 0 },
	keyboard = { { DEVICE_CORE_KEYBOARD, 1 }, on ? XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS
		| XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE : 0 };
	if (sentry->server->has_xinput) {
		xcb_input_xi_select_events(sentry->server->c, sentry->server->root, 1, &pointer.head);
		xcb_input_xi_select_events(sentry->server->c, sentry->server->root, 1, &keyboard.head);
	}
	if (!on) {
		/* Nobody else sends anything then. */
		xcb_flush(sentry->server->c);
	}
}

void x11_sentry_set_focus(struct x11_sentry *sentry, xcb_window_t focus)
{
	if (focus == sentry->focus) {
		return;
	}
	xcb_window_t before = sentry->focus;
	sentry->focus = focus;
	x11_sentry_select(sentry, before);
	x11_sentry_select(sentry, focus);
	sentry->grabbed = false;
	sentry->focus_pid = x11_sentry_owner(sentry, focus);
}

/* The charge of exactly that process, or NULL: what a launched one started is charged by itself when something is done to it. */
static struct x11_charge *own_charge(struct x11_sentry *sentry, pid_t pid)
{
	for (guint i = 0; i < sentry->charges->len; i++) {
		struct x11_charge *charge = &g_array_index(sentry->charges, struct x11_charge, i);
		if (charge->pid == pid) {
			return charge;
		}
	}
	return NULL;
}

void x11_sentry_watch(struct x11_sentry *sentry, const struct window *window, bool allow_grab)
{
	struct x11_charge charge = { .pid = window->pid,
		.window = (xcb_window_t)window->id,
		.until = G_MAXINT64,
		.allow_grab = allow_grab,
		.launching = window->id == 0 };
	struct x11_charge *known = own_charge(sentry, window->pid);
	if (sentry->charges->len == 0) {
		sentry->since = x11_kin_ticks();
	}
	g_clear_pointer(&sentry->before, g_array_unref);
	sentry->before = g_array_ref(sentry->clients);
	if (known != NULL) {
		*known = charge;
	} else {
		g_array_append_val(sentry->charges, charge);
	}
	if (!charge.launching) {
		x11_kin_begin(sentry, window->pid);
	}
	select_raw(sentry);
	sentry->armed = g_get_monotonic_time();
	sentry->popup = 0;
	sentry->escapes = 0;
	if (window->id == 0) {
		return;
	}
	set_target(sentry, (xcb_window_t)window->id);
	sentry->watched = true;
}

void x11_sentry_unwatch(struct x11_sentry *sentry, const struct window *window)
{
	struct x11_charge *charge = own_charge(sentry, window->pid);
	if (charge != NULL) {
		charge->until = g_get_monotonic_time() + (charge->launching ? LAUNCH_GUARD_US : GUARD_US);
	}
	x11_kin_end(sentry, window->pid);
	x11_sentry_hold(sentry);
	if (sentry->target == window->id) {
		sentry->watched = false;
	}
}

void x11_sentry_forgive(struct x11_sentry *sentry, pid_t pid)
{
	for (guint i = sentry->charges->len; i-- > 0;) {
		const struct x11_charge *charge = &g_array_index(sentry->charges, struct x11_charge, i);
		if (charge->pid == pid || (charge->launching && process_is_of(pid, charge->pid))) {
			g_array_remove_index_fast(sentry->charges, i);
		}
	}
	x11_kin_forget(sentry, pid);
	sentry->given = 0;
	sentry->choice.selected = g_get_monotonic_time();
}

/* Lets go of those whose time is over. */
static void release_charges(struct x11_sentry *sentry)
{
	gint64 now = g_get_monotonic_time();
	for (guint i = sentry->charges->len; i-- > 0;) {
		struct x11_charge *charge = &g_array_index(sentry->charges, struct x11_charge, i);
		if (sentry->grabbed && !sentry->own && sentry->popup != 0 && !charge->allow_grab) {
			/* Not before the user has the keyboard again. */
			charge->until = MAX(charge->until, now + GUARD_US);
		}
		if (charge->until <= now) {
			g_array_remove_index_fast(sentry->charges, i);
		}
	}
}

gint64 x11_sentry_next(struct x11_sentry *sentry)
{
	release_charges(sentry);
	gint64 next = x11_kin_release(sentry);
	select_raw(sentry);
	if (x11_guard_next(sentry) <= g_get_monotonic_time()) {
		sentry->server->deadline = deadline_in(SERVER_MS, NULL);
		x11_guard_look(sentry);
	}
	x11_dismiss_look(sentry);
	next = MIN(next, MIN(x11_dismiss_next(sentry), x11_guard_next(sentry)));
	for (guint i = 0; i < sentry->charges->len; i++) {
		next = MIN(next, g_array_index(sentry->charges, struct x11_charge, i).until);
	}
	return next;
}

bool x11_sentry_open(
	struct x11_sentry *sentry, const char *display, struct past *past, struct hold *hold)
{
	g_autofree char *why = NULL;
	*sentry = (struct x11_sentry){ .past = past, .hold = hold };
	sentry->server = x11_server_open(display, &why);
	if (sentry->server == NULL) {
		return false;
	}
	struct x11_server *server = sentry->server;
	const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
	server->deadline = deadline_in(2000, NULL);
	g_queue_init(&sentry->waiting);
	sentry->charges = g_array_new(FALSE, FALSE, sizeof(struct x11_charge));
	sentry->sires = g_array_new(FALSE, FALSE, sizeof(struct x11_sire));
	xcb_change_window_attributes(server->c, server->root, XCB_CW_EVENT_MASK, &mask);
	if (server->selection_notify != 0) {
		xcb_xfixes_select_selection_input(server->c, server->root, server->atoms[ATOM_CLIPBOARD],
			XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER);
		x11_clip_learn(sentry);
	}
	sentry->clients = read_clients(sentry);
	x11_choice_learn(&sentry->choice, server);
	x11_dismiss_learn(sentry);
	x11_curtain_learn(sentry);
	return !x11_failed(server);
}

void x11_sentry_close(struct x11_sentry *sentry)
{
	/* The next one knows of no action, and would not end it. */
	hold_arm(sentry->hold, XCB_WINDOW_NONE, XCB_WINDOW_NONE, 0);
	x11_server_close(g_steal_pointer(&sentry->server));
	g_queue_clear_full(&sentry->waiting, free);
	g_clear_pointer(&sentry->clients, g_array_unref);
	g_clear_pointer(&sentry->charges, g_array_unref);
	g_clear_pointer(&sentry->sires, g_array_unref);
	g_clear_pointer(&sentry->order, g_array_unref);
	g_clear_pointer(&sentry->before, g_array_unref);
	x11_knowledge_clear(&sentry->knowledge);
}
