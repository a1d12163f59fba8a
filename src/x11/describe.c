/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/describe.h"

#include <stdlib.h>
#include <string.h>

#include "x11/ahead.h"
#include "x11/property.h"

/*
 * Requests for this many windows are sent before replies are read: few turns of the server, and
 * never so much that a stopped server fills the socket.
 */
enum { WINDOWS_PER_TURN = 64 };

enum {
	LONGEST_TITLE = 1024, /* in words */
	WITHDRAWN = 0,
	ICONIC = 3, /* WM_STATE */
};

/* What is asked about one window, in the order it is asked: sequences, then replies. */
enum question {
	ASK_ATTRIBUTES,
	ASK_GEOMETRY,
	ASK_ORIGIN,
	ASK_NET_NAME,
	ASK_NAME,
	ASK_CLASS,
	ASK_STATE,
	ASK_NET_STATE,
	ASK_TYPE,
	ASK_WORKSPACE,
	ASK_TRANSIENT,
	ASK_PID,
	ASK_MACHINE,
	ASK_SHADOW,
	ASK_DECORATION,
	ASK_PROPERTIES,
	QUESTIONS
};

struct inquiry {
	unsigned sequences[QUESTIONS];
	void *replies[QUESTIONS];
};

static const struct {
	enum x11_atom atom;
	const char *name;
} types[] = {
	{ ATOM__NET_WM_WINDOW_TYPE_NORMAL, "normal" },
	{ ATOM__NET_WM_WINDOW_TYPE_DIALOG, "dialog" },
	{ ATOM__NET_WM_WINDOW_TYPE_MENU, "menu" },
	{ ATOM__NET_WM_WINDOW_TYPE_DROPDOWN_MENU, "menu" },
	{ ATOM__NET_WM_WINDOW_TYPE_POPUP_MENU, "menu" },
	{ ATOM__NET_WM_WINDOW_TYPE_TOOLTIP, "tooltip" },
	{ ATOM__NET_WM_WINDOW_TYPE_UTILITY, "utility" },
	{ ATOM__NET_WM_WINDOW_TYPE_DOCK, "dock" },
	{ ATOM__NET_WM_WINDOW_TYPE_DESKTOP, "desktop" },
	{ ATOM__NET_WM_WINDOW_TYPE_SPLASH, "splash" },
	{ ATOM__NET_WM_WINDOW_TYPE_TOOLBAR, "toolbar" },
	{ ATOM__NET_WM_WINDOW_TYPE_NOTIFICATION, "notification" },
	{ ATOM__NET_WM_WINDOW_TYPE_COMBO, "combo" },
	{ ATOM__NET_WM_WINDOW_TYPE_DND, "dnd" },
};

static void ask(struct x11_server *server, xcb_window_t window, struct inquiry *inquiry)
{
	const struct {
		enum question question;
		xcb_atom_t property;
		uint32_t words;
	} properties[] = {
		{ ASK_NET_NAME, server->atoms[ATOM__NET_WM_NAME], LONGEST_TITLE },
		{ ASK_NAME, XCB_ATOM_WM_NAME, LONGEST_TITLE },
		{ ASK_CLASS, XCB_ATOM_WM_CLASS, 128 },
		{ ASK_STATE, server->atoms[ATOM_WM_STATE], 2 },
		{ ASK_NET_STATE, server->atoms[ATOM__NET_WM_STATE], 32 },
		{ ASK_TYPE, server->atoms[ATOM__NET_WM_WINDOW_TYPE], 16 },
		{ ASK_WORKSPACE, server->atoms[ATOM__NET_WM_DESKTOP], 1 },
		{ ASK_TRANSIENT, XCB_ATOM_WM_TRANSIENT_FOR, 1 },
		{ ASK_PID, server->atoms[ATOM__NET_WM_PID], 1 },
		{ ASK_MACHINE, XCB_ATOM_WM_CLIENT_MACHINE, 64 },
		{ ASK_SHADOW, server->atoms[ATOM__GTK_FRAME_EXTENTS], 4 },
		{ ASK_DECORATION, server->atoms[ATOM__NET_FRAME_EXTENTS], 4 },
	};
	inquiry->sequences[ASK_ATTRIBUTES] = x11_ahead_ask(server, AHEAD_ATTRIBUTES, window);
	inquiry->sequences[ASK_GEOMETRY] = x11_ahead_ask(server, AHEAD_GEOMETRY, window);
	inquiry->sequences[ASK_ORIGIN] = x11_ahead_ask(server, AHEAD_ORIGIN, window);
	for (gsize i = 0; i < G_N_ELEMENTS(properties); i++) {
		inquiry->sequences[properties[i].question] = x11_ahead_ask_property(server, window,
			properties[i].property, properties[i].words);
	}
	inquiry->sequences[ASK_PROPERTIES] = x11_ahead_ask(server, AHEAD_PROPERTIES, window);
}

