/* SPDX-License-Identifier: MIT */
/* Windows and properties, read with plain xcb. */
#include <stdlib.h>
#include <string.h>
#include <xcb/res.h>

#include "internal.h"

xcb_atom_t lab_atom(struct lab_desk *desk, const char *name)
{
	g_autofree xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(desk->x,
		xcb_intern_atom(desk->x, 0, strlen(name), name), NULL);

	return reply ? reply->atom : XCB_ATOM_NONE;
}

GArray *lab_x_list(struct lab_desk *desk, xcb_window_t window, const char *property)
{
	GArray *items = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x,
		xcb_get_property(desk->x, 0, window, lab_atom(desk, property), XCB_ATOM_ANY, 0, 4096),
		NULL);

	if (reply && reply->format == 32) {
		g_array_append_vals(items, xcb_get_property_value(reply), reply->value_len);
	}
	return items;
}

uint32_t lab_x_number(struct lab_desk *desk, xcb_window_t window, const char *property,
	uint32_t otherwise)
{
	g_autoptr(GArray) items = lab_x_list(desk, window, property);

	return items->len > 0 ? g_array_index(items, uint32_t, 0) : otherwise;
}

bool lab_x_is_iconic(struct lab_desk *desk, void *window)
{
	return lab_x_number(desk, *(xcb_window_t *)window, "WM_STATE", 0) == 3;
}

char *lab_x_title(struct lab_desk *desk, xcb_window_t window)
{
	g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x,
		xcb_get_property(desk->x, 0, window, lab_atom(desk, "_NET_WM_NAME"), XCB_ATOM_ANY, 0, 1024),
		NULL);

	return reply && reply->format == 8 ? g_strndup(xcb_get_property_value(reply), reply->value_len)
		: NULL;
}

void lab_x_set(struct lab_desk *desk, xcb_window_t window, const char *property, const char *type,
	const void *data, int format, int count)
{
	xcb_change_property(desk->x, XCB_PROP_MODE_REPLACE, window, lab_atom(desk, property),
		lab_atom(desk, type), format, count, data);
}

pid_t lab_x_pid(struct lab_desk *desk, xcb_window_t window)
{
	xcb_res_client_id_spec_t spec = { window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
	g_autofree xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(desk->x,
		xcb_res_query_client_ids(desk->x, 1, &spec), NULL);

	if (!reply) {
		return 0;
	}
	xcb_res_client_id_value_iterator_t value = xcb_res_query_client_ids_ids_iterator(reply);
	for (; value.rem > 0; xcb_res_client_id_value_next(&value)) {
		if (value.data->spec.mask == XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID &&
			value.data->length >= 4) {
			return (pid_t)xcb_res_client_id_value_value(value.data)[0];
		}
	}
	return 0;
}

int lab_x_resources(struct lab_desk *desk, pid_t pid)
{
	g_autofree xcb_res_query_clients_reply_t *all = xcb_res_query_clients_reply(desk->x,
		xcb_res_query_clients(desk->x), NULL);
	int count = 0;

	lab_assert(all);
	for (int i = 0; i < xcb_res_query_clients_clients_length(all); i++) {
		xcb_window_t base = xcb_res_query_clients_clients(all)[i].resource_base;
		if (lab_x_pid(desk, base) != pid) {
			continue;
		}
		g_autofree xcb_res_query_client_resources_reply_t *types = xcb_res_query_client_resources_reply(
			desk->x, xcb_res_query_client_resources(desk->x, base), NULL);
		count++;
		for (int k = 0; types && k < xcb_res_query_client_resources_types_length(types); k++) {
			count += (int)xcb_res_query_client_resources_types(types)[k].count;
		}
	}
	return count;
}

bool lab_rect_equal(struct lab_rect a, struct lab_rect b)
{
	return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

struct lab_rect lab_x_bounds(struct lab_desk *desk, xcb_window_t window)
{
	g_autofree xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(desk->x,
		xcb_get_geometry(desk->x, window), NULL);
	g_autofree xcb_translate_coordinates_reply_t *origin = xcb_translate_coordinates_reply(
		desk->x, xcb_translate_coordinates(desk->x, window, desk->root, 0, 0), NULL);

	if (!size || !origin) {
		lab_fail("window 0x%x is gone", window);
	}
	return (struct lab_rect){ origin->dst_x, origin->dst_y, size->width, size->height };
}

bool lab_x_viewable(struct lab_desk *desk, xcb_window_t window)
{
	g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(desk->x,
		xcb_get_window_attributes(desk->x, window), NULL);

	return is && is->map_state == XCB_MAP_STATE_VIEWABLE &&
		is->_class != XCB_WINDOW_CLASS_INPUT_ONLY;
}

/* The child of the root that the window is in: itself, or the frame around it. */
static xcb_window_t top_level(struct lab_desk *desk, xcb_window_t window)
{
	for (;;) {
		g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
			xcb_query_tree(desk->x, window), NULL);

		if (!tree || tree->parent == desk->root || tree->parent == XCB_NONE) {
			return window;
		}
		window = tree->parent;
	}
}

/*
 * The order is the server's. _NET_CLIENT_LIST_STACKING is only the window manager's word for it,
 * and xfwm4 does not even set it as long as there is one window.
 */
GArray *lab_x_stacking(struct lab_desk *desk)
{
	GArray *windows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) clients = lab_x_list(desk, desk->root, "_NET_CLIENT_LIST");
	g_autoptr(GArray) tops = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
		xcb_query_tree(desk->x, desk->root), NULL);

	for (guint i = 0; i < clients->len; i++) {
		xcb_window_t top = top_level(desk, g_array_index(clients, uint32_t, i));

		g_array_append_val(tops, top);
	}
	for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++) {
		xcb_window_t child = xcb_query_tree_children(tree)[i];

		if (!lab_desk_has_wm(desk) && lab_x_viewable(desk, child)) {
			g_array_append_val(windows, child);
		}
		for (guint j = 0; lab_desk_has_wm(desk) && j < tops->len; j++) {
			if (g_array_index(tops, uint32_t, j) == child) {
				g_array_append_val(windows, g_array_index(clients, uint32_t, j));
			}
		}
	}
	return windows;
}

