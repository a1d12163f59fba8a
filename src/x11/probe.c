/* SPDX-License-Identifier: MIT */
#include "config.h"

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

/*
 * One turn of the server under a window manager, so that what is compared before and after an
 * action belongs to one moment. Menus and tooltips are left out: they open and close without
 * disturbing.
 */
static void ask(struct x11_sentry *sentry, enum probe_time time, const struct window *window, bool whole,
	struct x11_probing *asked)
{
	bool first = time == PROBE_BEFORE;
	xcb_window_t id = first ? (xcb_window_t)window->id : XCB_WINDOW_NONE;
	/* Who types somewhere else is not in the way; and who goes to the front asks again. */
	asked->typed = first && (whole || x11_knowledge_is_active(sentry, id)) ? x11_typing_ask(sentry->server) : 0;
	x11_knowledge_ask(sentry, id, whole, &asked->known);
}

void x11_probe_ask(struct x11_sentry *sentry, enum probe_time time, const struct window *window,
	struct x11_probing *asked)
{
	*asked = (struct x11_probing){
		/*
		 * Motions count from before the pointer is looked at: one more forgiven is better than the user's
		 * own hand taken for ours.
		 */
		.motions = sentry->motions,
		.moves = sentry->moves,
	};
	if (sentry->watched && time != PROBE_AFTER) {
		x11_sentry_wipe(sentry);
	}
	ask(sentry, time, window, false, asked);
}

/* What is asked for in any case, or was by chance. */
struct seen {
	struct x11_desk desk;
	struct x11_facts facts;
	unsigned typed;
};

static void collect(struct x11_sentry *sentry, const struct x11_probing *asked, struct seen *seen)
{
	seen->typed = asked->typed != 0 ? x11_typing_collect(sentry->server, asked->typed) : 0;
	x11_knowledge_collect(sentry, &asked->known, &seen->desk, &seen->facts);
	/* What came before the answers belongs to before. */
	x11_sentry_catch_up(sentry);
}

static void clear(struct seen *seen)
{
	x11_desk_clear(&seen->desk);
	x11_facts_clear(&seen->facts);
}

void x11_probe_collect(struct x11_sentry *sentry, enum probe_time time, const struct window *window,
	const struct x11_probing *asked, struct probe *probe)
{
	bool first = time == PROBE_BEFORE;
	const struct x11_knowledge *knowledge = &sentry->knowledge;
	struct x11_probing again;
	struct seen seen;
	collect(sentry, asked, &seen);
	const struct x11_knowing *known = &asked->known;
	if (!x11_knowledge_holds(sentry, known)) {
		/* It was not any more as it was thought to be. */
		clear(&seen);
		ask(sentry, time, window, true, &again);
		collect(sentry, &again, &seen);
		known = &again.known;
	}
	/* What was just given back is on its way. */
	if (first && asked->moves == sentry->moves && sentry->given == 0) {
		/* Where the user is before the action is where the user wants to be. */
		sentry->active = sentry->home = knowledge->active;
		x11_sentry_set_focus(sentry, seen.desk.focus);
		sentry->home_focus = seen.desk.focus;
		sentry->home_pid = sentry->focus_pid;
	}
	if (first) {
		sentry->pointer = seen.desk.pointer;
		x11_sentry_hold(sentry);
	}
	unsigned lost = hold_lost(sentry->hold);
	*probe = (struct probe){
		.active_window = knowledge->active,
		.focus = seen.desk.focus,
		.focus_pid = sentry->focus_pid,
		.pointer = seen.desk.pointer,
		.locked = (first || time == PROBE_DESKTOP) && x11_curtain_is_down(sentry, seen.desk.children),
		.motions = first ? asked->motions : sentry->motions,
		.keyboard_grabs = sentry->keyboard_grabs,
		.pointer_grabs = sentry->pointer_grabs,
		.steals = sentry->steals,
		.late_steals = sentry->steals - sentry->told_steals,
		.rises = sentry->rises,
		.late_rises = sentry->rises - sentry->told_rises,
		.late_grabs = sentry->dismissed - sentry->told_dismissed,
		.copies = sentry->copies,
		.late_copies = sentry->copies - sentry->told_copies,
		.dismissed = sentry->dismissed,
		.keys_lost = lost,
		.late_keys_lost = lost - sentry->told_lost,
		.stacking = g_array_ref(knowledge->stacking),
		.typed = seen.typed,
		.unchanged = known->window != XCB_WINDOW_NONE
			&& x11_facts_fit(known->asks_facts ? &seen.facts : &knowledge->facts, window),
	};
	sentry->told_steals = sentry->steals;
	sentry->told_lost = lost;
	sentry->told_rises = sentry->rises;
	sentry->told_dismissed = sentry->dismissed;
	sentry->told_copies = sentry->copies;
	if (known->window != XCB_WINDOW_NONE) {
		g_clear_pointer(&sentry->order, g_array_unref);
		sentry->order = knowledge->order != NULL ? g_array_ref(knowledge->order) : NULL;
	}
	probe->siblings = first ? count_siblings(sentry->server, probe->stacking, window->id) : 0;
	clear(&seen);
}