static char *title(struct x11_server *server, const struct inquiry *inquiry)
{
	char *text = x11_property_text(server, inquiry->replies[ASK_NET_NAME]);
	if (text == NULL) {
		text = x11_property_text(server, inquiry->replies[ASK_NAME]);
	}
	return text != NULL ? text : g_strdup("");
}

/* The second of the two strings in WM_CLASS, or the first if there is only that. */
static char *class_name(const struct inquiry *inquiry)
{
	const xcb_get_property_reply_t *reply = inquiry->replies[ASK_CLASS];
	if (reply == NULL || reply->format != 8 || reply->value_len == 0) {
		return g_strdup("");
	}
	const char *bytes = xcb_get_property_value(reply);
	gsize first = strnlen(bytes, reply->value_len);
	if (first + 1 < reply->value_len && bytes[first + 1] != '\0') {
		const char *second = bytes + first + 1;
		return g_utf8_make_valid(second, (gssize)strnlen(second, reply->value_len - first - 1));
	}
	return g_utf8_make_valid(bytes, (gssize)first);
}

static bool has_word(const xcb_get_property_reply_t *reply, uint32_t word)
{
	gsize count;
	const uint32_t *words = x11_property_words(reply, &count);
	for (gsize i = 0; i < count; i++) {
		if (words[i] == word) {
			return true;
		}
	}
	return false;
}

static const char *type_name(struct x11_server *server, const struct inquiry *inquiry,
	bool transient)
{
	gsize count;
	const uint32_t *words = x11_property_words(inquiry->replies[ASK_TYPE], &count);
	/* The application lists its types in order of preference; unknown ones are skipped. */
	for (gsize i = 0; i < count; i++) {
		for (gsize k = 0; k < G_N_ELEMENTS(types); k++) {
			if (words[i] == server->atoms[types[k].atom]) {
				return types[k].name;
			}
		}
	}
	const xcb_get_window_attributes_reply_t *attributes = inquiry->replies[ASK_ATTRIBUTES];
	if (attributes->override_redirect) {
		return "popup";
	}
	return transient ? "dialog" : "normal";
}

static int monitor_of(const struct x11_desk *desk, struct screen_rect bounds)
{
	int best = -1, best_area = 0;
	for (guint i = 0; i < desk->monitors->len; i++) {
		const struct monitor *monitor = desk->monitors->pdata[i];
		struct screen_rect part = screen_rect_intersect(monitor->bounds, bounds);
		if (!screen_rect_empty(part) && part.width * part.height > best_area) {
			best_area = part.width * part.height;
			best = (int)i;
		}
	}
	return best;
}

/*
 * Properties do not tell GTK 3 from GTK 4, and Chromium sets some of GTK's: this is for processes
 * whose libraries cannot be seen.
 */
