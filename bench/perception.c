/* SPDX-License-Identifier: MIT */
/*
 * What looking at a window costs: get_window_state over MCP's stdio beside the floor, a libatspi walk, a
 * pyatspi walk and the released peer, on real applications, all in one run. See README.md.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "floor.h"
#include "grab.h"
#include "lab/lab.h"
#include "lane.h"
#include "sample.h"

enum {
	ROWS = 500,            /* of the page; three controls each, and a hundred buttons above */
	GROUP = 100,           /* of so many buttons: with thousands of siblings Chromium was silent for too long */
	MOST_MS = 60000,
	RSS_LIMIT_KIB = 30 * 1024,
};
#define RATIO_LIMIT 1.5
#define RSS_GROWTH_LIMIT 1.05
/* Linear; what is quadratic would be 10. */
#define GROWTH_LIMIT 1.5

enum way_in { OURS, OURS_PICTURE, FLOOR, LIBATSPI, PYATSPI, PEER, WAYS };
static const char *const way_names[] = {
	"get_window_state, tree", "get_window_state, tree and picture", "floor: bare requests",
	"libatspi walk", "pyatspi walk", "peer (@trycua/cua-driver 0.28.2)",
};

struct subject {
	const char *name;
	struct floor_way way;
	double messages_limit; /* a node */
	int settle_ms;         /* after it has shown itself, until it is said to have started */
	int cold, warm;        /* rounds: where one is short, few decide nothing */
	bool early;            /* started before anybody listened: its cache has the page; warm only */
};

static const struct subject subjects[] = {
	{ "galculator", { .cache = true, .gtk3 = true }, 1.5, 300, 16, 100 },
	{ "gnome-calculator", { .cache = true, .gtk4 = true }, 5, 300, 16, 60 },
	{ "kcalc", { .qt5 = true }, 5, 300, 16, 60 },
	{ "chromium", { .cache = true, .chromium = true }, 5, 2000, 4, 30, false },
	{ "chromium-early", { .cache = true, .chromium = true }, 1.5, 0, 0, 30, true },
};

struct bench {
	struct lab_desk *desk;
	struct floor *floor;
	struct lab_app early;     /* the page in a browser that was there before */
	struct lane *lanes[WAYS]; /* OURS also serves OURS_PICTURE; NULL: not measured */
	const char *folder;       /* for profiles and pages */
	bool quick;
	int failed;               /* gates */
	int profiles;             /* given out */
	int nodes;                /* of the last floor */
	unsigned messages;        /* of the last call of ours */
	int elements;
};

/* --- Applications -------------------------------------------------------------------------------- */

static char *write_page(const struct bench *bench, int buttons, int rows)
{
	g_autoptr(GString) html = g_string_new("<!doctype html><meta charset=utf-8>");
	g_string_append_printf(html, "<title>%d buttons, %d rows</title><h1>Rows</h1><div>", buttons, rows);
	for (int i = 1; i <= buttons; i++) {
		g_string_append_printf(html, "%s<button>tool %d</button>\n", i % GROUP == 0 ? "</div><div>" : "", i);
	}
	g_string_append(html, "</div>");
	for (int i = 1; i <= rows; i++) {
		g_string_append_printf(html, "<div><input type=checkbox aria-label='pick %d'>"
			"<a href='#r%d'>item %d</a> <button>do %d</button></div>\n", i, i, i, i);
	}
	g_autofree char *name = g_strdup_printf("%d-%d.html", buttons, rows);
	g_autofree char *path = g_build_filename(bench->folder, name, NULL);
	g_file_set_contents(path, html->str, (gssize)html->len, NULL);
	return g_strconcat("file://", path, NULL);
}

