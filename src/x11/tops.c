/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/tops.h"

#include <stdlib.h>
#include <xcb/shape.h>

#include "x11/ahead.h"

enum {
	MAX_FRAMES = 8,       /* windows a window manager may put around a client */
	MAX_SEARCH_DEPTH = 3, /* how deep a client is looked for in a frame */
	MAX_SEARCH_WIDTH = 64,
};

/* On the way from a window up to the child of the root it is in. */
struct climb {
	xcb_window_t at;
	int height;       /* -1 until arrived */
	bool lost;
	unsigned sequence;
};

/* A child of the root that no window manager lists, or not known yet to be listed. */
struct child {
	xcb_window_t id;
	int height;
	unsigned attributes, geometry;
	bool seen;        /* some of it is on the screen */
	bool candidate;   /* it may be, or hold, a window for the user */
	bool viewable;
	bool settled;     /* what it holds is known */
};

/* A window that may be the one for the user in a child of the root. */
struct suspect {
	xcb_window_t id;
	struct child *in;
	unsigned properties, tree;
};

static int height_of(GHashTable *heights, xcb_window_t window)
{
	gpointer height;
	bool found = g_hash_table_lookup_extended(heights, GUINT_TO_POINTER(window), NULL, &height);
	return found ? GPOINTER_TO_INT(height) : -1;
}

static void climb_ask(struct x11_server *server, GHashTable *heights, struct climb *climb)
{
	climb->height = height_of(heights, climb->at);
	climb->sequence = climb->height >= 0 || climb->lost ? 0
		: x11_ahead_ask(server, AHEAD_TREE, climb->at);
}

/* Goes one level up. Returns whether there is more to climb. */
static bool climb_collect(struct x11_server *server, GHashTable *heights, struct climb *climb)
{
	if (climb->sequence == 0) {
		return false;
	}
	xcb_query_tree_reply_t *tree = x11_reply(server, climb->sequence);
	climb->lost = tree == NULL || tree->parent == server->root || tree->parent == XCB_WINDOW_NONE;
	if (!climb->lost) {
		climb->at = tree->parent;
		climb->height = height_of(heights, climb->at);
	}
	free(tree);
	return !climb->lost && climb->height < 0;
}

static void climb_on(struct x11_server *server, GHashTable *heights, GArray *climbs)
{
	bool more = true;
	for (int level = 0; more && level < MAX_FRAMES; level++) {
		more = false;
		for (guint i = 0; level > 0 && i < climbs->len; i++) {
			climb_ask(server, heights, &g_array_index(climbs, struct climb, i));
		}
		for (guint i = 0; i < climbs->len; i++) {
			more |= climb_collect(server, heights, &g_array_index(climbs, struct climb, i));
		}
	}
}

xcb_window_t x11_top_of(struct x11_server *server, xcb_window_t window)
{
	for (int level = 0; level < MAX_FRAMES; level++) {
		unsigned sequence = xcb_query_tree(server->c, window).sequence;
		xcb_query_tree_reply_t *tree = x11_reply(server, sequence);
		xcb_window_t parent = tree != NULL ? tree->parent : XCB_WINDOW_NONE;
		free(tree);
		if (parent == server->root || parent == XCB_WINDOW_NONE) {
			return parent == server->root ? window : XCB_WINDOW_NONE;
		}
		window = parent;
	}
	return XCB_WINDOW_NONE;
}

static void child_collect(struct x11_server *server, const struct x11_desk *desk,
	struct child *child)
{
	xcb_get_window_attributes_reply_t *attributes = x11_reply(server, child->attributes);
	xcb_get_geometry_reply_t *geometry = x11_reply(server, child->geometry);
	/* The compositor's overlay is the server's own. */
	bool of_client = (child->id & ~server->id_mask) != 0;
	if (attributes != NULL && geometry != NULL && of_client
	    && attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT) {
		struct screen_rect bounds = { geometry->x, geometry->y, geometry->width, geometry->height };
		bool sized = bounds.width > 1 || bounds.height > 1;
		child->viewable = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
		child->seen = child->viewable && sized
			&& !screen_rect_empty(screen_rect_intersect(bounds, desk->bounds));
		/*
		 * Without a window manager that lists them, windows off the screen count if they name
		 * themselves, and only WM_STATE tells of iconified ones.
		 */
		child->candidate = child->seen || (!desk->managed && (sized || !child->viewable));
	}
	free(attributes);
	free(geometry);
}

