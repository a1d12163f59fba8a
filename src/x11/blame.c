/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/blame.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "apps/process.h"
#include "x11/describe.h"
#include "x11/desk.h"
#include "x11/property.h"
#include "x11/tops.h"

/* A frame, what is in it, and so on; and from a dialog to what it belongs to. */
enum { MOST_LEVELS = 8 };
/* A program that a click starts shows its first window no later than this. */
#define START_US (10 * G_TIME_SPAN_SECOND)
/* The same of one that was started before the action. */
#define START_S 30

static xcb_window_t parent_of(struct x11_server *server, xcb_window_t window)
{
	xcb_query_tree_reply_t *reply = x11_reply(
		server, xcb_query_tree(server->c, window).sequence);
	xcb_window_t parent = reply != NULL ? reply->parent : XCB_WINDOW_NONE;
	free(reply);
	return parent;
}

static uint32_t word_of(struct x11_server *server, xcb_window_t window, xcb_atom_t property)
{
	xcb_get_property_reply_t *reply = x11_reply(
		server, x11_property_ask(server, window, property, 1));
	uint32_t word = x11_property_word(reply, 0);
	free(reply);
	return word;
}

/* The window that the window manager manages and that this one is or is in; 0: none. */
static xcb_window_t client_of(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_server *server = sentry->server;
	for (int i = 0;
		i < MOST_LEVELS && window > XCB_INPUT_FOCUS_POINTER_ROOT && window != server->root;
		i++) {
		/* A new one has its state before it is in the list. */
		if (x11_sentry_knows(sentry, window)
			|| word_of(server, window, server->atoms[ATOM_WM_STATE]) != 0) {
			return window;
		}
		window = parent_of(server, window);
	}
	return XCB_WINDOW_NONE;
}

/* Whether the window is that one or a dialog of it, or of a dialog of it. */
static bool belongs_to(struct x11_server *server, xcb_window_t window, xcb_window_t owner)
{
	for (int i = 0;
		i < MOST_LEVELS && window > XCB_INPUT_FOCUS_POINTER_ROOT && window != server->root;
		i++) {
		if (window == owner) {
			return true;
		}
		window = word_of(server, window, XCB_ATOM_WM_TRANSIENT_FOR);
	}
	return false;
}

/* Whether it, or a dialog of it, is one that was acted on. */
static bool is_acted_on(struct x11_sentry *sentry, xcb_window_t window)
{
	for (guint i = 0; i < sentry->charges->len; i++) {
		const struct x11_charge *charge = &g_array_index(
			sentry->charges, struct x11_charge, i);
		if (charge->window != XCB_WINDOW_NONE
			&& belongs_to(sentry->server, window, charge->window)) {
			return true;
		}
	}
	return false;
}

/* Whether it is of the workspace that is shown, or of all of them. */
static bool is_of_workspace(struct x11_sentry *sentry, xcb_window_t window)
{
	enum { ALL = UINT32_MAX };
	struct x11_server *server = sentry->server;
	uint32_t own = word_of(server, window, server->atoms[ATOM__NET_WM_DESKTOP]);
	return own == ALL
		|| own == word_of(server, server->root, server->atoms[ATOM__NET_CURRENT_DESKTOP]);
}

/*
 * The window does not exist any more, its application took it away, or it is minimised: giving the
 * focus back would show it again. One on another workspace is only out of sight.
 */
static bool is_gone(struct x11_sentry *sentry, xcb_window_t window)
{
	enum { ICONIC = 3 };
	struct x11_server *server = sentry->server;
	xcb_get_window_attributes_reply_t *reply = x11_reply(server,
		xcb_get_window_attributes(server->c, window).sequence);
	bool unmapped = reply == NULL || reply->map_state == XCB_MAP_STATE_UNMAPPED;
	bool exists = reply != NULL;
	free(reply);
	bool iconic = exists && word_of(server, window, server->atoms[ATOM_WM_STATE]) == ICONIC;
	return !exists || (iconic ? is_of_workspace(sentry, window) : unmapped);
}

