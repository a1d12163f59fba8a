/* SPDX-License-Identifier: MIT */
/*
 * What a click with the session's own pointer costs, on a window that repaints when it is pressed: from the
 * call to its answer and the repaint, beside bare XTEST with the user's pointer, xdotool and the released peer,
 * in one run. See README.md.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/damage.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>

#include "lab/lab.h"
#include "lane.h"
#include "sample.h"

enum { MOST_MS = 5000, X = 120, Y = 90, ROUNDS = 200, QUICK_ROUNDS = 40, SLOW_ROUNDS = 10 };
#define RATIO_LIMIT 3.0

enum way_in { FLOOR, OURS, COVERED, XDOTOOL, PEER, SILENT_FLOOR, SILENT, WAYS };
static const char *const way_names[] = {
	[FLOOR] = "bare XTEST with the user's pointer, to the repaint",
	[OURS] = "click by x and y, to its answer and the repaint",
	[COVERED] = "the same, covered by another window",
	[XDOTOOL] = "xdotool mousemove click, to the repaint",
	[PEER] = "peer (@trycua/cua-driver 0.28.2) click by x and y",
	[SILENT_FLOOR] = "bare XTEST on a silent window, one turn",
	[SILENT] = "click on a silent window, to its answer",
};

struct bench {
	struct lab_desk *desk;
	xcb_connection_t *x;      /* the bench's own: XTEST, and Damage of the window */
	uint8_t damage_notify;
	xcb_connection_t *owner;  /* of the window; its thread's alone */
	xcb_window_t window, cover;
	gint silent;              /* it does not repaint */
	int x0, y0;               /* where the window is */
	struct lane *lane, *peer;
};

/* The window: it repaints when it is pressed, and does nothing else. */
static gpointer owner_main(gpointer data)
{
	struct bench *bench = data;
	xcb_generic_event_t *event;
	xcb_gcontext_t context = xcb_generate_id(bench->owner);
	uint32_t colour = 0x404040;
	xcb_create_gc(bench->owner, context, bench->window, XCB_GC_FOREGROUND, &colour);
	while ((event = xcb_wait_for_event(bench->owner)) != NULL) {
		if ((event->response_type & 0x7f) == XCB_BUTTON_PRESS && !g_atomic_int_get(&bench->silent)) {
			colour ^= 0xffffff;
			xcb_change_gc(bench->owner, context, XCB_GC_FOREGROUND, &colour);
			xcb_poly_fill_rectangle(bench->owner, bench->window, context, 1,
				&(xcb_rectangle_t){ X - 20, Y - 20, 40, 40 });
			xcb_flush(bench->owner);
		}
		free(event);
	}
	return NULL;
}

static void open_window(struct bench *bench)
{
	const uint32_t values[] = { 0x808080, XCB_EVENT_MASK_BUTTON_PRESS };
	bench->owner = xcb_connect(bench->desk->display, NULL);
	bench->window = xcb_generate_id(bench->owner);
	xcb_create_window(bench->owner, XCB_COPY_FROM_PARENT, bench->window, bench->desk->root, 100, 100, 400,
		300, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL
		| XCB_CW_EVENT_MASK, values);
	xcb_map_window(bench->owner, bench->window);
	xcb_flush(bench->owner);
	g_thread_unref(g_thread_new("window", owner_main, bench));
	lab_x_quiet(bench->desk, 500);
	struct lab_rect at = lab_x_bounds(bench->desk, bench->window);
	bench->x0 = at.x;
	bench->y0 = at.y;
}

