/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <xcb/xinput.h>

#include "x11/desk.h"

static void append(GArray *stacking, xcb_window_t window)
{
	guint64 id = window;
	g_array_append_val(stacking, id);
}

/* Without a window manager: what can be seen and is no popup. */
static void append_children(struct x11_server *server, const struct x11_desk *desk,
	GArray *stacking)
{
	g_autofree unsigned *sequences = g_new(unsigned, desk->children->len + 1);
	for (guint i = 0; i < desk->children->len; i++) {
		sequences[i] = xcb_get_window_attributes(server->c,
			g_array_index(desk->children, xcb_window_t, i)).sequence;
	}
	for (guint i = 0; i < desk->children->len; i++) {
		xcb_get_window_attributes_reply_t *attributes = x11_reply(server, sequences[i]);
		if (attributes != NULL && !attributes->override_redirect
		    && attributes->map_state == XCB_MAP_STATE_VIEWABLE) {
			append(stacking, g_array_index(desk->children, xcb_window_t, i));
		}
		free(attributes);
	}
}

/*
 * Raw motion comes from devices, and from XTEST, but not from a warp: a pointer that is elsewhere
 * without it was moved by a program. A menu that takes the user's keyboard makes the focus window lose
 * the focus with mode Grab, though the focus stays where it was. Both are selected only while an action
 * runs, because events that nobody reads pile up in the server.
 */
static void watch_motions(struct x11_server *server, bool on)
{
	enum { CORE_POINTER = 2 };
	const struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} motions = { { CORE_POINTER, 1 }, on ? XCB_INPUT_XI_EVENT_MASK_RAW_MOTION : 0 };
	if (server->has_xinput) {
		xcb_input_xi_select_events(server->c, server->root, 1, &motions.head);
	}
}

static void watch_focus(struct x11_server *server, xcb_window_t focus, bool on)
{
	const uint32_t mask = on ? XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_LEAVE_WINDOW : 0;
	/* Not on the root: what we select there otherwise would be lost. */
	if (focus > XCB_INPUT_FOCUS_POINTER_ROOT && focus != server->root) {
		xcb_change_window_attributes(server->c, focus, XCB_CW_EVENT_MASK, &mask);
	}
}

static void watch_end(struct x11_server *server)
{
	/* A connection made since the first probe has nobody watching. */
	if (server->watchers > 0 && --server->watchers == 0) {
		watch_motions(server, false);
		watch_focus(server, server->watched, false);
	}
}

static void take_events(struct x11_server *server)
{
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_event(server->c)) != NULL) {
		x11_take_event(server, event);
	}
}

/*
 * One turn of the server under a window manager, so that what is compared before and after an
 * action belongs to one moment. Menus and tooltips are left out: they open and close without
 * disturbing.
 */
bool x11_probe(struct x11 *x11, bool first, struct deadline deadline, struct probe *probe,
	GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	/*
	 * Motions count from before the pointer is looked at: one more forgiven is better than the user's
	 * own hand taken for ours.
	 */
	unsigned motions = server->motions;
	bool begins = first && server->watchers++ == 0;
	if (begins) {
		watch_motions(server, true);
	}
	struct x11_desk desk = { 0 };
	x11_desk_read(server, &desk);
	if (begins) {
		server->watched = desk.focus;
		watch_focus(server, desk.focus, true);
		/* Taken in before the action, or its first moment would be missed. */
		free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	}
	take_events(server);
	if (!first) {
		motions = server->motions;
		watch_end(server);
	}
	*probe = (struct probe){
		.active_window = desk.active,
		.focus = desk.focus,
		.pointer = desk.pointer,
		.motions = motions,
		.keyboard_grabs = server->keyboard_grabs,
		.pointer_grabs = server->pointer_grabs,
		.stacking = g_array_new(FALSE, FALSE, sizeof(guint64)),
	};
	if (!desk.managed) {
		append_children(server, &desk, probe->stacking);
	}
	for (guint i = 0; i < desk.clients->len; i++) {
		append(probe->stacking, g_array_index(desk.clients, xcb_window_t, i));
	}
	x11_desk_clear(&desk);
	if (!x11_end(server, error)) {
		probe_clear(probe);
		return false;
	}
	return true;
}