static bool has_property(const xcb_list_properties_reply_t *list, xcb_atom_t property)
{
	const xcb_atom_t *atoms = xcb_list_properties_atoms(list);
	for (int i = 0; i < list->atoms_len; i++) {
		if (atoms[i] == property) {
			return true;
		}
	}
	return false;
}

/* What an application sets on a window it wants managed, or at least known. */
static bool introduces_itself(const struct x11_server *server,
	const xcb_list_properties_reply_t *list)
{
	return has_property(list, XCB_ATOM_WM_CLASS) || has_property(list, XCB_ATOM_WM_NAME)
		|| has_property(list, server->atoms[ATOM__NET_WM_PID])
		|| has_property(list, server->atoms[ATOM__NET_WM_WINDOW_TYPE]);
}

static void top_add(GArray *tops, xcb_window_t id, struct child *in)
{
	struct x11_top top = { .id = id, .frame = in->id, .height = in->height };
	g_array_append_val(tops, top);
	in->settled = true;
}

/* A frame, a dock or another window of the window manager's own. */
static bool is_of_wm(const struct x11_server *server, xcb_window_t id)
{
	return ((id ^ server->wm_check) & ~server->id_mask) == 0;
}

/*
 * Decides about one suspect; true if the search goes on below it. WM_STATE marks a client. A child
 * of the root without it that names itself is a window for the user, if it can be seen, unless it
 * is the window manager's: those name their frames, too.
 */
static bool examine(struct x11_server *server, const struct suspect *suspect, GArray *tops,
	const xcb_list_properties_reply_t *list)
{
	struct child *in = suspect->in;
	bool named = introduces_itself(server, list);
	if (has_property(list, server->atoms[ATOM_WM_STATE])) {
		top_add(tops, suspect->id, in);
	} else if (suspect->id == in->id && named && !is_of_wm(server, in->id)) {
		if (in->viewable) {
			top_add(tops, suspect->id, in);
		}
		in->settled = true;
	}
	return !in->settled;
}

/* Looks into all candidates at once, level by level, one turn of the server for each. */
static void add_unlisted(struct x11_server *server, GArray *children, GArray *tops)
{
	g_autoptr(GArray) level = g_array_new(FALSE, FALSE, sizeof(struct suspect));
	g_autoptr(GArray) below = g_array_new(FALSE, FALSE, sizeof(struct suspect));
	for (guint i = 0; i < children->len; i++) {
		struct child *child = &g_array_index(children, struct child, i);
		struct suspect suspect = { .id = child->id, .in = child };
		if (child->candidate && !child->settled) {
			g_array_append_val(level, suspect);
		}
	}
	for (int depth = 0; depth <= MAX_SEARCH_DEPTH && level->len > 0; depth++) {
		for (guint i = 0; i < level->len; i++) {
			struct suspect *suspect = &g_array_index(level, struct suspect, i);
			suspect->properties = x11_ahead_ask(server, AHEAD_PROPERTIES, suspect->id);
			suspect->tree = x11_ahead_ask(server, AHEAD_TREE, suspect->id);
		}
		g_array_set_size(below, 0);
		for (guint i = 0; i < level->len; i++) {
			const struct suspect *suspect = &g_array_index(level, struct suspect, i);
			xcb_list_properties_reply_t *list = x11_reply(server, suspect->properties);
			xcb_query_tree_reply_t *tree = x11_reply(server, suspect->tree);
			bool deeper = list != NULL && tree != NULL && !suspect->in->settled
				&& examine(server, suspect, tops, list);
			for (int k = 0; deeper && k < MIN(tree->children_len, MAX_SEARCH_WIDTH); k++) {
				struct suspect next = { xcb_query_tree_children(tree)[k], suspect->in, 0, 0 };
				g_array_append_val(below, next);
			}
			free(list);
			free(tree);
		}
		GArray *done = level;
		level = below;
		below = done;
	}
	/* What is left and can be seen is a popup that says nothing about itself. */
	for (guint i = 0; i < children->len; i++) {
		struct child *child = &g_array_index(children, struct child, i);
		if (child->seen && !child->settled && !is_of_wm(server, child->id)) {
			top_add(tops, child->id, child);
		}
	}
}