static void listen_to_damage(struct bench *bench)
{
	xcb_damage_damage_t damage = xcb_generate_id(bench->x);
	free(xcb_xfixes_query_version_reply(bench->x, xcb_xfixes_query_version(bench->x, 2, 0), NULL));
	free(xcb_damage_query_version_reply(bench->x, xcb_damage_query_version(bench->x, 1, 1), NULL));
	bench->damage_notify = xcb_get_extension_data(bench->x, &xcb_damage_id)->first_event + XCB_DAMAGE_NOTIFY;
	xcb_damage_create(bench->x, damage, bench->window, XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
	xcb_flush(bench->x);
}

static void turn(struct bench *bench)
{
	free(xcb_get_input_focus_reply(bench->x, xcb_get_input_focus(bench->x), NULL));
}

/* Forgets what was painted so far. */
static void drain(struct bench *bench)
{
	xcb_generic_event_t *event;
	turn(bench);
	while ((event = xcb_poll_for_event(bench->x)) != NULL) {
		free(event);
	}
}

static bool wait_repaint(struct bench *bench)
{
	gint64 deadline = lab_deadline(MOST_MS);
	while (lab_left(deadline) > 0) {
		xcb_generic_event_t *event = xcb_poll_for_event(bench->x);
		if (event == NULL) {
			lab_readable(xcb_get_file_descriptor(bench->x), deadline);
			continue;
		}
		bool painted = (event->response_type & 0x7f) == bench->damage_notify;
		free(event);
		if (painted) {
			return true;
		}
	}
	return false;
}

static void press_bare(struct bench *bench)
{
	xcb_window_t root = bench->desk->root;
	xcb_test_fake_input(bench->x, XCB_MOTION_NOTIFY, 0, 0, root, (int16_t)(bench->x0 + X),
		(int16_t)(bench->y0 + Y), 0);
	xcb_test_fake_input(bench->x, XCB_BUTTON_PRESS, 1, 0, root, 0, 0, 0);
	xcb_test_fake_input(bench->x, XCB_BUTTON_RELEASE, 1, 0, root, 0, 0, 0);
	xcb_flush(bench->x);
}

static bool press_lane(struct bench *bench, struct lane *lane)
{
	double ms;
	const char *why = NULL;
	g_autofree char *arguments = g_strdup_printf("{\"pid\":%d,\"window_id\":%u,\"x\":%d,\"y\":%d}", getpid(),
		bench->window, X, Y);
	json_t *answer = lane != NULL ? lane_call(lane, "click", arguments, &ms, NULL, &why) : NULL;
	if (answer == NULL && lane != NULL) {
		printf("# not clicked: %s\n", why);
	}
	bool done = answer != NULL;
	json_decref(answer);
	return done;
}

static bool press(struct bench *bench, enum way_in way)
{
	g_autofree char *x = g_strdup_printf("%d", bench->x0 + X), *y = g_strdup_printf("%d", bench->y0 + Y);
	switch (way) {
	case FLOOR:
		press_bare(bench);
		return wait_repaint(bench);
	case SILENT_FLOOR:
		press_bare(bench);
		turn(bench);
		return true;
	case OURS:
	case COVERED:
		return press_lane(bench, bench->lane) && wait_repaint(bench);
	case SILENT:
		return press_lane(bench, bench->lane);
	case XDOTOOL:
		return lab_run(bench->desk->env, LAB_ARGV("xdotool", "mousemove", x, y, "click", "1"), NULL,
			MOST_MS).code == 0 && wait_repaint(bench);
	default:
		return press_lane(bench, bench->peer) && wait_repaint(bench);
	}
}

static void prepare(struct bench *bench, enum way_in way)
{
	g_atomic_int_set(&bench->silent, way == SILENT || way == SILENT_FLOOR);
	if (way == COVERED) {
		xcb_map_window(bench->desk->x, bench->cover);
	} else {
		xcb_unmap_window(bench->desk->x, bench->cover);
		/* The window manager brings to the front what is pressed by the user's pointer. */
	}
	xcb_flush(bench->desk->x);
	free(xcb_get_input_focus_reply(bench->desk->x, xcb_get_input_focus(bench->desk->x), NULL));
	g_usleep(20000);
	drain(bench);
}

static void measure(struct bench *bench, bool quick, struct sample *samples)
{
	int rounds = quick ? QUICK_ROUNDS : ROUNDS;
	/* The first rounds are not counted. */
	for (int round = -3; round < rounds; round++) {
		for (int way = 0; way < WAYS; way++) {
			if ((way == XDOTOOL || way == PEER) && round >= SLOW_ROUNDS) {
				continue;
			}
			prepare(bench, (enum way_in)way);
			gint64 began = g_get_monotonic_time();
			if (press(bench, (enum way_in)way) && round >= 0) {
				sample_add(&samples[way], (double)(g_get_monotonic_time() - began) / 1000);
			}
		}
	}
}

static bool gate(const struct sample *samples, enum way_in way, enum way_in floor)
{
	if (sample_is_empty(&samples[way]) || sample_is_empty(&samples[floor])) {
		printf("gate  %s: not measured\n", way_names[way]);
		return false;
	}
	double ratio = sample_least(&samples[way]) / sample_least(&samples[floor]);
	printf("gate  %s: to bare XTEST, least to least %.2f <= %.2f %s\n", way_names[way], ratio, RATIO_LIMIT,
		ratio <= RATIO_LIMIT ? "passed" : "FAILED");
	return ratio <= RATIO_LIMIT;
}

static void print_rows(const struct sample *samples)
{
	printf("\n  %-54s %4s %10s %10s %9s\n", "", "runs", "median ms", "least ms", "leasts");
	for (int way = 0; way < WAYS; way++) {
		const struct sample *floor = &samples[way >= SILENT_FLOOR ? SILENT_FLOOR : FLOOR];
		if (sample_is_empty(&samples[way]) || sample_is_empty(floor)) {
			printf("  %-54s %4s %10s\n", way_names[way], "", "not measured");
			continue;
		}
		printf("  %-54s %4u %10.2f %10.2f %8.2fx\n", way_names[way], samples[way].times->len,
			sample_median(&samples[way]), sample_least(&samples[way]),
			sample_least(&samples[way]) / sample_least(floor));
	}
}

static void start_lanes(struct bench *bench)
{
	double ms;
	g_autofree char *peer = g_build_filename(g_getenv("CUA_SRCDIR"), "bench", "peer.mjs", NULL);
	g_autofree char *modules = g_build_filename(g_getenv("CUA_BUILDDIR"), "peer", NULL);
	g_autofree char *installed = g_build_filename(modules, "node_modules", NULL);
	g_autofree char *look = g_strdup_printf("{\"pid\":%d,\"window_id\":%u}", getpid(), bench->window);
	bench->lane = lane_start(LAB_ARGV(lab_driver_path(), "mcp"), bench->desk->env);
	if (bench->lane == NULL || !lane_initialize(bench->lane)) {
		lab_fail("the driver does not start");
	}
	json_decref(lane_call(bench->lane, "screenshot", look, &ms, NULL, NULL));
	if (access(installed, R_OK) == 0) {
		bench->peer = lane_start(LAB_ARGV("node", peer, modules), bench->desk->env);
		if (!lane_initialize(bench->peer)) {
			lane_stop(bench->peer);
			bench->peer = NULL;
		} else {
			json_decref(lane_call(bench->peer, "get_window_state", look, &ms, NULL, NULL));
		}
	}
}

int main(int argc, char **argv)
{
	bool gates = false, quick = false;
	struct bench bench = { 0 };
	struct sample samples[WAYS];
	for (int i = 1; i < argc; i++) {
		gates |= g_str_equal(argv[i], "--gates");
		quick |= g_str_equal(argv[i], "--quick");
	}
	if (!lane_prepare("input")) {
		return 64;
	}
	for (int way = 0; way < WAYS; way++) {
		sample_init(&samples[way]);
	}
	bench.desk = lab_desk_start("xvfb", "openbox");
	bench.x = xcb_connect(bench.desk->display, NULL);
	open_window(&bench);
	listen_to_damage(&bench);
	bench.cover = lab_window_open(bench.desk, &(struct lab_window){ .title = "cover", .x = bench.x0 - 20,
		.y = bench.y0 - 20, .width = 500, .height = 400, .override_redirect = true });
	start_lanes(&bench);
	measure(&bench, quick, samples);
	print_rows(samples);
	int failed = !gate(samples, OURS, FLOOR) + !gate(samples, COVERED, FLOOR);
	lane_stop(bench.lane);
	lane_stop(bench.peer);
	lab_desk_stop(bench.desk);
	printf("\n%d gates failed\n", failed);
	return gates && failed > 0;
}
