/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/knowledge.h"

#include <stdlib.h>

#include "x11/sentry.h"

static bool is_before(unsigned request, unsigned other)
{
	return (int)(request - other) < 0;
}

/* False if what is known was answered later than this. */
static bool renew(struct x11_term *term, unsigned from)
{
	if (term->answered && is_before(from, term->from)) {
		return false;
	}
	term->answered = true;
	term->from = from;
	term->holds = !term->stirred || is_before(term->news, from);
	return true;
}

static void stir(struct x11_term *term, unsigned at)
{
	term->stirred = true;
	term->news = at;
	term->holds = term->holds && is_before(at, term->from);
}

static bool has_desk(const struct x11_sentry *sentry)
{
	const struct x11_knowledge *knowledge = &sentry->knowledge;
	/* What lies above a curtain is not kept. */
	return knowledge->desk.holds && (knowledge->managed || knowledge->children.holds)
		&& sentry->curtain == XCB_WINDOW_NONE;
}

static bool has_facts(const struct x11_knowledge *knowledge, xcb_window_t window)
{
	return knowledge->window == window && knowledge->facts_term.holds;
}

bool x11_knowledge_holds(const struct x11_sentry *sentry, const struct x11_knowing *asked)
{
	return (asked->asks_desk || has_desk(sentry))
		&& (asked->asks_facts || asked->window == XCB_WINDOW_NONE || has_facts(&sentry->knowledge, asked->window));
}

bool x11_knowledge_is_active(const struct x11_sentry *sentry, xcb_window_t window)
{
	return !has_desk(sentry) || sentry->knowledge.active == window;
}

static bool is_ancestor(const struct x11_knowledge *knowledge, xcb_window_t window)
{
	for (unsigned i = 0; i < knowledge->depth; i++) {
		if (knowledge->ancestors[i] == window) {
			return true;
		}
	}
	return false;
}

uint32_t x11_knowledge_mask(const struct x11_sentry *sentry, xcb_window_t window)
{
	const struct x11_knowledge *knowledge = &sentry->knowledge;
	/* What happens to the root's children is told anyway. */
	bool outermost = knowledge->rooted && knowledge->depth > 0
		&& window == knowledge->ancestors[knowledge->depth - 1];
	return (window == knowledge->window || window == knowledge->check
		? XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE : 0)
		| (!outermost && is_ancestor(knowledge, window) ? XCB_EVENT_MASK_STRUCTURE_NOTIFY : 0);
}

static void forget_line(struct x11_sentry *sentry)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	unsigned depth = knowledge->depth;
	knowledge->depth = 0;
	knowledge->rooted = false;
	for (unsigned i = 0; i < depth; i++) {
		x11_sentry_select(sentry, knowledge->ancestors[i]);
	}
}

void x11_knowledge_turn(struct x11_sentry *sentry, xcb_window_t window)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	xcb_window_t before = knowledge->window;
	knowledge->window = window;
	knowledge->turns++;
	knowledge->facts_term = knowledge->line = (struct x11_term){ 0 };
	x11_facts_clear(&knowledge->facts);
	forget_line(sentry);
	x11_sentry_select(sentry, before);
	x11_sentry_select(sentry, window);
}

static void ask_line(struct x11_sentry *sentry, struct x11_knowing *asked)
{
	const struct x11_knowledge *knowledge = &sentry->knowledge;
	if (!knowledge->rooted && knowledge->depth < X11_MOST_ANCESTORS) {
		asked->child = knowledge->depth == 0 ? knowledge->window
			: knowledge->ancestors[knowledge->depth - 1];
		asked->parent = xcb_query_tree(sentry->server->c, asked->child).sequence;
	}
}