static gint compare_height(gconstpointer a, gconstpointer b)
{
	const struct x11_top *one = a, *other = b;
	return (one->height > other->height) - (one->height < other->height);
}

GArray *x11_tops_find(struct x11_server *server, const struct x11_desk *desk, xcb_window_t *focused)
{
	GArray *tops = g_array_new(FALSE, FALSE, sizeof(struct x11_top));
	g_autoptr(GHashTable) heights = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) children = g_array_new(FALSE, TRUE, sizeof(struct child));
	g_autoptr(GArray) climbs = g_array_new(FALSE, TRUE, sizeof(struct climb));
	g_array_set_size(children, desk->children->len);
	g_array_set_size(climbs, desk->clients->len + 1);

	for (guint i = 0; i < children->len; i++) {
		struct child *child = &g_array_index(children, struct child, i);
		child->id = g_array_index(desk->children, xcb_window_t, i);
		child->height = (int)i;
		g_hash_table_insert(heights, GUINT_TO_POINTER(child->id), GINT_TO_POINTER((int)i));
		child->attributes = x11_ahead_ask(server, AHEAD_ATTRIBUTES, child->id);
		child->geometry = x11_ahead_ask(server, AHEAD_GEOMETRY, child->id);
	}
	for (guint i = 0; i < climbs->len; i++) {
		struct climb *climb = &g_array_index(climbs, struct climb, i);
		climb->at = i < desk->clients->len ? g_array_index(desk->clients, xcb_window_t, i)
			: desk->focus;
		/* What has the focus is of interest where no window manager says which window is active. */
		climb->lost = climb->at == XCB_WINDOW_NONE || climb->at == server->root
			|| (i == desk->clients->len && desk->managed);
		climb_ask(server, heights, climb);
	}
	/* Replies are fetched in the order of the requests; the first level of climbs follows below. */
	for (guint i = 0; i < children->len; i++) {
		child_collect(server, desk, &g_array_index(children, struct child, i));
	}
	climb_on(server, heights, climbs);

	for (guint i = 0; i < climbs->len; i++) {
		const struct climb *climb = &g_array_index(climbs, struct climb, i);
		xcb_window_t frame = climb->height >= 0 ? climb->at : XCB_WINDOW_NONE;
		if (i == desk->clients->len) {
			*focused = frame;
			break;
		}
		struct x11_top top = { g_array_index(desk->clients, xcb_window_t, i), frame, climb->height,
			true };
		g_array_append_val(tops, top);
		if (frame != XCB_WINDOW_NONE) {
			g_array_index(children, struct child, climb->height).settled = true;
		}
	}
	add_unlisted(server, children, tops);
	g_array_sort(tops, compare_height);
	return tops;
}

bool x11_takes_pointer(struct x11_server *server, xcb_window_t top, struct screen_px point)
{
	unsigned asked = xcb_get_window_attributes(server->c, top).sequence;
	xcb_get_geometry_reply_t *geometry = x11_reply(
		server, xcb_get_geometry(server->c, top).sequence);
	xcb_get_window_attributes_reply_t *attributes = x11_reply(server, asked);
	bool there = geometry != NULL && attributes != NULL
		&& attributes->map_state == XCB_MAP_STATE_VIEWABLE && point.x >= geometry->x
		&& point.x < geometry->x + geometry->width + 2 * geometry->border_width
		&& point.y >= geometry->y
		&& point.y < geometry->y + geometry->height + 2 * geometry->border_width;
	if (there && server->has_shape) {
		xcb_shape_get_rectangles_reply_t *shape = x11_reply(server,
			xcb_shape_get_rectangles(server->c, top, XCB_SHAPE_SK_INPUT).sequence);
		const xcb_rectangle_t *parts = shape != NULL
			? xcb_shape_get_rectangles_rectangles(shape)
			: NULL;
		int x = point.x - geometry->x - geometry->border_width,
		    y = point.y - geometry->y - geometry->border_width;
		there = shape == NULL;
		for (uint32_t i = 0; shape != NULL && i < shape->rectangles_len && !there; i++) {
			there = x >= parts[i].x && x < parts[i].x + parts[i].width
				&& y >= parts[i].y && y < parts[i].y + parts[i].height;
		}
		free(shape);
	}
	free(geometry);
	free(attributes);
	return there;
}
