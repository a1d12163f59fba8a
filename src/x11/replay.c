/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/replay.h"

#include <stdlib.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

#include "x11/client-pointer.h"
#include "x11/escape.h"
#include "x11/farewell.h"
#include "x11/hole.h"
#include "x11/kernel.h"
#include "x11/keymap.h"
#include "x11/master.h"
#include "x11/ping.h"
#include "x11/standing.h"

/* How long an application may take to let go. */
#define CALM_MS 700
/* And to be done with a pair that was left to itself. */
#define ORPHAN_MS 1000
/* How long a server may take to see that a pointer of the kernel is gone. */
#define KERNEL_MS 2000
/* How long a quiet moment for its removal is waited for. */
#define FAREWELL_MS 1500

/* Lets a button or key go on that pair, if it still is there. */
static void release(struct x11_server *server, const struct undo_record *record)
{
	g_autoptr(GArray) masters = masters_list(server);
	struct master master = { .pointer = DEVICE_CORE_POINTER };
	if (record->master[0] == '\0' || masters_find(masters, record->master, &master)) {
		xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, master.pointer);
		xcb_test_fake_input(server->c, record->kind == UNDO_KEY ? XCB_KEY_RELEASE : XCB_BUTTON_RELEASE,
			(uint8_t)record->code, XCB_CURRENT_TIME, server->root, 0, 0, 0);
		xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, DEVICE_CORE_POINTER);
	}
}

static void undo(struct x11_server *server, const struct undo_record *record)
{
	switch ((enum undo_kind)record->kind) {
	case UNDO_BUTTON:
	case UNDO_KEY:
		release(server, record);
		break;
	case UNDO_HOLE:
		hole_mend(server, record);
		break;
	case UNDO_MAPPING:
		keymap_mend(server, record);
		break;
	case UNDO_CLIENT:
		client_pointer_mend(server, record);
		break;
	case UNDO_STANDING: /* takes more than one look: mend() */
	case UNDO_KERNEL: /* goes by itself, and is waited for */
	case UNDO_MASTER: /* goes last, and not while the server is grabbed */
	case UNDO_FREE:
	case UNDO_KINDS:
		break;
	}
}

/* All but the pairs. */
static void replay(struct x11_server *server, struct undo_log *log, const char *master, bool drop)
{
	struct undo_record *record;
	guint32 before = G_MAXUINT32;
	/* Looking and changing is one thing: nobody else adds or removes devices in between. */
	xcb_grab_server(server->c);
	while ((record = undo_last(log, master, before)) != NULL) {
		before = record->order;
		if (record->kind == UNDO_STANDING || record->kind == UNDO_MASTER || record->kind == UNDO_KERNEL) {
			continue;
		}
		undo(server, record);
		if (drop) {
			g_atomic_int_set(&record->kind, UNDO_FREE);
		}
	}
	xcb_ungrab_server(server->c);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
}

/* Takes the pointer for ourselves; false if an application has it. */
static bool take(struct x11_server *server, const struct master *master)
{
	const uint32_t nothing = 0;
	xcb_input_xi_grab_device_reply_t *reply = x11_reply(server, xcb_input_xi_grab_device(server->c,
		server->root, XCB_CURRENT_TIME, XCB_CURSOR_NONE, master->pointer, XCB_INPUT_GRAB_MODE_22_ASYNC,
		XCB_INPUT_GRAB_MODE_22_ASYNC, false, 1, &nothing).sequence);
	bool ours = reply != NULL && reply->status == XCB_GRAB_STATUS_SUCCESS;
	free(reply);
	return ours;
}

/*
 * GTK3 dies if it asks for a pointer that is gone, and it asks while it has something to do with it. So a menu
 * that holds it is closed first, and what was sent to the application is done before the pair goes. Not while the
 * server is grabbed.
 */