static bool is_old(const struct x11_sentry *sentry, xcb_window_t window)
{
	for (guint i = 0; sentry->before != NULL && i < sentry->before->len; i++) {
		if (g_array_index(sentry->before, xcb_window_t, i) == window) {
			return true;
		}
	}
	return false;
}

/* Whether its process had a window before the action. */
static bool was_there(const struct x11_sentry *sentry, xcb_window_t window)
{
	for (guint i = 0; sentry->before != NULL && i < sentry->before->len; i++) {
		xcb_window_t other = g_array_index(sentry->before, xcb_window_t, i);
		/* The ids of a client that has gone are another one's next. */
		if (((other ^ window) & ~sentry->server->id_mask) == 0
			&& x11_sentry_knows(sentry, other)) {
			return true;
		}
	}
	return false;
}

static bool is_launching(const struct x11_sentry *sentry)
{
	bool launching = false;
	for (guint i = 0; i < sentry->charges->len; i++) {
		launching |= g_array_index(sentry->charges, struct x11_charge, i).launching;
	}
	return launching;
}

/* It is under the user's pointer now, and was not when the action began. */
static bool was_entered(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_server *server = sentry->server;
	if (!x11_choice_works(sentry->choice.moved) || !is_old(sentry, window)) {
		return false;
	}
	xcb_window_t top = x11_top_of(server, window);
	xcb_input_xi_query_pointer_cookie_t asked = xcb_input_xi_query_pointer(
		server->c, server->root, DEVICE_CORE_POINTER);
	xcb_get_geometry_reply_t *place = x11_reply(
		server, xcb_get_geometry(server->c, top).sequence);
	xcb_input_xi_query_pointer_reply_t *pointer = x11_reply(server, asked.sequence);
	bool in = pointer != NULL && place != NULL && pointer->child == top;
	int x = sentry->pointer.x, y = sentry->pointer.y;
	bool was_in = place != NULL && x >= place->x && x < place->x + place->width && y >= place->y
		&& y < place->y + place->height;
	free(place);
	free(pointer);
	return in && !was_in;
}

/* A pager was told to go there, or whatever else acts for the user. */
static bool was_asked_for(const struct x11_sentry *sentry, xcb_window_t window)
{
	return sentry->paged == window && x11_choice_works(sentry->paged_at);
}

/* Rules 3, 4 and 7; of a window of the user's own program. */
static bool is_users_sibling(struct x11_sentry *sentry, xcb_window_t window)
{
	const struct x11_choice *choice = &sentry->choice;
	if (belongs_to(sentry->server, window, sentry->home) || was_asked_for(sentry, window)) {
		return true;
	}
	if (x11_kin_asked_for(sentry, window)) {
		return false;
	}
	if (x11_choice_works(choice->commanded) || was_entered(sentry, window)) {
		return true;
	}
	if (is_acted_on(sentry, window)) {
		return false;
	}
	return x11_choice_works(choice->accepted)
		|| (!is_launching(sentry) && x11_sentry_charge(sentry, sentry->home_pid) == NULL);
}

/* Whether somebody who was not acted on started the process; of those whose parent has gone, or is
 * a service, nobody knows. */
static bool has_other_parent(pid_t pid)
{
	static const char *const services[] = { "systemd", "dbus-daemon", "dbus-broker", NULL };
	struct process process;
	if (!process_read(pid, &process) || process.parent <= 1) {
		return false;
	}
	g_autofree char *name = x11_process_name(process.parent);
	return !g_strv_contains(services, name);
}

/* Rules 5 to 7; of a window of a process that nobody acted on, nor started it one that was. */
static bool is_users_start(struct x11_sentry *sentry, xcb_window_t window, pid_t owner)
{
	struct process process;
	if (was_asked_for(sentry, window) || was_entered(sentry, window)
		|| x11_choice_works(sentry->choice.commanded)
		|| x11_choice_works(sentry->choice.accepted)) {
		return true;
	}
	if (is_old(sentry, window) || x11_kin_asked_for(sentry, window)
		|| !process_read(owner, &process)) {
		return false;
	}
	if (g_get_monotonic_time() - sentry->elsewhere < START_US && sentry->elsewhere != 0) {
		return true;
	}
	if (was_there(sentry, window)) {
		return false;
	}
	return process.start < sentry->since
		? process.start + START_S * x11_kin_second() > sentry->since
		: has_other_parent(owner);
}

