/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <xcb/shape.h>
#include <xcb/xinput.h>

#include "internal.h"

static void add_devices(struct lab_desk *desk, GString *text)
{
	xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(desk->x,
		xcb_input_xi_query_device(desk->x, XCB_INPUT_DEVICE_ALL), NULL);

	lab_assert(reply);
	xcb_input_xi_device_info_iterator_t it = xcb_input_xi_query_device_infos_iterator(reply);
	for (; it.rem > 0; xcb_input_xi_device_info_next(&it)) {
		g_string_append_printf(text, "device %d %.*s, attached to %d\n", it.data->deviceid,
			it.data->name_len, xcb_input_xi_device_info_name(it.data), it.data->attachment);
	}
	free(reply);
}

static void add_shapes(struct lab_desk *desk, GString *text)
{
	xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x, xcb_query_tree(desk->x, desk->root),
		NULL);

	lab_assert(tree);
	for (int i = 0; i < tree->children_len; i++) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		xcb_shape_get_rectangles_reply_t *shape = xcb_shape_get_rectangles_reply(desk->x,
			xcb_shape_get_rectangles(desk->x, window, XCB_SHAPE_SK_INPUT), NULL);
		if (!shape) {
			continue;
		}
		g_string_append_printf(text, "shape of %x:", window);
		for (int k = 0; k < xcb_shape_get_rectangles_rectangles_length(shape); k++) {
			const xcb_rectangle_t *at = &xcb_shape_get_rectangles_rectangles(shape)[k];
			g_string_append_printf(text, " %dx%d%+d%+d", at->width, at->height, at->x, at->y);
		}
		g_string_append_c(text, '\n');
		free(shape);
	}
	free(tree);
}

static void add_keys(struct lab_desk *desk, GString *text)
{
	const xcb_setup_t *setup = xcb_get_setup(desk->x);
	xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(desk->x,
		xcb_get_keyboard_mapping(desk->x, setup->min_keycode,
			(uint8_t)(setup->max_keycode - setup->min_keycode + 1)), NULL);

	lab_assert(map);
	g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_MD5,
		(const guchar *)xcb_get_keyboard_mapping_keysyms(map), map->length * 4);
	g_string_append_printf(text, "key map %s\n", sum);
	free(map);
	/* The user's own buttons are let go while nothing happens. */
	xcb_query_pointer_reply_t *pointer = xcb_query_pointer_reply(desk->x,
		xcb_query_pointer(desk->x, desk->root), NULL);
	lab_assert(pointer);
	g_string_append_printf(text, "buttons and modifiers %x\n", pointer->mask);
	free(pointer);
	xcb_query_keymap_reply_t *pressed = xcb_query_keymap_reply(desk->x, xcb_query_keymap(desk->x), NULL);
	lab_assert(pressed);
	g_string_append(text, "keys");
	for (int i = 0; i < 256; i++) {
		if (pressed->keys[i / 8] & 1 << i % 8) {
			g_string_append_printf(text, " %d", i);
		}
	}
	g_string_append_c(text, '\n');
	free(pressed);
}

static char *describe(struct lab_desk *desk)
{
	GString *text = g_string_new(NULL);

	add_devices(desk, text);
	add_shapes(desk, text);
	add_keys(desk, text);
	return g_string_free(text, FALSE);
}

/* Devices that come and go are events: the lab's eye hears them. */
static void listen(struct lab_desk *desk)
{
	struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} wanted = { { XCB_INPUT_DEVICE_ALL, 1 }, XCB_INPUT_XI_EVENT_MASK_HIERARCHY };

	free(xcb_input_xi_query_version_reply(desk->x, xcb_input_xi_query_version(desk->x, 2, 2), NULL));
	xcb_input_xi_select_events(desk->x, desk->root, 1, &wanted.head);
	xcb_flush(desk->x);
}

/* What was seen last, to be told when it is not what it should be. */
struct comparison {
	const char *before;
	char *now;
};

static bool is_as_before(struct lab_desk *desk, void *data)
{
	struct comparison *comparison = data;

	g_free(comparison->now);
	comparison->now = describe(desk);
	return g_str_equal(comparison->now, comparison->before);
}

static void tell_difference(void *data, bool failed)
{
	struct comparison *comparison = data;

	if (failed && comparison->now && !g_str_equal(comparison->now, comparison->before)) {
		lab_note("before:\n%s\nafter:\n%s", comparison->before, comparison->now);
	}
}

char *lab_traces_read(struct lab_desk *desk)
{
	listen(desk);
	lab_x_quiet(desk, 300);
	return describe(desk);
}

void lab_traces_until(struct lab_desk *desk, const char *before, const char *what)
{
	struct comparison *comparison = g_new0(struct comparison, 1);

	comparison->before = before;
	lab_at_end(tell_difference, comparison);
	lab_x_until(desk, is_as_before, comparison, 40000, what);
}