static struct lab_app start_chromium(struct bench *bench, int buttons, int rows)
{
	g_autofree char *page = write_page(bench, buttons, rows);
	g_autofree char *profile = g_strdup_printf("--user-data-dir=%s/profile-%d", bench->folder,
		bench->profiles++);
	struct lab_app app = lab_app_start(bench->desk, LAB_ARGV("chromium", "--no-sandbox",
		"--no-first-run", "--password-store=basic", "--disable-gpu", "--force-renderer-accessibility",
		"--disable-background-networking", "--window-size=1000,700", profile, page));
	lab_atspi_until_present(bench->desk, app.pid, MOST_MS);
	return app;
}

static struct lab_app start_subject(struct bench *bench, const struct subject *subject)
{
	struct lab_app app;
	if (subject->early) {
		return bench->early;
	}
	if (g_str_equal(subject->name, "galculator")) {
		app = lab_galculator(bench->desk, false);
	} else if (g_str_equal(subject->name, "chromium")) {
		app = start_chromium(bench, 100, ROWS);
	} else {
		app = lab_app_start(bench->desk, LAB_ARGV(subject->name));
		lab_atspi_until_present(bench->desk, app.pid, MOST_MS);
	}
	lab_x_quiet(bench->desk, subject->settle_ms);
	return app;
}

/* --- One measurement ----------------------------------------------------------------------------- */

static bool ask_state(struct bench *bench, enum way_in way, const struct lab_app *app, double *ms)
{
	g_autofree char *arguments = g_strdup_printf("{\"pid\":%d,\"window_id\":%u%s%s}", app->pid,
		app->window, way == PEER ? "" : ",\"max_elements\":50000",
		way == OURS_PICTURE ? "" : ",\"include_screenshot\":false");
	const char *why = NULL;
	json_t *state = lane_call(bench->lanes[way], "get_window_state", arguments, ms, NULL, &why);
	if (state == NULL) {
		printf("# %s: %s\n", way_names[way], why);
		return false;
	}
	if (way == OURS) {
		bench->messages = (unsigned)json_integer_value(lab_get(state, "timing/dbus_calls"));
		bench->elements = (int)json_integer_value(json_object_get(state, "element_count"));
	}
	json_decref(state);
	return true;
}

static bool walk(struct lane *lane, const struct lab_app *app, double *ms)
{
	char pid[32];
	double asked;
	g_snprintf(pid, sizeof pid, "%d", app->pid);
	const char *answer = lane_ask(lane, pid, MOST_MS, &asked);
	int nodes = answer != NULL ? atoi(answer) : 0;
	*ms = nodes > 1 ? g_ascii_strtod(strchr(answer, ' ') + 1, NULL) : 0;
	return nodes > 1;
}

/* Does it once; false if it could not be done, and then it is not tried again. */
static bool measure(struct bench *bench, enum way_in way, const struct subject *subject,
	const struct lab_app *app, double *ms)
{
	bool ok;
	if (way != FLOOR && bench->lanes[way] == NULL) {
		return false;
	}
	if (way == FLOOR) {
		struct floor_result result = floor_read(bench->floor, app->pid, subject->way);
		bench->nodes = result.nodes;
		*ms = result.ms;
		return result.ok;
	}
	ok = way == LIBATSPI || way == PYATSPI ? walk(bench->lanes[way], app, ms)
		: ask_state(bench, way, app, ms);
	if (!ok && way >= LIBATSPI) {
		lane_stop(bench->lanes[way]);
		bench->lanes[way] = NULL;
	}
	return ok;
}

/* --- Printing ------------------------------------------------------------------------------------ */

static void gate(struct bench *bench, const char *what, double is, double limit)
{
	bool ok = is <= limit;
	bench->failed += !ok;
	printf("gate  %-58s %8.2f <= %-8.2f %s\n", what, is, limit, ok ? "passed" : "FAILED");
}