static const char *toolkit_hint(const struct x11_server *server, const struct inquiry *inquiry)
{
	const xcb_list_properties_reply_t *list = inquiry->replies[ASK_PROPERTIES];
	bool theme = false, titlebar = false, embed = false, leader = false, sync = false;
	for (int i = 0; list != NULL && i < list->atoms_len; i++) {
		xcb_atom_t atom = xcb_list_properties_atoms(list)[i];
		theme |= atom == server->atoms[ATOM__GTK_THEME_VARIANT];
		titlebar |= atom == server->atoms[ATOM__GTK_HIDE_TITLEBAR_WHEN_MAXIMIZED];
		embed |= atom == server->atoms[ATOM__XEMBED_INFO];
		leader |= atom == server->atoms[ATOM_WM_CLIENT_LEADER];
		sync |= atom == server->atoms[ATOM__NET_WM_SYNC_REQUEST_COUNTER];
	}
	if (theme) {
		return "gtk";
	}
	if (titlebar && !leader) {
		return "chromium";
	}
	return embed && leader && sync ? "qt" : "";
}

static struct gtk4_extents extents(const struct inquiry *inquiry, enum question question)
{
	gsize count;
	const uint32_t *words = x11_property_words(inquiry->replies[question], &count);
	if (count < 4) {
		return (struct gtk4_extents){ .known = false };
	}
	return (struct gtk4_extents){ true, (int)words[0], (int)words[1], (int)words[2], (int)words[3] };
}

static struct window *describe(struct x11_server *server, const struct x11_desk *desk,
	const struct x11_top *top, const struct inquiry *inquiry)
{
	const xcb_get_window_attributes_reply_t *attributes = inquiry->replies[ASK_ATTRIBUTES];
	const xcb_get_geometry_reply_t *geometry = inquiry->replies[ASK_GEOMETRY];
	const xcb_translate_coordinates_reply_t *origin = inquiry->replies[ASK_ORIGIN];
	if (attributes == NULL || geometry == NULL || origin == NULL) {
		return NULL;
	}
	bool viewable = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
	uint32_t state = x11_property_word(inquiry->replies[ASK_STATE], WITHDRAWN);
	if (!top->managed && !viewable && state != ICONIC) {
		return NULL;
	}
	struct window *window = window_new();
	window->id = top->id;
	g_free(window->title);
	window->title = title(server, inquiry);
	g_free(window->app_name);
	window->app_name = class_name(inquiry);
	window->bounds = (struct screen_rect){ origin->dst_x, origin->dst_y, geometry->width,
		geometry->height };

	uint32_t workspace = x11_property_word(inquiry->replies[ASK_WORKSPACE], UINT32_MAX);
	window->workspace = workspace == UINT32_MAX ? -1 : (int)workspace;
	window->on_current_space = window->workspace < 0 || desk->workspace < 0
		|| window->workspace == desk->workspace;

	/*
	 * Some window managers say iconic for every window of another workspace, and some say hidden of
	 * shaded windows; neither is minimised.
	 */
	const xcb_get_property_reply_t *net_state = inquiry->replies[ASK_NET_STATE];
	bool shaded = has_word(net_state, server->atoms[ATOM__NET_WM_STATE_SHADED]);
	bool hidden = has_word(net_state, server->atoms[ATOM__NET_WM_STATE_HIDDEN]);
	window->minimized = !shaded
		&& (hidden || (state == ICONIC && !viewable && window->on_current_space));

	window->maximized = has_word(net_state, server->atoms[ATOM__NET_WM_STATE_MAXIMIZED_VERT])
		|| has_word(net_state, server->atoms[ATOM__NET_WM_STATE_MAXIMIZED_HORZ]);
	window->fullscreen = has_word(net_state, server->atoms[ATOM__NET_WM_STATE_FULLSCREEN]);
	window->modal = has_word(net_state, server->atoms[ATOM__NET_WM_STATE_MODAL]);

	window->monitor = monitor_of(desk, window->bounds);
	/* Compositing window managers keep windows mapped that they do not show. */
	window->on_screen = viewable && !window->minimized && window->on_current_space
		&& window->monitor >= 0;
	uint32_t leader = x11_property_word(inquiry->replies[ASK_TRANSIENT], XCB_WINDOW_NONE);
	bool transient = leader != XCB_WINDOW_NONE && leader != top->id;
	window->transient_for = transient && leader != server->root ? leader : 0;
	window->type = type_name(server, inquiry, transient);
	window->shadow = extents(inquiry, ASK_SHADOW);
	window->decoration = extents(inquiry, ASK_DECORATION);
	return window;
}

