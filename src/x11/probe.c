/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>

#include "x11/sentry.h"

/* How many others there are of the same connection to the server. */
static unsigned count_siblings(const struct x11_server *server, const GArray *stacking, guint64 window)
{
	unsigned siblings = 0;
	for (guint i = 0; i < stacking->len; i++) {
		guint64 other = g_array_index(stacking, guint64, i);
		siblings += other != window && ((other ^ window) & ~(guint64)server->id_mask) == 0;
	}
	return siblings;
}

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
 * One turn of the server under a window manager, so that what is compared before and after an
 * action belongs to one moment. Menus and tooltips are left out: they open and close without
 * disturbing.
 */
void x11_probe_ask(struct x11_sentry *sentry, enum probe_time time, const struct window *window,
	struct x11_probing *asked)
{
	struct x11_server *server = sentry->server;
	bool first = time == PROBE_BEFORE;
	*asked = (struct x11_probing){
		.asks = first && window->id != 0,
		/*
		 * Motions count from before the pointer is looked at: one more forgiven is better than the user's
		 * own hand taken for ours.
		 */
		.motions = sentry->motions,
		.moves = sentry->moves,
		.typed = first ? x11_typing_ask(server) : 0,
	};
	if (asked->asks) {
		x11_unchanged_ask(server, window, &asked->unchanged);
	}
	x11_desk_ask(server, X11_DESK_USER, &asked->desk);
}

void x11_probe_collect(struct x11_sentry *sentry, enum probe_time time, const struct window *window,
	const struct x11_probing *asked, struct probe *probe)
{
	bool first = time == PROBE_BEFORE;
	struct x11_server *server = sentry->server;
	unsigned motions = asked->motions;
	struct x11_desk desk = { 0 };
	unsigned typed = first ? x11_typing_collect(server, asked->typed) : 0;
	bool unchanged = asked->asks && x11_unchanged_collect(server, window, &asked->unchanged);
	x11_desk_collect(server, &asked->desk, &desk);
	if (first && asked->moves == sentry->moves) {
		/* Where the user is before the action is where the user wants to be. */
		sentry->active = sentry->home = desk.active;
		x11_sentry_set_focus(sentry, desk.focus);
		sentry->home_focus = desk.focus;
		sentry->home_pid = sentry->focus_pid;
	} else if (!first) {
		/* What came before the answers belongs to before. */
		x11_sentry_listen(sentry);
		motions = sentry->motions;
	}
	*probe = (struct probe){
		.active_window = desk.active,
		.focus = desk.focus,
		.focus_pid = sentry->focus_pid,
		.pointer = desk.pointer,
		.locked = (first || time == PROBE_DESKTOP) && x11_curtain_is_down(sentry, desk.children),
		.motions = motions,
		.keyboard_grabs = sentry->keyboard_grabs,
		.pointer_grabs = sentry->pointer_grabs,
		.steals = sentry->steals,
		.late_steals = sentry->steals - sentry->told_steals,
		.rises = sentry->rises,
		.late_rises = sentry->rises - sentry->told_rises,
		.late_grabs = sentry->dismissed - sentry->told_dismissed,
		.dismissed = sentry->dismissed,
		.stacking = g_array_new(FALSE, FALSE, sizeof(guint64)),
		.typed = typed,
		.unchanged = unchanged,
	};
	sentry->told_steals = sentry->steals;
	sentry->told_rises = sentry->rises;
	sentry->told_dismissed = sentry->dismissed;
	if (!desk.managed) {
		append_children(server, &desk, probe->stacking);
	}
	for (guint i = 0; i < desk.clients->len; i++) {
		append(probe->stacking, g_array_index(desk.clients, xcb_window_t, i));
	}
	if (asked->asks) {
		g_clear_pointer(&sentry->order, g_array_unref);
		sentry->order = desk.managed ? g_array_ref(desk.clients) : NULL;
	}
	probe->siblings = first ? count_siblings(server, probe->stacking, window->id) : 0;
	x11_desk_clear(&desk);
}
