/* SPDX-License-Identifier: MIT */
/*
 * The driver is killed at every record of its undo log. Afterwards the display is as it was: devices,
 * input shapes, key map, grabs, pressed buttons and keys; and the user can type.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/shape.h>
#include <xcb/xinput.h>

#include "lab/oracle.h"

/* More steps than any of the gestures takes. */
#define MOST_STEPS 64

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
}

/* All of the display that a driver could leave otherwise than it found it. */
static char *describe(struct lab_desk *desk)
{
	GString *text = g_string_new(NULL);

	add_devices(desk, text);
	add_shapes(desk, text);
	add_keys(desk, text);
	return g_string_free(text, FALSE);
}

static char *last;

static bool is_as_before(struct lab_desk *desk, void *data)
{
	g_free(last);
	last = describe(desk);
	return g_str_equal(last, data);
}

static void tell_difference(void *data, bool failed)
{
	if (failed && last && !g_str_equal(last, data)) {
		lab_note("before:\n%s\nafter:\n%s", (char *)data, last);
	}
}

/* What is done to the covered window; each kind writes other records. */
static const struct {
	const char *name, *tool, *arguments;
} gestures[] = {
	{ "click", "click", "\"x\":100,\"y\":100" },
	{ "click with ctrl", "click", "\"x\":100,\"y\":100,\"modifier\":[\"ctrl\",\"shift\"]" },
	{ "drag", "drag", "\"from_x\":60,\"from_y\":60,\"to_x\":120,\"to_y\":90,\"steps\":3,\"duration_ms\":30" },
	{ "press", "mouse_button_down", "\"x\":100,\"y\":100" },
};

/* Devices of one name each come and go as hierarchy events: the lab's eye hears them. */
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

/* One driver that dies at that step, or does not get so far; true if it died. */
static bool run_to(struct lab_desk *desk, struct lab_harness *canvas, int gesture, int step)
{
	char number[16];

	g_snprintf(number, sizeof number, "%d", step);
	char **env = g_environ_setenv(g_strdupv(desk->env), "CUA_DRIVER_TEST_DIE_AT", number, TRUE);
	struct lab_desk mortal = *desk;
	mortal.env = env;
	struct lab_driver *driver = lab_driver_start(&mortal);
	lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", canvas->window);
	int id = lab_send_call(driver, gestures[gesture].tool, "{\"window_id\":%u,%s}", canvas->window,
		gestures[gesture].arguments);
	pid_t pid = lab_driver_pid(driver);
	bool answered = lab_has_answer(driver, id, 20000);
	if (answered) {
		/* It may still die when it gives its devices back. */
		lab_driver_eof(driver);
	}
	int code = lab_reap(pid, 20000);
	if (code != 0 && code != 128 + SIGKILL) {
		lab_fail("%s: the driver ended with %d at step %d", gestures[gesture].name, code, step);
	}
	lab_driver_forget(driver);
	return code == 128 + SIGKILL;
}

static void killed(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "1200x780+0+0");

	listen(desk);
	lab_x_quiet(desk, 300);
	char *before = describe(desk);
	lab_at_end(tell_difference, before);
	for (gsize i = 0; i < G_N_ELEMENTS(gestures); i++) {
		int step = 1;
		while (run_to(desk, canvas, (int)i, step)) {
			char what[96];
			g_snprintf(what, sizeof what, "%s, killed at step %d: the display is as before",
				gestures[i].name, step);
			lab_x_until(desk, is_as_before, before, 15000, what);
			lab_assert(++step < MOST_STEPS);
		}
		lab_x_until(desk, is_as_before, before, 15000, "nobody killed it: the display is as before");
		lab_note("%s: %d steps", gestures[i].name, step - 1);
		/* The pair, the button, a hole each for the point and the pixel beside it; written and dropped. */
		lab_assert(step > 6);
		/* The user can type, and has everything that belongs to the user. */
		lab_sentinel_start(sentinel);
		lab_sentinel_types(sentinel, 10);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		if (!verdict.held) {
			lab_fail("after %s: %s", gestures[i].name, verdict.text);
		}
	}
}

/* A driver that stops while it holds the server must not stop the user. */
static void stopped(struct lab_desk *desk)
{
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "1200x780+0+0");

	listen(desk);
	lab_x_quiet(desk, 300);
	char *before = describe(desk);
	lab_at_end(tell_difference, before);
	/* Steps 2 to 4 are in a grab: two holes and the button. */
	for (int step = 2; step <= 4; step++) {
		char number[16];
		g_snprintf(number, sizeof number, "%d", step);
		struct lab_desk frozen = *desk;
		frozen.env = g_environ_setenv(g_strdupv(desk->env), "CUA_DRIVER_TEST_STOP_AT", number, TRUE);
		struct lab_driver *driver = lab_driver_start(&frozen);
		lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", canvas->window);
		int id = lab_send_call(driver, "click", "{\"window_id\":%u,\"x\":100,\"y\":100}", canvas->window);
		/* The lab's own eye would wait for ever if the grab stayed; the user, too. */
		g_usleep(100000);
		lab_sentinel_start(sentinel);
		lab_sentinel_types(sentinel, 5);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		if (!verdict.held) {
			lab_fail("stopped at step %d: %s", step, verdict.text);
		}
		kill(lab_driver_pid(driver), SIGCONT);
		struct lab_message message = lab_wait_id(driver, id, 20000);
		struct lab_answer answer = lab_answer_of(driver, message);
		lab_assert(answer.is_error);
		lab_driver_stop(driver);
		lab_x_until(desk, is_as_before, before, 15000, "the display is as before");
	}
}

static const struct lab_test tests[] = {
	{ .name = "killed", .run = killed, .servers = LAB_XVFB, .wms = "openbox", .timeout = 400,
	  .about = "SIGKILL at every record of the undo log: the guardian puts everything back." },
	{ .name = "stopped", .run = stopped, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "A driver that is stopped while it holds the X server loses it." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