static void print_rows(struct bench *bench, const struct subject *subject, const char *when,
	struct sample *samples)
{
	const struct sample *floor = &samples[FLOOR];
	printf("\n%s, %s: %d nodes, %d elements, %u messages of ours\n", subject->name, when, bench->nodes,
		bench->elements, bench->messages);
	printf("  %-44s %4s %10s %10s %9s %9s\n", "", "runs", "median ms", "least ms", "medians", "leasts");
	for (int way = 0; way < WAYS; way++) {
		const struct sample *sample = &samples[way];
		if (sample_is_empty(sample)) {
			printf("  %-44s %4s %10s\n", way_names[way], "", "not measured");
			continue;
		}
		printf("  %-44s %4u %10.1f %10.1f %8.2fx %8.2fx\n", way_names[way], sample->times->len,
			sample_median(sample), sample_least(sample),
			sample_median(sample) / sample_median(floor),
			sample_least(sample) / sample_least(floor));
	}
	g_autofree char *what = g_strdup_printf("%s, %s: tree to floor, least to least", subject->name, when);
	if (!sample_is_empty(&samples[OURS]) && !sample_is_empty(floor)) {
		gate(bench, what, sample_least(&samples[OURS]) / sample_least(floor), RATIO_LIMIT);
	}
}

static void clear_samples(struct sample *samples)
{
	for (int way = 0; way < WAYS; way++) {
		sample_clear(&samples[way]);
	}
}

/* --- The parts ----------------------------------------------------------------------------------- */

/* Each measurement has an application of its own that nobody has looked at. */
static void measure_cold(struct bench *bench, const struct subject *subject)
{
	struct sample samples[WAYS];
	int rounds = bench->quick ? subject->cold / 2 : subject->cold;
	for (int way = 0; way < WAYS; way++) {
		sample_init(&samples[way]);
	}
	for (int round = 0; round < rounds; round++) {
		for (int way = 0; way < WAYS; way++) {
			double ms;
			/* The others are only printed: once is enough. */
			if (way == OURS_PICTURE || (way >= LIBATSPI && (round > 0 || bench->lanes[way] == NULL))) {
				continue;
			}
			struct lab_app app = start_subject(bench, subject);
			if (measure(bench, (enum way_in)way, subject, &app, &ms)) {
				sample_add(&samples[way], ms);
			}
			lab_app_kill(&app);
		}
	}
	print_rows(bench, subject, "cold", samples);
	clear_samples(samples);
}

static void measure_warm(struct bench *bench, const struct subject *subject)
{
	struct sample samples[WAYS], grab, copy;
	int rounds = bench->quick ? subject->warm / 2 : subject->warm;
	struct lab_app app = start_subject(bench, subject);
	sample_init(&grab);
	sample_init(&copy);
	for (int way = 0; way < WAYS; way++) {
		sample_init(&samples[way]);
	}
	/* The first two rounds are not counted: caches fill, private sockets open. */
	for (int round = -2; round < rounds; round++) {
		for (int way = 0; way < WAYS; way++) {
			double ms, copied;
			if (way >= LIBATSPI && round > (bench->quick ? 0 : 2)) {
				continue;
			}
			if (measure(bench, (enum way_in)way, subject, &app, &ms) && round >= 0) {
				sample_add(&samples[way], ms);
			}
			if (way == OURS_PICTURE && grab_window(bench->desk->x, app.window, &ms, &copied)) {
				sample_add(&grab, ms);
				sample_add(&copy, copied);
			}
		}
	}
	print_rows(bench, subject, "warm", samples);
	printf("  %-44s %4u %10.2f %10.2f\n", "bare SHM grab of the window", grab.times->len,
		sample_median(&grab), sample_least(&grab));
	printf("  %-44s %4u %10.2f %10.2f\n", "memcpy of its pixels", copy.times->len, sample_median(&copy),
		sample_least(&copy));
	g_autofree char *what = g_strdup_printf("%s, warm: D-Bus messages a node", subject->name);
	gate(bench, what, (double)bench->messages / MAX(bench->nodes, 1), subject->messages_limit);
	clear_samples(samples);
	sample_clear(&grab);
	sample_clear(&copy);
	lab_app_kill(&app);
}