/* One step up at a time, with what is asked anyway: nobody waits for it. */
static void collect_line(struct x11_sentry *sentry, const struct x11_knowing *asked)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	xcb_query_tree_reply_t *tree = x11_reply(sentry->server, asked->parent);
	xcb_window_t last = knowledge->depth == 0 ? knowledge->window : knowledge->ancestors[knowledge->depth - 1];
	if (tree != NULL && asked->turns == knowledge->turns && asked->child == last && !knowledge->rooted
		&& (!knowledge->line.stirred || is_before(knowledge->line.news, asked->parent))) {
		if (tree->parent == sentry->server->root) {
			knowledge->rooted = true;
			if (knowledge->depth > 0) {
				x11_sentry_select(sentry, last);
			}
		} else if (knowledge->depth < X11_MOST_ANCESTORS) {
			knowledge->ancestors[knowledge->depth++] = tree->parent;
			x11_sentry_select(sentry, tree->parent);
		}
	}
	free(tree);
}

void x11_knowledge_ask(struct x11_sentry *sentry, xcb_window_t window, bool whole, struct x11_knowing *asked)
{
	struct x11_server *server = sentry->server;
	const struct x11_knowledge *knowledge = &sentry->knowledge;
	*asked = (struct x11_knowing){
		.asks_desk = whole || !has_desk(sentry),
		.asks_facts = window != XCB_WINDOW_NONE && (whole || !has_facts(knowledge, window)),
		.heard = server->wm_check == knowledge->check,
		.rooted = knowledge->rooted,
		.window = window,
		.turns = knowledge->turns,
	};
	if (asked->asks_facts) {
		x11_facts_ask(server, window, &asked->facts);
	}
	if (knowledge->window != XCB_WINDOW_NONE) {
		ask_line(sentry, asked);
	}
	/* The focus and the pointer come last: what was told before them is known when they are. */
	if (asked->asks_desk) {
		x11_desk_ask(server, X11_DESK_USER, &asked->desk);
	} else {
		asked->desk = (struct x11_desk_asked){ .focus = x11_focus_ask(server), .pointer = x11_pointer_ask(server) };
	}
}

static void keep_facts(struct x11_knowledge *knowledge, const struct x11_knowing *asked, const struct x11_facts *facts)
{
	if (asked->window == knowledge->window && asked->turns == knowledge->turns
		&& renew(&knowledge->facts_term, asked->facts.sequences[0])) {
		x11_facts_clear(&knowledge->facts);
		knowledge->facts = *facts;
		knowledge->facts.title = g_strdup(facts->title);
		/* What it is in may have moved without being heard. */
		knowledge->facts_term.holds = knowledge->facts_term.holds && asked->rooted && knowledge->rooted;
	}
}

/* Without a window manager: what can be seen and is no popup. */
static void append_children(struct x11_server *server, const struct x11_desk *desk, GArray *stacking)
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
			guint64 id = g_array_index(desk->children, xcb_window_t, i);
			g_array_append_val(stacking, id);
		}
		free(attributes);
	}
}

static GArray *read_stacking(struct x11_server *server, const struct x11_desk *desk)
{
	GArray *stacking = g_array_new(FALSE, FALSE, sizeof(guint64));
	for (guint i = 0; i < desk->clients->len; i++) {
		guint64 id = g_array_index(desk->clients, xcb_window_t, i);
		g_array_append_val(stacking, id);
	}
	if (!desk->managed) {
		append_children(server, desk, stacking);
	}
	return stacking;
}

/* A window manager that ends takes its window along. */
static void hear_check(struct x11_sentry *sentry, xcb_window_t check)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	xcb_window_t before = knowledge->check;
	knowledge->check = check;
	x11_sentry_select(sentry, before);
	x11_sentry_select(sentry, check);
}

static void keep_desk(struct x11_sentry *sentry, const struct x11_knowing *asked, const struct x11_desk *desk)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	bool heard = asked->heard && asked->desk.wm_check == knowledge->check
		&& sentry->server->wm_check == knowledge->check;
	if (sentry->server->wm_check != knowledge->check) {
		hear_check(sentry, sentry->server->wm_check);
	}
	GArray *stacking = read_stacking(sentry->server, desk);
	if (!renew(&knowledge->desk, asked->desk.check)) {
		g_array_unref(stacking);
		return;
	}
	renew(&knowledge->children, asked->desk.check);
	knowledge->desk.holds = knowledge->desk.holds && heard && !x11_failed(sentry->server);
	knowledge->managed = desk->managed;
	knowledge->active = desk->active;
	g_clear_pointer(&knowledge->stacking, g_array_unref);
	knowledge->stacking = stacking;
	g_clear_pointer(&knowledge->order, g_array_unref);
	knowledge->order = desk->managed ? g_array_ref(desk->clients) : NULL;
}

