/* SPDX-License-Identifier: MIT */
/*
 * LibreOffice Calc by element, with no argument but what is asked for, while a user types in front: cells are clicked,
 * typed into and scrolled, dialogs are filled in. What came of it is read without the driver.
 */
#include <poll.h>
#include <string.h>

#include "lab/oracle.h"

#define SHOWN 20000

struct scene {
	struct lab_desk *desk;
	struct lab_app app;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	struct lab_node sheet;      /* by our own reader */
	unsigned window;            /* the one that is worked in */
	json_t *state;              /* of it */
};

static void remove_home(void *data, bool failed)
{
	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", data), NULL, 10000);
	g_free(data);
}

static json_t *look(struct scene *scene)
{
	scene->state = lab_call_ok(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", scene->window).structured;
	return lab_array(scene->state, "elements");
}

/* One that is shown; NULL as label or value: any. */
static json_t *find(struct scene *scene, const char *role, const char *label, const char *value)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		if (lab_is_role(lab_str(element, "role"), role)
			&& json_is_object(json_object_get(element, "frame"))
			&& (!label || g_str_equal(lab_str(element, "label"), label))
			&& (!value
				|| g_strcmp0(json_string_value(json_object_get(element, "value")),
					   value)
					== 0)) {
			return element;
		}
	}
	return NULL;
}

static long long index_of(struct scene *scene, const char *role, const char *label, const char *value)
{
	gint64 deadline = lab_deadline(SHOWN);
	json_t *element = NULL;

	do {
		look(scene);
		element = find(scene, role, label, value);
	} while (!element && lab_left(deadline) > 0 && poll(NULL, 0, 200) == 0);
	if (!element) {
		lab_fail("the driver shows no %s \"%s\": %s", role, label ? label : "", lab_json(scene->state));
	}
	return lab_int(element, "element_index");
}

static struct lab_answer act(struct scene *scene, const char *tool, long long element, const char *rest)
{
	struct lab_answer answer = lab_call_ok(scene->driver, tool, "{\"window_id\":%u,\"element_index\":%lld%s}",
		scene->window, element, rest);

	lab_assert(lab_undisturbed(&answer));
	return answer;
}

/* The same in the cell of that name. */
static struct lab_answer in_cell(struct scene *scene, const char *tool, const char *cell, const char *rest)
{
	return act(scene, tool, index_of(scene, "table cell", cell, NULL), rest);
}

static void expect(const struct lab_answer *answer, const char *effect)
{
	if (!g_str_equal(lab_str(answer->structured, "effect"), effect)) {
		lab_fail("not %s: %s", effect, lab_json(answer->structured));
	}
}

static void not_confirmed(const struct lab_answer *answer)
{
	if (g_str_equal(lab_str(answer->structured, "effect"), "confirmed")) {
		lab_fail("confirmed: %s", lab_json(answer->structured));
	}
}

/* What the sheet holds there: the letter and number of a cell. */
static void until_cell(struct scene *scene, const char *cell, const char *text)
{
	gint64 deadline = lab_deadline(SHOWN);
	g_autofree char *now = NULL;

	do {
		struct lab_node node = lab_atspi_cell(scene->desk, &scene->sheet, cell[1] - '1', cell[0] - 'A');

		g_free(now);
		now = node.path ? lab_atspi_node_text(scene->desk, &node) : NULL;
		if (g_strcmp0(now, text) == 0) {
			return;
		}
	} while (lab_left(deadline) > 0 && poll(NULL, 0, 20) == 0);
	lab_fail("%s holds \"%s\", not \"%s\"", cell, now ? now : "(nothing)", text);
}

static struct scene open_scene(struct lab_desk *desk)
{
	char *home = g_dir_make_tmp("lab-home-XXXXXX", NULL);
	g_autofree char *variable = g_strdup_printf("HOME=%s", home);

	lab_at_end(remove_home, home);
	struct scene scene = { .desk = desk, .app = lab_app_start_titled(desk, LAB_ARGV("env", variable,
		"SAL_USE_VCLPLUGIN=gtk3", "sh", "-c",
		"exec soffice --norestore --nologo --nofirststartwizard --calc 2>/dev/null"), "LibreOffice Calc") };
	lab_atspi_until_present(desk, scene.app.pid, 60000);
	scene.window = scene.app.window;
	scene.driver = lab_driver_start(desk);
	scene.sentinel = lab_sentinel_open(desk, NULL);
	lab_sentinel_calibrate(scene.sentinel, LAB_FIVE);
	index_of(&scene, "table cell", "A1", NULL);
	scene.sheet = lab_atspi_find(desk, scene.app.pid, "table", "Sheet Sheet1");
	lab_assert(scene.sheet.path);
	return scene;
}