static void measure_growth(struct bench *bench)
{
	static const int sizes[] = { 100, 1000, 10000 };
	double each[G_N_ELEMENTS(sizes)] = { 0 };
	printf("\ngrowth: a page with so many buttons, warm\n  %10s %10s %10s %14s\n", "elements",
		"median ms", "least ms", "ns an element");
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		struct sample sample;
		struct lab_app app = start_chromium(bench, sizes[i], 0);
		sample_init(&sample);
		/* Until it has shown all of them: a large page takes its time. */
		bool whole = false;
		for (int tries = 0; tries < 120 && !whole; tries++) {
			double ms;
			lab_x_quiet(bench->desk, 500);
			whole = ask_state(bench, OURS, &app, &ms) && bench->elements >= sizes[i];
		}
		for (int round = 0; whole && round < (bench->quick ? 3 : 8); round++) {
			double ms;
			if (ask_state(bench, OURS, &app, &ms)) {
				sample_add(&sample, ms);
			}
		}
		if (sample_is_empty(&sample)) {
			printf("  %10d %10s\n", sizes[i], "not measured");
			each[i] = HUGE_VAL;
			sample_clear(&sample);
			lab_app_kill(&app);
			continue;
		}
		each[i] = sample_least(&sample) * 1e6 / MAX(bench->elements, 1);
		printf("  %10d %10.1f %10.1f %14.0f\n", bench->elements, sample_median(&sample),
			sample_least(&sample), each[i]);
		sample_clear(&sample);
		lab_app_kill(&app);
	}
	/* What was not measured has not passed. */
	gate(bench, "growth: time an element, of 10,000 to of 1,000", isfinite(each[1])
		? each[2] / MAX(each[1], 1) : HUGE_VAL, GROWTH_LIMIT);
}

static struct lane *start_driver(struct bench *bench)
{
	struct lane *lane = lane_start(LAB_ARGV(lab_driver_path(), "mcp"), bench->desk->env);
	if (lane == NULL || !lane_initialize(lane)) {
		lab_fail("the driver does not start");
	}
	return lane;
}

static void measure_memory(struct bench *bench)
{
	int first = bench->quick ? 20 : 100, last = first * 10;
	struct lab_app app = start_chromium(bench, 100, ROWS);
	struct lane *kept = bench->lanes[OURS];
	long after_first = 0, after_last;
	double ms;
	bench->lanes[OURS] = start_driver(bench);
	lab_x_quiet(bench->desk, 1000);
	printf("\nresident memory of the driver, snapshots of the page with %d rows\n", ROWS);
	printf("  after the start: %ld KiB\n", sample_rss(lane_pid(bench->lanes[OURS])));
	for (int i = 1; i <= last; i++) {
		ask_state(bench, OURS, &app, &ms);
		if (i == first) {
			after_first = sample_rss(lane_pid(bench->lanes[OURS]));
			printf("  after %d: %ld KiB\n", first, after_first);
		}
	}
	after_last = sample_rss(lane_pid(bench->lanes[OURS]));
	printf("  after %d: %ld KiB\n", last, after_last);
	gate(bench, "resident memory, MiB", (double)after_last / 1024, RSS_LIMIT_KIB / 1024.0);
	gate(bench, "resident memory, last to first", (double)after_last / (double)MAX(after_first, 1),
		RSS_GROWTH_LIMIT);
	lane_stop(bench->lanes[OURS]);
	bench->lanes[OURS] = kept;
	lab_app_kill(&app);
}

/* --- Start --------------------------------------------------------------------------------------- */

