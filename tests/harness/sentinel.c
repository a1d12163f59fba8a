/* SPDX-License-Identifier: MIT */
/*
 * The sentinel: a user who works in the window in front while something else is driven behind it. It
 * types a known text with the core keyboard and moves the core pointer inside its own window (XTEST),
 * and journals everything that reaches the window. Whatever it did not do itself, somebody did to it.
 *
 * It listens through XInput 2, where every event names its device: keys of another master keyboard
 * (an agent's own) are as foreign as leaked ones.
 *
 * Commands on stdin, one a line: `start` begins a measurement, `pause` stops typing and goes on
 * watching (`start` then continues), `stop` ends it with a line of kind "verdict" in the journal. The
 * end of stdin ends the program.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal.h"
#include "sentinel.h"

struct sentinel me = { .random = 20231116, .period_ms = 25 };

static int journal_fd = STDOUT_FILENO;
static gint64 next_step;

xcb_atom_t sentinel_atom(const char *name)
{
	g_autofree xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(me.x,
		xcb_intern_atom(me.x, 0, strlen(name), name), NULL);

	return reply ? reply->atom : XCB_ATOM_NONE;
}

void sentinel_put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *line = g_strdup_printf("{\"t\":%" G_GINT64_FORMAT ",%s}\n",
		g_get_monotonic_time(), text);
	if (write(journal_fd, line, strlen(line)) < 0) {
		exit(1);
	}
}

/* Core input can only be synthetic: real events come through XInput. */
static void take_synthetic(const xcb_generic_event_t *event)
{
	if (event->response_type & 0x80) {
		journal_note("foreign: event %d sent by another client", event->response_type & 0x7f);
		me.counts.foreign++;
	}
}

static void take_event(const xcb_generic_event_t *event)
{
	static const char *const visibilities[] = { "unobscured", "partially obscured", "obscured" };

	switch (event->response_type & 0x7f) {
	case XCB_GE_GENERIC:
		if (((const xcb_ge_generic_event_t *)event)->extension == me.xi_opcode) {
			input_event((const void *)event);
		}
		break;
	case XCB_KEY_PRESS:
	case XCB_KEY_RELEASE:
	case XCB_BUTTON_PRESS:
	case XCB_BUTTON_RELEASE:
	case XCB_FOCUS_IN:
	case XCB_FOCUS_OUT:
		take_synthetic(event);
		break;
	case XCB_MAPPING_NOTIFY:
		input_map_changed();
		break;
	case XCB_VISIBILITY_NOTIFY:
		journal_note("%s", visibilities[((const xcb_visibility_notify_event_t *)event)->state % 3]);
		break;
	case XCB_PROPERTY_NOTIFY:
		place_property((const void *)event);
		place_look(false);
		break;
	default:
		place_event(event);
		break;
	}
}

static void take_events(void)
{
	xcb_generic_event_t *event;

	while ((event = xcb_poll_for_event(me.x))) {
		take_event(event);
		free(event);
	}
	if (xcb_connection_has_error(me.x)) {
		exit(1);
	}
}

/* Everything we asked for has been done, and everything that came of it has been looked at. */
static void catch_up(void)
{
	free(xcb_get_input_focus_reply(me.x, xcb_get_input_focus(me.x), NULL));
	take_events();
}

static bool owns_focus(void)
{
	g_autofree xcb_input_xi_get_focus_reply_t *reply = xcb_input_xi_get_focus_reply(me.x,
		xcb_input_xi_get_focus(me.x, me.keyboard), NULL);

	return reply && reply->focus == me.window;
}

static void begin(void)
{
	if (me.activity == IDLE) {
		catch_up();
		me.counts = (struct counts){ 0 };
		place_begin();
		input_begin();
		me.is_focused = owns_focus();
		/* A user who is not there cannot be disturbed: that is a failure, not a success. */
		if (!me.is_focused || (me.has_wm && !me.is_active)) {
			journal_note("foreign: started without the focus");
			me.counts.focus_lost++;
		}
	}
	me.activity = TYPING;
	next_step = g_get_monotonic_time();
	journal_state("typing", "true", "false");
}

static void halt(void)
{
	input_release();
	catch_up();
	journal_state("typing", "false", "true");
}