static void work(struct scene *scene)
{
	lab_sentinel_start(scene->sentinel);
}

static void rest(struct scene *scene)
{
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);

	if (!verdict.held) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("the user noticed: %s", verdict.text);
	}
}

/* Where things are is told right before LibreOffice itself knows, which is at the first input it gets. */
static void places(struct scene *scene)
{
	static const char *const things[][3] = {
		{ "table cell", "B3", NULL }, { "text", NULL, "10 pt" }, { "push button", "Add", NULL },
		{ "push button|toggle button", "Align Center", NULL },
	};
	json_t *before[G_N_ELEMENTS(things)];

	look(scene);
	for (size_t i = 0; i < G_N_ELEMENTS(things); i++) {
		json_t *element = find(scene, things[i][0], things[i][1], things[i][2]);
		lab_assert(element);
		before[i] = json_deep_copy(json_object_get(element, "frame"));
	}
	struct lab_answer answer = in_cell(scene, "type_text", "B3", ",\"text\":\"first\\n\"");
	until_cell(scene, "B3", "first");
	expect(&answer, "confirmed");
	look(scene);
	for (size_t i = 0; i < G_N_ELEMENTS(things); i++) {
		json_t *element = find(scene, things[i][0], things[i][1], things[i][2]);
		lab_assert(element);
		if (!json_equal(before[i], json_object_get(element, "frame"))) {
			lab_fail("%s \"%s\" was told at %s", things[i][0], things[i][1] ? things[i][1] : "",
				lab_json(before[i]));
		}
		json_decref(before[i]);
	}
}

/* What a click, text and keys in cells come to; the second time a cell gets what it has nothing is claimed. */
static void cells(struct scene *scene)
{
	in_cell(scene, "click", "C5", "");
	lab_call_ok(scene->driver, "type_text", "{\"window_id\":%u,\"text\":\"here\\n\"}", scene->window);
	until_cell(scene, "C5", "here");
	/* Nothing is in it, and the click for the focus is not the effect of the key. */
	struct lab_answer answer = in_cell(scene, "press_key", "G7", ",\"key\":\"Delete\"");
	not_confirmed(&answer);
	answer = in_cell(scene, "type_text", "C6", ",\"text\":\"one\\n\"");
	expect(&answer, "confirmed");
	answer = in_cell(scene, "type_text", "C6", ",\"text\":\"one\\n\"");
	not_confirmed(&answer);
	answer = in_cell(scene, "type_text", "C6", ",\"text\":\"two\\n\"");
	expect(&answer, "confirmed");
	until_cell(scene, "C6", "two");
	answer = lab_call_ok(scene->driver, "hotkey", "{\"window_id\":%u,\"keys\":[\"ctrl\",\"z\"]}", scene->window);
	lab_assert_str(lab_str(answer.structured, "path"), "key_events");
	until_cell(scene, "C6", "one");
}

/* Three rows a time, and not back to the top. */
static void scrolls(struct scene *scene)
{
	static const char *const tops[] = { "A4", "A7" };

	for (size_t i = 0; i < G_N_ELEMENTS(tops); i++) {
		struct lab_answer answer = act(scene, "scroll", index_of(scene, "table cell", NULL, NULL),
			",\"direction\":\"down\"");
		expect(&answer, "confirmed");
		look(scene);
		lab_assert_str(lab_str(find(scene, "table cell", NULL, NULL), "label"), tops[i]);
	}
	lab_call_refused(scene->driver, "background_unavailable", "set_value",
		"{\"window_id\":%u,\"element_index\":%lld,\"value\":20}", scene->window,
		index_of(scene, "scroll bar", "Vertical scroll bar", NULL));
	look(scene);
	lab_assert_str(lab_str(find(scene, "table cell", NULL, NULL), "label"), tops[1]);
}

/* The window of that title or type, once there is one; 0 if there is none and `ms` is over. */
static unsigned window_of(struct scene *scene, const char *key, const char *value, int ms)
{
	gint64 deadline = lab_deadline(ms);

	do {
		json_t *windows = lab_array(lab_call_ok(scene->driver, "list_windows", "{}").structured, "windows"), *window;
		size_t i;

		json_array_foreach(windows, i, window) {
			if (g_str_equal(lab_str(window, key), value)) {
				return (unsigned)lab_int(window, "window_id");
			}
		}
	} while (lab_left(deadline) > 0 && poll(NULL, 0, 50) == 0);
	return 0;
}