static char *bus_address(struct lab_desk *desk)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x, xcb_get_property(desk->x, 0,
		desk->root, lab_atom(desk, "AT_SPI_BUS"), XCB_ATOM_ANY, 0, 256), NULL);
	char *address = reply != NULL ? g_strndup(xcb_get_property_value(reply),
		(gsize)xcb_get_property_value_length(reply)) : NULL;
	free(reply);
	return address;
}

static void start_lanes(struct bench *bench)
{
	g_autofree char *address = bus_address(bench->desk);
	const char *source = g_getenv("CUA_SRCDIR"), *build = g_getenv("CUA_BUILDDIR");
	g_autofree char *libatspi = g_build_filename(build, "bench", "walk-libatspi", NULL);
	g_autofree char *pyatspi = g_build_filename(source, "bench", "walk-pyatspi.py", NULL);
	g_autofree char *peer = g_build_filename(source, "bench", "peer.mjs", NULL);
	g_autofree char *modules = g_build_filename(build, "peer", NULL);
	g_autofree char *installed = g_build_filename(modules, "node_modules", NULL);
	char **env = bench->desk->env;

	bench->floor = floor_new(address);
	if (bench->floor == NULL) {
		lab_fail("the floor cannot connect to %s", address);
	}
	bench->lanes[OURS] = bench->lanes[OURS_PICTURE] = start_driver(bench);
	if (access(libatspi, X_OK) == 0) {
		bench->lanes[LIBATSPI] = lane_start(LAB_ARGV(libatspi), env);
	}
	bench->lanes[PYATSPI] = lane_start(LAB_ARGV("/usr/bin/python3", pyatspi), env);
	if (access(installed, R_OK) == 0) {
		bench->lanes[PEER] = lane_start(LAB_ARGV("node", peer, modules), env);
		if (!lane_initialize(bench->lanes[PEER])) {
			lane_stop(bench->lanes[PEER]);
			bench->lanes[PEER] = NULL;
		}
	}
}

static bool wants(const char *only, const char *name)
{
	return only == NULL || strstr(only, name) != NULL;
}

int main(int argc, char **argv)
{
	bool gates = false;
	const char *only = NULL;
	struct bench bench = { 0 };
	for (int i = 1; i < argc; i++) {
		gates |= g_str_equal(argv[i], "--gates");
		bench.quick |= g_str_equal(argv[i], "--quick");
		only = g_str_has_prefix(argv[i], "--only=") ? argv[i] + strlen("--only=") : only;
	}
	if (!lane_prepare("perception")) {
		return 64;
	}
	g_autofree char *folder = g_dir_make_tmp("bench-XXXXXX", NULL);
	bench.folder = folder;
	bench.desk = lab_desk_start("xvfb", "openbox");
	if (wants(only, "chromium")) {
		bench.early = start_chromium(&bench, 100, ROWS);
		lab_x_quiet(bench.desk, 2000);
	}
	start_lanes(&bench);
	/* Everybody has seen something once, and listens: cold means the application, not the driver. */
	struct lab_app first = start_subject(&bench, &subjects[0]);
	for (int way = 0; way < WAYS; way++) {
		double ms;
		measure(&bench, (enum way_in)way, &subjects[0], &first, &ms);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(subjects); i++) {
		if (wants(only, subjects[i].name)) {
			if (!subjects[i].early) {
				measure_cold(&bench, &subjects[i]);
			}
			measure_warm(&bench, &subjects[i]);
		}
	}
	if (wants(only, "growth")) {
		measure_growth(&bench);
	}
	if (wants(only, "memory")) {
		measure_memory(&bench);
	}
	for (int way = 0; way < WAYS; way++) {
		if (way != OURS_PICTURE) {
			lane_stop(bench.lanes[way]);
		}
	}
	floor_free(bench.floor);
	lab_app_kill(&first);
	lab_desk_stop(bench.desk);
	lab_run(NULL, LAB_ARGV("rm", "-rf", folder), NULL, 30000);
	printf("\n%d gates failed\n", bench.failed);
	return gates && bench.failed > 0;
}