static void verdict(void)
{
	struct counts *c = &me.counts;

	halt();
	place_look(true);
	input_end();
	if (me.is_focused && !owns_focus()) {
		c->focus_lost++;
	}
	bool held = c->typed > 0 && c->received == c->typed && c->missing == 0 && c->foreign == 0 &&
		c->focus_lost == 0 && c->place_lost == 0 && c->pointer_moved == 0 && c->grabs == 0;
	sentinel_put("\"kind\":\"verdict\",\"typed\":%d,\"received\":%d,\"missing\":%d,"
		"\"foreign\":%d,\"focus_lost\":%d,\"place_lost\":%d,\"pointer_moved\":%d,"
		"\"grabs\":%d,\"covered\":%d,\"held\":%s", c->typed, c->received, c->missing,
		c->foreign, c->focus_lost, c->place_lost, c->pointer_moved, c->grabs, c->covered,
		held ? "true" : "false");
	me.activity = IDLE;
}

static void obey(const char *command)
{
	if (g_str_equal(command, "start")) {
		begin();
	} else if (g_str_equal(command, "pause") && me.activity == TYPING) {
		halt();
		me.activity = PAUSED;
	} else if (g_str_equal(command, "stop") && me.activity != IDLE) {
		verdict();
	} else {
		journal_note("cannot %s now", command);
	}
}

/* False at the end of stdin. */
static bool take_commands(void)
{
	static char buffer[256];
	static gsize size;
	ssize_t got = read(STDIN_FILENO, buffer + size, sizeof buffer - size - 1);

	if (got <= 0) {
		return got < 0 && errno == EINTR;
	}
	size += (gsize)got;
	buffer[size] = '\0';
	for (char *end; (end = strchr(buffer, '\n'));) {
		*end = '\0';
		obey(buffer);
		size -= (gsize)(end + 1 - buffer);
		memmove(buffer, end + 1, size + 1);
	}
	return size < sizeof buffer - 1;
}