void lab_x_request(struct lab_desk *desk, xcb_window_t window, const char *message, uint32_t a,
	uint32_t b, uint32_t c)
{
	xcb_client_message_event_t event = {
		.response_type = XCB_CLIENT_MESSAGE,
		.format = 32,
		.window = window,
		.type = lab_atom(desk, message),
		.data.data32 = { a, b, c, 0, 0 },
	};

	xcb_send_event(desk->x, 0, desk->root,
		XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY,
		(const char *)&event);
	xcb_flush(desk->x);
}

bool lab_x_wait_event(struct lab_desk *desk, gint64 deadline)
{
	xcb_flush(desk->x);
	for (;;) {
		xcb_generic_event_t *event = xcb_poll_for_event(desk->x);

		if (event) {
			do {
				free(event);
			} while ((event = xcb_poll_for_queued_event(desk->x)));
			return true;
		}
		if (xcb_connection_has_error(desk->x)) {
			lab_fail("the X server of %s is gone", desk->name);
		}
		if (!lab_readable(xcb_get_file_descriptor(desk->x), deadline)) {
			return false;
		}
	}
}

void lab_x_until(struct lab_desk *desk, bool (*holds)(struct lab_desk *desk, void *data),
	void *data, int ms, const char *what)
{
	gint64 deadline = lab_deadline(ms);

	while (!holds(desk, data)) {
		/*
		 * Some conditions change without an event that the root window reports (map state of a
		 * reparented window), so look again four times a second even in silence.
		 */
		lab_x_wait_event(desk, MIN(deadline, lab_deadline(250)));
		if (lab_left(deadline) == 0) {
			lab_fail("%s: %s did not happen within %d ms", desk->name, what, ms);
		}
	}
}

void lab_x_quiet(struct lab_desk *desk, int ms)
{
	gint64 deadline = lab_deadline(5000);

	while (lab_x_wait_event(desk, lab_deadline(ms))) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s never became quiet", desk->name);
		}
	}
}

struct managed {
	xcb_window_t window;
	bool needs_wm;
};