/* The charge of a window's owner, who may be of the kin of one. */
static struct x11_charge *find_charge(struct x11_sentry *sentry, xcb_window_t window, pid_t owner)
{
	struct x11_charge *charge = x11_sentry_charge(sentry, owner);
	return charge != NULL || owner == sentry->home_pid ? charge
		: x11_kin_adopt(sentry, window, owner, !x11_sentry_knows(sentry, window));
}

/* What nobody in particular is charged with goes to the last action's account. */
static struct x11_charge *last_charge(struct x11_sentry *sentry)
{
	gint64 now = g_get_monotonic_time();
	for (guint i = sentry->charges->len; i-- > 0;) {
		struct x11_charge *charge = &g_array_index(sentry->charges, struct x11_charge, i);
		if (charge->until > now) {
			return charge;
		}
	}
	return NULL;
}

static struct x11_charge *judge_window(struct x11_sentry *sentry, xcb_window_t window, pid_t owner)
{
	xcb_window_t client = client_of(sentry, window);
	if (owner <= 0 || client == sentry->home) {
		return NULL;
	}
	struct x11_charge *charge = find_charge(sentry, window, owner);
	bool managed = client != XCB_WINDOW_NONE;
	if (owner == sentry->home_pid) {
		if (!managed || sentry->home == XCB_WINDOW_NONE
			|| is_users_sibling(sentry, client)) {
			return NULL;
		}
		return charge != NULL ? charge : last_charge(sentry);
	}
	if (charge != NULL) {
		return charge;
	}
	return managed && !is_users_start(sentry, client, owner) ? last_charge(sentry) : NULL;
}

struct x11_culprit x11_blame(struct x11_sentry *sentry)
{
	struct x11_culprit culprit = { NULL, 0 };
	if ((sentry->home == XCB_WINDOW_NONE && sentry->home_focus == XCB_WINDOW_NONE)
		|| last_charge(sentry) == NULL || x11_choice_works(sentry->choice.selected)
		|| is_gone(sentry,
			sentry->home != XCB_WINDOW_NONE ? sentry->home : sentry->home_focus)) {
		return culprit;
	}
	/* The focus may be there before the window manager says so. */
	culprit.charge = judge_window(sentry, sentry->focus, sentry->focus_pid);
	culprit.pid = sentry->focus_pid;
	if (culprit.charge == NULL && sentry->active != sentry->home
		&& sentry->active != XCB_WINDOW_NONE) {
		culprit.pid = x11_sentry_owner(sentry, sentry->active);
		culprit.charge = judge_window(sentry, sentry->active, culprit.pid);
	}
	/* Tk gives it to nobody when a pointer leaves its window, whoever had it. */
	if (culprit.charge == NULL && sentry->active == sentry->home
		&& sentry->focus <= XCB_INPUT_FOCUS_POINTER_ROOT
		&& sentry->home_focus > XCB_INPUT_FOCUS_POINTER_ROOT) {
		culprit.charge = last_charge(sentry);
		culprit.pid = culprit.charge != NULL ? culprit.charge->pid : 0;
	}
	/* The window manager was asked to give it back, and has given it to nobody. */
	if (culprit.charge == NULL && sentry->active == XCB_WINDOW_NONE
		&& sentry->home != XCB_WINDOW_NONE && sentry->given != 0) {
		culprit.charge = last_charge(sentry);
		culprit.pid = culprit.charge != NULL ? culprit.charge->pid : 0;
	}
	return culprit;
}

bool x11_blame_sibling(struct x11_sentry *sentry, xcb_window_t window)
{
	return is_acted_on(sentry, window) && !is_users_sibling(sentry, window);
}