static void calm(struct x11_server *server, const char *name, xcb_window_t window)
{
	g_autoptr(GArray) masters = masters_list(server);
	struct master master;
	struct deadline until = deadline_within(server->deadline, CALM_MS);
	if (!masters_find(masters, name, &master)) {
		return;
	}
	bool ours = take(server, &master), menu = !ours;
	if (menu) {
		/* Or the server has not seen yet that the driver is gone, and then nobody waits for it. */
		xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, master.pointer);
		escape_press(server, &master, window);
		xcb_input_xi_set_client_pointer(server->c, XCB_WINDOW_NONE, DEVICE_CORE_POINTER);
	}
	while (!ours && deadline_left(until) > 0 && !x11_failed(server)) {
		/* No event tells that somebody else's grab is over. */
		deadline_poll_all(deadline_within(until, 5), NULL, 0, "a menu", NULL);
		ours = take(server, &master);
	}
	if (window != XCB_WINDOW_NONE && ping_wait(server, window, CALM_MS)) {
		ping_wait(server, window, CALM_MS);
	}
	if (menu) {
		/* GTK answers when it reads, and does some of what it read with its next frames. */
		deadline_poll_all(deadline_within(server->deadline, CALM_MS), NULL, 0, "a menu", NULL);
	}
}

/* Of all pairs, or that one. */
static void calm_all(struct x11_server *server, struct undo_log *log, const char *master)
{
	struct undo_record *record;
	guint32 before = G_MAXUINT32;
	while ((record = undo_last(log, master, before)) != NULL) {
		before = record->order;
		if (record->kind == UNDO_MASTER && record->window != XCB_WINDOW_NONE) {
			calm(server, record->master, record->window);
		}
	}
}

/* The user's window, focus and pointer are given back; window managers have to answer. */
static void mend(struct x11_server *server, struct undo_log *log, const char *master, bool drop)
{
	struct undo_record *record;
	guint32 before = G_MAXUINT32;
	while ((record = undo_last(log, master, before)) != NULL) {
		before = record->order;
		if (record->kind == UNDO_STANDING) {
			standing_restore(server, &log->standing);
			if (drop) {
				g_atomic_int_set(&record->kind, UNDO_FREE);
			}
		}
	}
}

void replay_log(struct x11_server *server, struct undo_log *log, const struct replay *how)
{
	struct undo_record *record;
	guint32 before = G_MAXUINT32;
	replay(server, log, how->master, how->drop);
	mend(server, log, how->master, how->drop);
	calm_all(server, log, how->master);
	while ((record = undo_last(log, how->master, before)) != NULL) {
		before = record->order;
		if (record->kind == UNDO_KERNEL) {
			kernel_leave(server, record->master, KERNEL_MS);
		} else if (record->kind == UNDO_MASTER) {
			farewell(server, record->master, deadline_within(server->deadline, how->patience_ms),
				how->guardian, how->connection);
		} else {
			continue;
		}
		if (how->drop) {
			g_atomic_int_set(&record->kind, UNDO_FREE);
		}
	}
}

void replay_release(struct x11_server *server, struct undo_log *log, const char *master)
{
	replay(server, log, master, true);
	mend(server, log, master, true);
	calm_all(server, log, master);
}

int replay_orphans(struct x11_server *server, const GArray *orphans)
{
	for (guint i = 0; i < orphans->len; i++) {
		/* Nobody knows what it was last used on; time has to do. */
		calm(server, g_array_index(orphans, struct master, i).name, XCB_WINDOW_NONE);
	}
	deadline_poll_all(deadline_within(server->deadline, ORPHAN_MS), NULL, 0, "applications", NULL);
	g_autoptr(GArray) left = masters_orphans(server);
	for (guint i = 0; i < orphans->len; i++) {
		struct master master;
		if (masters_find(left, g_array_index(orphans, struct master, i).name, &master)) {
			farewell(server, master.name, deadline_within(server->deadline, FAREWELL_MS), NULL, 0);
		}
	}
	return x11_failed(server) ? 0 : (int)orphans->len;
}
