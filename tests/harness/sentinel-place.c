/* SPDX-License-Identifier: MIT */
/*
 * Who is above whom: the stacking order, replayed from the events of the root window instead of being
 * asked for, so that a raise which is taken back at once is seen as well.
 */
#include "journal.h"
#include "sentinel.h"

/*
 * A window manager may show a new window on top and put it into its place then (mutter does, when the
 * window is not to have the focus). That is no raise, unless it stays there.
 */
#define PLACING_US (100 * 1000)

/* A child of the root window. */
struct top {
	xcb_window_t window;
	bool mapped, override, input_only;
	bool managed;  /* a client of the window manager, or the frame around one */
	bool placed;   /* it has had its place: from now on it is raised, not placed */
	gint64 since;  /* when it was first seen above us, until it is placed */
	int16_t x, y;
	uint16_t width, height;
};

static GArray *tops;     /* struct top, back to front */
static xcb_window_t frame; /* the one around us */
static xcb_window_t covered_by;
static bool is_top;
static xcb_atom_t active_window, client_list, supporting;

static xcb_window_t parent_of(xcb_window_t window)
{
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(me.x,
		xcb_query_tree(me.x, window), NULL);

	return tree ? tree->parent : XCB_NONE;
}

static xcb_window_t top_of(xcb_window_t window)
{
	for (;;) {
		xcb_window_t parent = parent_of(window);

		if (parent == me.root || parent == XCB_NONE) {
			return window;
		}
		window = parent;
	}
}

static int find_top(xcb_window_t window)
{
	for (guint i = 0; i < tops->len; i++) {
		if (g_array_index(tops, struct top, i).window == window) {
			return (int)i;
		}
	}
	return -1;
}

static struct top *top_named(xcb_window_t window)
{
	int at = find_top(window);

	return at < 0 ? NULL : &g_array_index(tops, struct top, at);
}

static GArray *windows_of(xcb_window_t window, xcb_atom_t property)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
	g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply(me.x,
		xcb_get_property(me.x, 0, window, property, XCB_ATOM_ANY, 0, 4096), NULL);

	if (reply && reply->format == 32) {
		g_array_append_vals(list, xcb_get_property_value(reply), reply->value_len);
	}
	return list;
}

static void mark_managed(xcb_window_t client)
{
	struct top *top = top_named(top_of(client));

	if (top) {
		top->managed = true;
	}
}

static void read_clients(void)
{
	g_autoptr(GArray) clients = windows_of(me.root, client_list);

	for (guint i = 0; i < clients->len; i++) {
		mark_managed(g_array_index(clients, xcb_window_t, i));
	}
	frame = top_of(me.window);
}

static void add_top(xcb_window_t window)
{
	struct top top = { .window = window };
	g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(me.x,
		xcb_get_window_attributes(me.x, window), NULL);
	g_autofree xcb_get_geometry_reply_t *at = xcb_get_geometry_reply(me.x,
		xcb_get_geometry(me.x, window), NULL);

	if (!is || !at || find_top(window) >= 0) {
		return;
	}
	top.input_only = is->_class == XCB_WINDOW_CLASS_INPUT_ONLY;
	top.mapped = is->map_state != XCB_MAP_STATE_UNMAPPED;
	top.override = is->override_redirect;
	top.managed = !me.has_wm && !top.override;
	top.x = at->x;
	top.y = at->y;
	top.width = at->width;
	top.height = at->height;
	g_array_append_val(tops, top);
}

static void read_tops(void)
{
	g_autoptr(GArray) old = tops;
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(me.x,
		xcb_query_tree(me.x, me.root), NULL);

	tops = g_array_new(FALSE, FALSE, sizeof(struct top));
	for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++) {
		add_top(xcb_query_tree_children(tree)[i]);
	}
	read_clients();
	for (guint i = 0; i < old->len; i++) {
		struct top *was = &g_array_index(old, struct top, i), *is = top_named(was->window);

		if (is) {
			is->placed = was->placed;
			is->since = was->since;
		}
	}
}

static bool overlap(const struct top *a, const struct top *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
		b->y < a->y + a->height;
}

/* Whether a window above us is there to stay. */
static bool is_raised(struct top *top, bool final)
{
	gint64 now = g_get_monotonic_time();

	if (top->since == 0) {
		top->since = now;
	}
	top->placed = top->placed || final || now - top->since >= PLACING_US;
	return top->placed;
}

void place_look(bool final)
{
	int at = find_top(frame);
	xcb_window_t above = XCB_NONE, cover = XCB_NONE;

	for (int i = 0; i < (int)tops->len && at >= 0; i++) {
		struct top *top = &g_array_index(tops, struct top, i);

		if (!top->mapped || i == at) {
			continue;
		}
		if (i < at) {
			top->placed = top->placed || top->managed;
		} else if (top->managed) {
			above = is_raised(top, final) ? top->window : above;
		} else if (!top->input_only && overlap(top, &g_array_index(tops, struct top, at))) {
			cover = top->window;
		}
	}
	if (above != XCB_NONE && is_top) {
		journal_note("foreign: window 0x%x is above", above);
		me.counts.place_lost++;
	}
	if (cover != covered_by && cover != XCB_NONE) {
		journal_note("unmanaged window 0x%x is above", cover);
		me.counts.covered++;
	}
	covered_by = cover;
	is_top = above == XCB_NONE;
}