/* A number with its unit, and an item of a list that had to be opened. */
static void dialog(struct scene *scene)
{
	lab_call_ok(scene->driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"Format\",\"Cells...\"]}", scene->window);
	scene->window = window_of(scene, "title", "Format Cells", SHOWN);
	lab_assert(scene->window);
	act(scene, "click", index_of(scene, "page tab", "Alignment", NULL), "");
	struct lab_answer answer = act(scene, "set_value", index_of(scene, "spin button", NULL, "0°"),
		",\"value\":\"30°\"");
	expect(&answer, "confirmed");
	lab_assert_str(lab_str(answer.structured, "evidence/0/kind"), "value");
	/* What it shows is its number no more. */
	answer = act(scene, "set_value", index_of(scene, "spin button", NULL, "30°"), ",\"value\":\"a third\"");
	not_confirmed(&answer);

	lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"allow_grab\":true}", scene->window,
		index_of(scene, "toggle button", NULL, NULL));
	unsigned parent = scene->window;
	scene->window = window_of(scene, "type", "combo", SHOWN);
	lab_assert(scene->window);
	index_of(scene, "table cell", "Default", NULL);
	/* Which of the two boxes it is depends on LibreOffice. */
	bool upright = find(scene, "table cell", "Middle", NULL) != NULL;
	answer = act(scene, "click", index_of(scene, "table cell", upright ? "Middle" : "Center", NULL), "");
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	gint64 deadline = lab_deadline(SHOWN);
	while (window_of(scene, "type", "combo", 0) != 0) {
		lab_assert(lab_left(deadline) > 0);
	}
	scene->window = parent;
	act(scene, "click", index_of(scene, "push button", "OK", NULL), "");
	deadline = lab_deadline(SHOWN);
	struct lab_node button = lab_atspi_find(scene->desk, scene->app.pid, "push button",
		upright ? "Center Vertically" : "Align Center");
	lab_assert(button.path);
	while (!lab_atspi_has_state(scene->desk, &button, LAB_ATSPI_CHECKED)) {
		lab_assert(lab_left(deadline) > 0);
		poll(NULL, 0, 50);
	}
}

/* The page of a dialog follows the cursor of its tree, which a click moves, and what else only selects is not said to be one. */
static void options(struct scene *scene)
{
	scene->window = scene->app.window;
	lab_call_ok(scene->driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"Tools\",\"Options...\"]}", scene->window);
	scene->window = window_of(scene, "title", "Options - LibreOffice - User Data", SHOWN);
	lab_assert(scene->window);
	struct lab_answer answer = act(scene, "click", index_of(scene, "table cell", "View", NULL), "");
	expect(&answer, "confirmed");
	lab_x_titled(scene->desk, "Options - LibreOffice - View", SHOWN);
	answer = act(scene, "set_value", index_of(scene, "tree table", NULL, NULL), ",\"value\":\"Paths\"");
	expect(&answer, "confirmed");
	lab_x_titled(scene->desk, "Options - LibreOffice - Paths", SHOWN);
	answer = act(scene, "press_key", index_of(scene, "table cell", "Paths", NULL), ",\"key\":\"down\"");
	not_confirmed(&answer);
	act(scene, "click", index_of(scene, "push button", "Cancel", NULL), "");
}

/* What is protected is said to be, and no message comes up. */
static void protected(struct scene *scene)
{
	scene->window = scene->app.window;
	lab_call_ok(scene->driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"Tools\",\"Protect Sheet...\"]}",
		scene->window);
	scene->window = window_of(scene, "title", "Protect Sheet", SHOWN);
	lab_assert(scene->window);
	act(scene, "click", index_of(scene, "push button", "OK", NULL), "");
	scene->window = scene->app.window;
	gint64 deadline = lab_deadline(SHOWN);
	json_t *cell;
	do {
		look(scene);
		cell = find(scene, "table cell", NULL, NULL);
	} while (lab_array_has(lab_array(cell, "states"), "editable") && lab_left(deadline) > 0);
	lab_call_refused(scene->driver, "element_read_only", "type_text",
		"{\"window_id\":%u,\"element_index\":%lld,\"text\":\"no\\n\"}", scene->window, lab_int(cell, "element_index"));
	lab_call_refused(scene->driver, "element_read_only", "set_value",
		"{\"window_id\":%u,\"element_index\":%lld,\"value\":7}", scene->window, lab_int(cell, "element_index"));
	lab_assert(window_of(scene, "type", "dialog", 0) == 0);
}

static void calc(struct lab_desk *desk)
{
	struct scene scene = open_scene(desk);

	work(&scene);
	places(&scene);
	cells(&scene);
	scrolls(&scene);
	rest(&scene);
	dialog(&scene);
	options(&scene);
	protected(&scene);
}

static struct lab_test tests[] = {
	{ .name = "calc", .run = calc, .servers = LAB_XVFB, .wms = "openbox", .needs = "soffice", .timeout = 240,
	  .about = "Cells, scrolling and a dialog, as a person would have them." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