static void find_devices(void)
{
	const xcb_query_extension_reply_t *extension = xcb_get_extension_data(me.x, &xcb_input_id);
	g_autofree xcb_input_xi_query_version_reply_t *version = xcb_input_xi_query_version_reply(me.x,
		xcb_input_xi_query_version(me.x, 2, 2), NULL);
	g_autofree xcb_input_xi_query_device_reply_t *devices = xcb_input_xi_query_device_reply(me.x,
		xcb_input_xi_query_device(me.x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);

	if (!version || !devices) {
		fprintf(stderr, "sentinel: no XInput 2\n");
		exit(1);
	}
	me.xi_opcode = extension->major_opcode;
	/* The first pair is the server's own and cannot be removed. */
	xcb_input_xi_device_info_iterator_t device = xcb_input_xi_query_device_infos_iterator(devices);
	for (; device.rem > 0; xcb_input_xi_device_info_next(&device)) {
		if (device.data->type == XCB_INPUT_DEVICE_TYPE_MASTER_POINTER && me.pointer == 0) {
			me.pointer = device.data->deviceid;
			me.keyboard = device.data->attachment;
		}
	}
}

static void select_input(void)
{
	struct {
		xcb_input_event_mask_t head;
		uint32_t mask;
	} input = {
		{ XCB_INPUT_DEVICE_ALL_MASTER, 1 },
		XCB_INPUT_XI_EVENT_MASK_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_KEY_RELEASE |
		XCB_INPUT_XI_EVENT_MASK_BUTTON_PRESS | XCB_INPUT_XI_EVENT_MASK_MOTION |
		XCB_INPUT_XI_EVENT_MASK_ENTER | XCB_INPUT_XI_EVENT_MASK_LEAVE |
		XCB_INPUT_XI_EVENT_MASK_FOCUS_IN | XCB_INPUT_XI_EVENT_MASK_FOCUS_OUT,
	};
	uint32_t root_mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;

	xcb_input_xi_select_events(me.x, me.window, 1, &input.head);
	xcb_change_window_attributes(me.x, me.root, XCB_CW_EVENT_MASK, &root_mask);
}

static void set_text(const char *property, const char *type, const char *text)
{
	xcb_change_property(me.x, XCB_PROP_MODE_REPLACE, me.window, sentinel_atom(property),
		sentinel_atom(type), 8, strlen(text), text);
}

static void open_window(const char *title, int x, int y, int width, int height)
{
	uint32_t values[] = { 0xe0e0ff, XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE |
		XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE |
		XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY |
		XCB_EVENT_MASK_VISIBILITY_CHANGE };
	/* US position and size; input wanted, normal state: the window manager focuses us itself. */
	uint32_t size_hints[18] = { 1 << 0 | 1 << 1, (uint32_t)x, (uint32_t)y, (uint32_t)width,
		(uint32_t)height };
	uint32_t wm_hints[9] = { 1 << 0 | 1 << 1, 1, 1 };
	uint32_t pid = (uint32_t)getpid();

	me.window = xcb_generate_id(me.x);
	xcb_create_window(me.x, XCB_COPY_FROM_PARENT, me.window, me.root, (int16_t)x, (int16_t)y,
		(uint16_t)width, (uint16_t)height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
		me.screen->root_visual, XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
	set_text("_NET_WM_NAME", "UTF8_STRING", title);
	set_text("WM_NAME", "STRING", title);
	xcb_change_property(me.x, XCB_PROP_MODE_REPLACE, me.window, XCB_ATOM_WM_CLASS,
		XCB_ATOM_STRING, 8, 18, "sentinel\0Sentinel");
	xcb_change_property(me.x, XCB_PROP_MODE_REPLACE, me.window, XCB_ATOM_WM_NORMAL_HINTS,
		XCB_ATOM_WM_SIZE_HINTS, 32, 18, size_hints);
	xcb_change_property(me.x, XCB_PROP_MODE_REPLACE, me.window, XCB_ATOM_WM_HINTS,
		XCB_ATOM_WM_HINTS, 32, 9, wm_hints);
	xcb_change_property(me.x, XCB_PROP_MODE_REPLACE, me.window, sentinel_atom("_NET_WM_PID"),
		XCB_ATOM_CARDINAL, 32, 1, &pid);
	select_input();
	xcb_map_window(me.x, me.window);
}

static int usage(void)
{
	fprintf(stderr, "usage: sentinel [--journal-fd N] [--geometry WxH+X+Y] [--title TEXT] "
		"[--seed N] [--period-ms N]\n");
	return 64;
}

static void run(void)
{
	struct pollfd fds[] = { { .fd = xcb_get_file_descriptor(me.x), .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN } };

	for (;;) {
		int wait = -1;

		if (me.activity == TYPING && g_get_monotonic_time() >= next_step) {
			input_step();
			place_look(false);
			next_step = g_get_monotonic_time() + me.period_ms * 500;
		}
		if (me.activity == TYPING) {
			wait = (int)MAX((next_step - g_get_monotonic_time() + 999) / 1000, 0);
		}
		take_events();
		xcb_flush(me.x);
		if (poll(fds, 2, wait) < 0 && errno != EINTR) {
			return;
		}
		take_events();
		if (fds[1].revents && !take_commands()) {
			return;
		}
	}
}

int main(int argc, char **argv)
{
	const char *title = "Sentinel";
	int x = 40, y = 40, width = 320, height = 200;

	for (int i = 1; i < argc; i += 2) {
		if (i + 1 >= argc) {
			return usage();
		} else if (g_str_equal(argv[i], "--journal-fd")) {
			journal_fd = atoi(argv[i + 1]);
		} else if (g_str_equal(argv[i], "--title")) {
			title = argv[i + 1];
		} else if (g_str_equal(argv[i], "--seed") && atoi(argv[i + 1]) != 0) {
			me.random = (uint32_t)atoi(argv[i + 1]);
		} else if (g_str_equal(argv[i], "--period-ms") && atoi(argv[i + 1]) > 1) {
			me.period_ms = atoi(argv[i + 1]);
		} else if (!g_str_equal(argv[i], "--geometry") ||
			sscanf(argv[i + 1], "%dx%d+%d+%d", &width, &height, &x, &y) != 4) {
			return usage();
		}
	}
	journal_open(journal_fd);
	me.x = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(me.x)) {
		fprintf(stderr, "sentinel: no X server\n");
		return 69;
	}
	me.screen = xcb_setup_roots_iterator(xcb_get_setup(me.x)).data;
	me.root = me.screen->root;
	find_devices();
	place_init();
	input_init();
	open_window(title, x, y, width, height);
	catch_up();
	journal_note("types from seed %u, a key each %d ms", me.random, me.period_ms);
	journal_ready("sentinel");
	run();
	return 0;
}