/* xcb's above_sibling: the window right below; none: at the bottom. */
static void restack(xcb_window_t window, xcb_window_t below)
{
	int at = find_top(window);

	if (at < 0) {
		return;
	}
	struct top top = g_array_index(tops, struct top, at);
	int under = find_top(below);
	/* A sibling that came and went faster than we could ask about it: ask for the whole order. */
	if (below != XCB_NONE && under < 0) {
		read_tops();
		return;
	}
	g_array_remove_index(tops, at);
	g_array_insert_val(tops, find_top(below) + 1, top);
}

static void take_configure(const xcb_configure_notify_event_t *event)
{
	struct top *top = event->event == me.root ? top_named(event->window) : NULL;

	if (event->event == me.window) {
		journal_note("configured: %dx%d", event->width, event->height);
	}
	if (top) {
		top->x = event->x;
		top->y = event->y;
		top->width = event->width;
		top->height = event->height;
		restack(event->window, event->above_sibling);
	}
}

static void take_mapping(xcb_window_t event, xcb_window_t window, bool mapped)
{
	struct top *top = event == me.root ? top_named(window) : NULL;

	if (top) {
		top->mapped = mapped;
		top->since = 0;
	}
	if (event == me.window && window == me.window) {
		journal_note(mapped ? "mapped" : "unmapped");
		if (!mapped && me.activity != IDLE) {
			me.counts.place_lost++;
		}
	}
}

static void take_reparent(const xcb_reparent_notify_event_t *event)
{
	if (event->event == me.root) {
		int at = find_top(event->window);

		if (event->parent == me.root) {
			add_top(event->window);
		} else if (at >= 0) {
			g_array_remove_index(tops, at);
		}
	}
	read_clients();
}

void place_property(const xcb_property_notify_event_t *event)
{
	if (event->window != me.root) {
		return;
	}
	if (event->atom == client_list) {
		read_clients();
	} else if (event->atom == active_window) {
		g_autoptr(GArray) active = windows_of(me.root, active_window);
		xcb_window_t window = active->len > 0 ? g_array_index(active, xcb_window_t, 0) : XCB_NONE;

		journal_note("active window 0x%x%s", window, window == me.window ? ", ours" : "");
		if (me.is_active && window != me.window) {
			me.counts.focus_lost++;
		}
		me.is_active = window == me.window;
	}
}

void place_event(const xcb_generic_event_t *event)
{
	const xcb_map_notify_event_t *map = (const void *)event;
	const xcb_destroy_notify_event_t *destroy = (const void *)event;
	const xcb_circulate_notify_event_t *circulate = (const void *)event;

	switch (event->response_type & 0x7f) {
	case XCB_CREATE_NOTIFY:
		add_top(((const xcb_create_notify_event_t *)event)->window);
		break;
	case XCB_DESTROY_NOTIFY:
		if (destroy->event == me.root && find_top(destroy->window) >= 0) {
			g_array_remove_index(tops, find_top(destroy->window));
		}
		break;
	case XCB_MAP_NOTIFY:
	case XCB_UNMAP_NOTIFY:
		take_mapping(map->event, map->window,
			(event->response_type & 0x7f) == XCB_MAP_NOTIFY);
		break;
	case XCB_CONFIGURE_NOTIFY:
		/* The window manager sends us synthetic ones about where we are. */
		if (!(event->response_type & 0x80)) {
			take_configure((const void *)event);
		}
		break;
	case XCB_REPARENT_NOTIFY:
		take_reparent((const void *)event);
		break;
	case XCB_CIRCULATE_NOTIFY:
		if (find_top(circulate->window) >= 0) {
			read_tops();
		}
		break;
	default:
		return;
	}
	place_look(false);
}

void place_init(void)
{
	tops = g_array_new(FALSE, FALSE, sizeof(struct top));
	active_window = sentinel_atom("_NET_ACTIVE_WINDOW");
	client_list = sentinel_atom("_NET_CLIENT_LIST");
	supporting = sentinel_atom("_NET_SUPPORTING_WM_CHECK");
}

void place_begin(void)
{
	g_autoptr(GArray) managers = windows_of(me.root, supporting);
	g_autoptr(GArray) active = windows_of(me.root, active_window);

	me.has_wm = managers->len > 0;
	me.is_active = active->len > 0 && g_array_index(active, xcb_window_t, 0) == me.window;
	read_tops();
	is_top = true;
	place_look(true);
}