static void sighting_clear(gpointer data)
{
	struct x11_sighting *sighting = data;
	window_free(sighting->window);
	g_free(sighting->machine);
}

static void collect(struct x11_server *server, const struct x11_desk *desk,
	const struct x11_top *top, struct inquiry *inquiry, struct x11_sighting *sighting)
{
	for (int i = 0; i < QUESTIONS; i++) {
		inquiry->replies[i] = x11_reply(server, inquiry->sequences[i]);
	}
	sighting->client = top->id & ~server->id_mask;
	sighting->window = describe(server, desk, top, inquiry);
	sighting->claimed_pid = (pid_t)x11_property_word(inquiry->replies[ASK_PID], 0);
	sighting->machine = x11_property_text(server, inquiry->replies[ASK_MACHINE]);
	sighting->hint = toolkit_hint(server, inquiry);
	for (int i = 0; i < QUESTIONS; i++) {
		free(inquiry->replies[i]);
	}
}

GArray *x11_describe(struct x11_server *server, const struct x11_desk *desk, GArray *tops,
	xcb_window_t focused)
{
	GArray *sightings = g_array_new(FALSE, TRUE, sizeof(struct x11_sighting));
	g_array_set_clear_func(sightings, sighting_clear);
	g_array_set_size(sightings, tops->len);
	g_autofree struct inquiry *inquiries = g_new0(struct inquiry, WINDOWS_PER_TURN);
	g_autoptr(GHashTable) pids = NULL;
	g_autoptr(GHashTable) owners = x11_owners_ask(server, tops);
	int z = 0;
	for (guint from = 0; from < tops->len && !x11_failed(server); from += WINDOWS_PER_TURN) {
		guint end = MIN(tops->len, from + WINDOWS_PER_TURN);
		for (guint i = from; i < end; i++) {
			ask(server, g_array_index(tops, struct x11_top, i).id, &inquiries[i - from]);
		}
		if (pids == NULL) {
			pids = x11_owners_collect(server, owners);
		}
		for (guint i = from; i < end; i++) {
			const struct x11_top *top = &g_array_index(tops, struct x11_top, i);
			struct x11_sighting *sighting = &g_array_index(sightings, struct x11_sighting, i);
			collect(server, desk, top, &inquiries[i - from], sighting);
			sighting->known_pid = (pid_t)GPOINTER_TO_UINT(g_hash_table_lookup(pids,
				GUINT_TO_POINTER(sighting->client)));
			if (sighting->window != NULL) {
				sighting->window->z_index = top->height < 0 ? -1 : z++;
				sighting->window->active = desk->managed ? top->id == desk->active
					: focused != XCB_WINDOW_NONE && top->frame == focused;
			}
		}
	}
	return sightings;
}

bool x11_is_incidental(struct x11_server *server, xcb_window_t window)
{
	const xcb_atom_t *atoms = server->atoms;
	xcb_get_property_reply_t *reply = x11_reply(server, x11_property_ask(server, window,
		atoms[ATOM__NET_WM_WINDOW_TYPE], 1));
	xcb_atom_t type = x11_property_word(reply, XCB_ATOM_NONE);
	/* What is gone before it could be asked was a tooltip most likely, and shows nothing to anybody. */
	bool gone = reply == NULL;
	free(reply);
	return gone || type == atoms[ATOM__NET_WM_WINDOW_TYPE_TOOLTIP]
		|| type == atoms[ATOM__NET_WM_WINDOW_TYPE_NOTIFICATION]
		|| type == atoms[ATOM__NET_WM_WINDOW_TYPE_DND];
}