void x11_knowledge_collect(struct x11_sentry *sentry, const struct x11_knowing *asked, struct x11_desk *desk,
	struct x11_facts *facts)
{
	struct x11_server *server = sentry->server;
	*desk = (struct x11_desk){ 0 };
	*facts = (struct x11_facts){ 0 };
	if (asked->asks_facts) {
		x11_facts_collect(server, &asked->facts, facts);
		keep_facts(&sentry->knowledge, asked, facts);
	}
	if (asked->child != XCB_WINDOW_NONE) {
		collect_line(sentry, asked);
	}
	if (asked->asks_desk) {
		x11_desk_collect(server, &asked->desk, desk);
		keep_desk(sentry, asked, desk);
	} else {
		desk->focus = x11_focus_collect(server, asked->desk.focus);
		x11_pointer_collect(server, asked->desk.pointer, &desk->pointer);
	}
}

static void note_property(struct x11_sentry *sentry, const xcb_property_notify_event_t *event, unsigned at)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	const xcb_atom_t *atoms = sentry->server->atoms;
	xcb_atom_t atom = event->atom;
	if ((event->window == sentry->server->root && (atom == atoms[ATOM__NET_CLIENT_LIST_STACKING]
		|| atom == atoms[ATOM__NET_CLIENT_LIST] || atom == atoms[ATOM__NET_ACTIVE_WINDOW]))
		|| ((event->window == sentry->server->root || event->window == knowledge->check)
		&& atom == atoms[ATOM__NET_SUPPORTING_WM_CHECK])) {
		stir(&knowledge->desk, at);
	} else if (event->window == knowledge->window && (atom == atoms[ATOM_WM_STATE]
		|| atom == atoms[ATOM__NET_WM_NAME] || atom == XCB_ATOM_WM_NAME)) {
		stir(&knowledge->facts_term, at);
	}
}

/* Something was moved, shown, hidden, put elsewhere or destroyed. */
static void note_structure(struct x11_sentry *sentry, const xcb_unmap_notify_event_t *event, unsigned type,
	unsigned at)
{
	struct x11_knowledge *knowledge = &sentry->knowledge;
	bool gone = type == XCB_DESTROY_NOTIFY, uprooted = gone || type == XCB_REPARENT_NOTIFY;
	if (event->window == knowledge->window || is_ancestor(knowledge, event->window)) {
		stir(&knowledge->facts_term, at);
		if (uprooted) {
			stir(&knowledge->line, at);
			forget_line(sentry);
		}
	}
	if (gone && event->window == knowledge->check) {
		stir(&knowledge->desk, at);
		knowledge->check = XCB_WINDOW_NONE;
	}
	if (event->event == sentry->server->root) {
		stir(&knowledge->children, at);
	}
}

void x11_knowledge_note(struct x11_sentry *sentry, const xcb_generic_event_t *event)
{
	unsigned type = event->response_type & 0x7f;
	switch (type) {
	case XCB_PROPERTY_NOTIFY:
		note_property(sentry, (const void *)event, event->full_sequence);
		break;
	case XCB_CONFIGURE_NOTIFY:
	case XCB_GRAVITY_NOTIFY:
	case XCB_MAP_NOTIFY:
	case XCB_UNMAP_NOTIFY:
	case XCB_CIRCULATE_NOTIFY:
	case XCB_REPARENT_NOTIFY:
	case XCB_DESTROY_NOTIFY:
		/* They begin alike: who was told, and of which window. */
		note_structure(sentry, (const void *)event, type, event->full_sequence);
		break;
	}
}

void x11_knowledge_clear(struct x11_knowledge *knowledge)
{
	x11_facts_clear(&knowledge->facts);
	g_clear_pointer(&knowledge->order, g_array_unref);
	g_clear_pointer(&knowledge->stacking, g_array_unref);
}
