/* SPDX-License-Identifier: MIT */
/*
 * Real applications, read by pyatspi beside the driver: every element a person could act on that pyatspi
 * finds is in get_window_state with the same role, name and value, and, where the toolkit knows places on
 * the screen, the same frame.
 */
#include <string.h>

#include "lab/oracle.h"

/* How often an application that changes by itself is looked at before it is given up. */
#define TRIES 20

/* What pyatspi sees now, one element a line; NULL if something changed while it looked. */
static char *walk(struct lab_desk *desk, pid_t pid)
{
	const char *top = g_getenv("CUA_SRCDIR");
	g_autofree char *script = g_build_filename(top ? top : ".", "tests/pyatspi/walk.py", NULL);
	g_autofree char *number = g_strdup_printf("%d", pid);
	struct lab_run run = lab_run(desk->env, LAB_ARGV("/usr/bin/python3", script, number), NULL, 60000);

	return run.code == 0 && *run.out ? run.out : NULL;
}

static bool same_frame(const json_t *ours, const json_t *theirs)
{
	static const char *const members[] = { "x", "y", "w", "h" };
	bool same = json_is_object(ours);

	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		same = same && json_equal(json_object_get(ours, members[i]), json_array_get(theirs, i));
	}
	return same;
}

static bool same(const json_t *ours, const json_t *theirs, bool frames)
{
	const char *value = json_string_value(json_object_get(theirs, "value"));

	if (!json_equal(json_object_get(ours, "role"), json_object_get(theirs, "role")) ||
		!json_equal(json_object_get(ours, "label"), json_object_get(theirs, "label"))) {
		return false;
	}
	/* U+FFFC stands for an embedded object: pyatspi sees no value there, we the selected item. */
	if (g_strcmp0(value, "\xef\xbf\xbc") != 0 &&
		!json_equal(json_object_get(ours, "value"), json_object_get(theirs, "value"))) {
		return false;
	}
	return !frames || !json_is_array(json_object_get(theirs, "frame")) ||
		same_frame(json_object_get(ours, "frame"), json_object_get(theirs, "frame"));
}

/* The first element of pyatspi's that is not among ours, each of which counts once; NULL if all are. */
static char *missing(const json_t *state, const char *theirs, bool frames, int *count)
{
	json_t *left = json_copy(lab_array(state, "elements")), *ours;
	g_auto(GStrv) lines = g_strsplit(g_strchomp(g_strdup(theirs)), "\n", -1);

	*count = (int)g_strv_length(lines);
	for (int i = 0; lines[i]; i++) {
		json_t *their = json_loads(lines[i], 0, NULL);
		size_t at;
		bool found = false;

		lab_assert(their);
		json_array_foreach(left, at, ours) {
			if (same(ours, their, frames)) {
				json_array_remove(left, at);
				found = true;
				break;
			}
		}
		if (!found) {
			return g_strdup(lines[i]);
		}
	}
	return NULL;
}

/*
 * Compares when two looks of pyatspi around ours saw the same: an application may still be building its
 * window, and no two readers can look at the same moment.
 */
static void compare(struct lab_desk *desk, const struct lab_app *app, bool frames, int least)
{
	struct lab_driver *driver = lab_driver_start(desk);
	char *lost = NULL;
	json_t *state = NULL;

	for (int i = 0; i < TRIES; i++) {
		int count = 0;
		g_autofree char *before = walk(desk, app->pid);
		struct lab_answer answer = lab_call(driver, "get_window_state",
			"{\"window_id\":%u,\"include_screenshot\":false}", app->window);
		g_autofree char *after = walk(desk, app->pid);

		/* While it starts, or on a busy machine, it may keep everybody waiting. */
		if (g_strcmp0(before, after) != 0 || !before || answer.is_error) {
			lost = answer.is_error ? g_strdup(answer.text) : NULL;
			continue;
		}
		state = answer.structured;
		lost = missing(state, before, frames, &count);
		if (!lost && count >= least) {
			lab_note("%d elements of pyatspi's, %lld of ours", count,
				(long long)lab_int(state, "element_count"));
			lab_driver_stop(driver);
			return;
		}
	}
	lab_fail("pyatspi finds %s, we do not: %s", lost ? lost : "nothing that stays the same",
		lab_json(json_object_get(state, "elements")));
}

static void galculator(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);

	compare(desk, &app, true, 50);
}

static void start_and_compare(struct lab_desk *desk, const char *program, bool frames, int least)
{
	struct lab_app app = lab_app_start(desk, LAB_ARGV(program));

	lab_atspi_until_present(desk, app.pid, 30000);
	compare(desk, &app, frames, least);
}

static void gnome_calculator(struct lab_desk *desk)
{
	/* GTK4 knows no places on the screen; tests/integration/vision is about those. */
	start_and_compare(desk, "gnome-calculator", false, 20);
}

static void kcalc(struct lab_desk *desk)
{
	start_and_compare(desk, "kcalc", true, 20);
}

static void mousepad(struct lab_desk *desk)
{
	start_and_compare(desk, "mousepad", true, 10);
}

static void chromium(struct lab_desk *desk)
{
	struct lab_harness *web = lab_harness_start(desk, "web", NULL);

	compare(desk, &(struct lab_app){ web->pid, web->window }, true, 20);
}

#define DESK .servers = LAB_XVFB, .wms = "openbox", .timeout = 300

static const struct lab_test tests[] = {
	{ .name = "galculator", .run = galculator, DESK, .needs = "galculator /usr/bin/python3",
	  .about = "GTK3." },
	{ .name = "gnome_calculator", .run = gnome_calculator, DESK,
	  .needs = "gnome-calculator /usr/bin/python3", .about = "GTK4." },
	{ .name = "kcalc", .run = kcalc, DESK, .needs = "kcalc /usr/bin/python3", .about = "Qt5." },
	{ .name = "mousepad", .run = mousepad, DESK, .needs = "mousepad /usr/bin/python3",
	  .about = "GTK3, an editor." },
	{ .name = "chromium", .run = chromium, DESK, .needs = "chromium /usr/bin/python3",
	  .about = "A page in Chromium." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