static bool is_managed(struct lab_desk *desk, void *data)
{
	struct managed *wanted = data;

	if (!lab_x_viewable(desk, wanted->window)) {
		return false;
	}
	if (!wanted->needs_wm) {
		return true;
	}
	g_autoptr(GArray) windows = lab_x_stacking(desk);
	for (guint i = 0; i < windows->len; i++) {
		if (g_array_index(windows, uint32_t, i) == wanted->window) {
			return true;
		}
	}
	return false;
}

static void set_properties(struct lab_desk *desk, xcb_window_t window,
	const struct lab_window *spec)
{
	if (spec->title) {
		lab_x_set(desk, window, "_NET_WM_NAME", "UTF8_STRING", spec->title, 8,
			strlen(spec->title));
	}
	if (spec->legacy_title) {
		lab_x_set(desk, window, "WM_NAME", "STRING", spec->legacy_title, 8,
			strlen(spec->legacy_title));
	}
	if (spec->pid) {
		lab_x_set(desk, window, "_NET_WM_PID", "CARDINAL", &spec->pid, 32, 1);
	}
	if (spec->transient_for) {
		lab_x_set(desk, window, "WM_TRANSIENT_FOR", "WINDOW", &spec->transient_for, 32, 1);
	}
	if (spec->type) {
		g_autofree char *name = g_strdup_printf("_NET_WM_WINDOW_TYPE_%s", spec->type);
		xcb_atom_t type = lab_atom(desk, name);

		lab_x_set(desk, window, "_NET_WM_WINDOW_TYPE", "ATOM", &type, 32, 1);
	}
	/* WM_CLASS, and a program-given position, as any real application has. */
	lab_x_set(desk, window, "WM_CLASS", "STRING", "lab\0Lab", 8, 8);
	uint32_t hints[18] = { 1 << 0 | 1 << 1, spec->x, spec->y };
	lab_x_set(desk, window, "WM_NORMAL_HINTS", "WM_SIZE_HINTS", hints, 32, 18);
}

xcb_window_t lab_window_open(struct lab_desk *desk, const struct lab_window *spec)
{
	xcb_connection_t *client = spec->client ? spec->client : desk->x;
	xcb_window_t window = xcb_generate_id(client);
	const uint32_t values[] = { desk->screen->white_pixel, spec->override_redirect };
	const uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;

	xcb_create_window(client, XCB_COPY_FROM_PARENT, window, desk->root, spec->x, spec->y,
		spec->width ? spec->width : 200, spec->height ? spec->height : 100, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, desk->screen->root_visual,
		XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
	/* It has to be there for the desk's connection, which goes on. */
	free(xcb_get_input_focus_reply(client, xcb_get_input_focus(client), NULL));
	xcb_change_window_attributes(desk->x, window, XCB_CW_EVENT_MASK, &mask);
	set_properties(desk, window, spec);
	xcb_map_window(desk->x, window);
	struct managed wanted = { window, lab_desk_has_wm(desk) && !spec->override_redirect };
	lab_x_until(desk, is_managed, &wanted, 5000, "showing a window");
	return window;
}

static bool is_unmanaged(struct lab_desk *desk, void *data)
{
	return !is_managed(desk, data);
}

void lab_window_close(struct lab_desk *desk, xcb_window_t window)
{
	struct managed wanted = { window, lab_desk_has_wm(desk) };

	xcb_destroy_window(desk->x, window);
	lab_x_until(desk, is_unmanaged, &wanted, 5000, "closing a window");
}

struct titled {
	const char *title;
	xcb_window_t window;
};

static bool has_title(struct lab_desk *desk, void *data)
{
	struct titled *titled = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);
		g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x,
			xcb_get_property(desk->x, 0, window, lab_atom(desk, "_NET_WM_NAME"), XCB_ATOM_ANY, 0, 256),
			NULL);
		gsize size = reply ? (gsize)xcb_get_property_value_length(reply) : 0;

		if (size >= strlen(titled->title) && lab_x_viewable(desk, window) &&
			memcmp(xcb_get_property_value(reply), titled->title, strlen(titled->title)) == 0) {
			titled->window = window;
			return true;
		}
	}
	return false;
}

xcb_window_t lab_x_titled(struct lab_desk *desk, const char *title, int ms)
{
	struct titled titled = { title, XCB_NONE };

	lab_x_until(desk, has_title, &titled, ms, title);
	return titled.window;
}
