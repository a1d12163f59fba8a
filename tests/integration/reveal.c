/* SPDX-License-Identifier: MIT */
/*
 * Applications nobody has tuned for, by element and with no argument that is not needed: what is
 * scrolled out is scrolled into view before a pointer goes there, or not clicked, check marks in
 * lists, rows of libadwaita. What yad prints, what the switches say themselves and which window
 * opens decides; in pages of Qt 5 the journal.
 */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

struct scene {
	struct lab_driver *driver;
	struct lab_app app;
	json_t *state;
};

static void look(struct scene *scene)
{
	scene->state = lab_call_ok(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", scene->app.window).structured;
}

/* The first element of that role from the n-th on, or of that label. */
static const json_t *find(const struct scene *scene, const char *role, const char *label, int n)
{
	size_t i;
	const json_t *element;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		if (g_str_equal(lab_str(element, "role"), role)
			&& (label ? g_strcmp0(json_string_value(json_object_get(element, "label")), label) == 0 : n-- == 0)) {
			return element;
		}
	}
	return NULL;
}

static void await(struct scene *scene, const char *role, const char *label, int n)
{
	gint64 deadline = lab_deadline(20000);

	for (look(scene); !find(scene, role, label, n); look(scene)) {
		if (lab_left(deadline) == 0) {
			lab_fail("there is no %s %d \"%s\": %s", role, n, label ? label : "", lab_json(scene->state));
		}
		poll(NULL, 0, 200);
	}
}

static void act(struct scene *scene, const char *tool, const char *role, const char *label, int n, const char *more,
	const char *effect)
{
	await(scene, role, label, n);
	struct lab_answer answer = lab_call_ok(scene->driver, tool, "{\"window_id\":%u,\"element_index\":%lld%s}",
		scene->app.window, (long long)lab_int(find(scene, role, label, n), "element_index"), more);

	lab_assert_int(json_array_size(lab_array(answer.structured, "disturbed")), 0);
	if (effect && strcmp(lab_str(answer.structured, "effect"), effect) != 0) {
		lab_fail("%s of %s %d \"%s\" is not %s: %s", tool, role, n, label ? label : "", effect,
			lab_json(answer.structured));
	}
}

/* Forty rows with a check mark each, of which six can be seen; the marks are every other cell. */
static void marks(struct lab_desk *desk)
{
	g_autofree char *file = g_strdup_printf("/tmp/lab-marks-%d", (int)getpid());
	g_autofree char *command = g_strdup_printf(
		"exec yad --list --checklist --title=Marks --width=480 --height=320 --column=Pick "
		"--column=Name --print-column=2 --separator= FALSE one TRUE two $(for i in $(seq 3 "
		"40); do echo FALSE row$i; done) > %s",
		file);
	struct lab_app app = lab_app_start(desk, LAB_ARGV("sh", "-c", command));
	struct lab_app user = lab_xterm(desk, "the user's");
	struct scene scene = { lab_driver_start(desk), app, NULL };
	g_autofree char *printed = NULL;

	lab_user_works_in(desk, user.window);
	await(&scene, "table cell", "row40", 0);
	act(&scene, "click", "table cell", NULL, 0, "", "confirmed");
	act(&scene, "set_value", "table cell", NULL, 78, ",\"value\":true", "confirmed");
	act(&scene, "set_value", "table cell", NULL, 2, ",\"value\":\"off\"", "confirmed");
	/* The first cell of all tells no place in its table. */
	act(&scene, "set_value", "table cell", NULL, 38, ",\"value\":true", "confirmed");
	act(&scene, "click", "table cell", NULL, 0, "", "confirmed");
	act(&scene, "set_value", "table cell", NULL, 22, ",\"value\":true", "confirmed");
	/* A row that is clicked is selected, and its mark stays. */
	act(&scene, "click", "table cell", "row13", 0, "", "confirmed");
	act(&scene, "click", "push button", "OK", 0, "", NULL);
	gint64 deadline = lab_deadline(20000);
	do {
		g_clear_pointer(&printed, g_free);
		g_file_get_contents(file, &printed, NULL, NULL);
	} while ((!printed || !strstr(printed, "row40\n")) && lab_left(deadline) > 0
		&& poll(NULL, 0, 50) == 0);
	unlink(file);
	lab_assert_str(printed ? printed : "nothing", "row12\nrow20\nrow40\n");
}

/* The preferences of an editor: rows that nobody can select, most of them scrolled out. */
static void rows(struct lab_desk *desk)
{
	static const char *const names[] = { "Discover Document Settings", "Highlight Current Line",
		"Display Overview Map" };
	struct lab_app app = lab_app_start(desk, LAB_ARGV("gnome-text-editor", "--standalone"));
	struct scene scene = { lab_driver_start(desk), app, NULL };

	await(&scene, "push button", "Open", 0);
	lab_call(scene.driver, "click", "{\"window_id\":%u,\"element_index\":0,\"action\":\"win.show-preferences\"}", app.window);
	json_t *windows;
	size_t i;
	json_t *window;
	gint64 deadline = lab_deadline(20000);
	do {
		windows = lab_call_ok(scene.driver, "list_windows", "{\"pid\":%d}", app.pid).structured;
		json_array_foreach(lab_array(windows, "windows"), i, window) {
			if (g_strcmp0(json_string_value(json_object_get(window, "title")), "Preferences") == 0) {
				scene.app.window = (xcb_window_t)lab_int(window, "window_id");
			}
		}
		/* libadwaita 1.7 shows them inside the window. */
		look(&scene);
	} while (scene.app.window == app.window && !find(&scene, "dialog", "Preferences", 0)
		&& lab_left(deadline) > 0 && poll(NULL, 0, 100) == 0);
	lab_user_works_in(desk, lab_xterm(desk, "the user's").window);
	for (size_t name = 0; name < G_N_ELEMENTS(names); name++) {
		await(&scene, "list item", names[name], 0);
		struct lab_node truth = lab_atspi_find(desk, app.pid, "check box", names[name]);
		bool before = lab_atspi_has_state(desk, &truth, LAB_ATSPI_CHECKED);

		act(&scene, "click", "list item", names[name], 0, "", NULL);
		deadline = lab_deadline(5000);
		while (lab_atspi_has_state(desk, &truth, LAB_ATSPI_CHECKED) == before && lab_left(deadline) > 0) {
			poll(NULL, 0, 50);
		}
		lab_assert(lab_atspi_has_state(desk, &truth, LAB_ATSPI_CHECKED) != before);
	}
}

/* The row in which something is called so. */
static const json_t *row_with(const struct scene *scene, const char *label)
{
	const json_t *inner = find(scene, "panel", label, 0);

	return inner ? json_array_get(lab_array(scene->state, "elements"), (size_t)lab_int(inner, "parent_index")) : NULL;
}

/* GTK4's rows keep the place that they had when they are scrolled out, and another row is there then. */
static void recycled(struct lab_desk *desk)
{
	struct lab_app app = lab_app_start(desk, LAB_ARGV("gtk4-demo"));
	struct scene scene = { lab_driver_start(desk), app, NULL };
	xcb_window_t user = lab_xterm(desk, "the user's").window;

	lab_user_works_in(desk, user);
	await(&scene, "list", "Demo list", 0);
	lab_call_ok(scene.driver, "scroll", "{\"window_id\":%u,\"element_index\":%lld,\"direction\":\"down\",\"amount\":5}", app.window,
		(long long)lab_int(find(&scene, "list", "Demo list", 0), "element_index"));
	gint64 deadline = lab_deadline(10000);
	do {
		look(&scene);
	} while (json_is_object(json_object_get(row_with(&scene, "Assistant"), "at")) && lab_left(deadline) > 0 && poll(NULL, 0, 100) == 0);
	lab_assert(json_is_null(json_object_get(row_with(&scene, "Assistant"), "at")));
	lab_call_refused(scene.driver, "background_unavailable", "double_click", "{\"window_id\":%u,\"element_index\":%lld}", app.window,
		(long long)lab_int(row_with(&scene, "Assistant"), "element_index"));
	lab_call_ok(scene.driver, "double_click", "{\"window_id\":%u,\"element_index\":%lld}", app.window,
		(long long)lab_int(row_with(&scene, "Drawing Area"), "element_index"));
	lab_x_titled(desk, "Drawing Area", 20000);
	g_autoptr(GArray) windows = lab_x_stacking(desk);
	/* The user's, the list, and the one that was opened. */
	lab_assert_int(windows->len, 3);
}

/* Pages of Qt 5: its harness, and what the driver is asked there. */
static struct scene open_pages(struct lab_desk *desk, struct lab_harness **pages)
{
	*pages = lab_harness_start(desk, "pages-qt5", NULL);
	struct scene scene = { lab_driver_start(desk), { .pid = (*pages)->pid, .window = (*pages)->window }, NULL };

	lab_user_works_in(desk, lab_xterm(desk, "the user's").window);
	return scene;
}

/* The list is behind the page that is shown, and says where it would be. */
static void hidden_qt5(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *more;
	} deeds[] = {
		{ "click", "" }, { "double_click", "" }, { "right_click", ",\"allow_grab\":true" }, { "type_text", ",\"text\":\"x\"" },
		{ "click", ",\"modifier\":[\"ctrl\"]" },
	};
	struct lab_harness *pages;
	struct scene scene = open_pages(desk, &pages);

	for (size_t i = 0; i < G_N_ELEMENTS(deeds); i++) {
		await(&scene, "list item", "hidden3", 0);
		const json_t *item = find(&scene, "list item", "hidden3", 0);

		lab_assert(json_is_null(json_object_get(item, "at")));
		lab_call_refused(scene.driver, "background_unavailable", deeds[i].tool, "{\"window_id\":%u,\"element_index\":%lld%s}",
			scene.app.window, (long long)lab_int(item, "element_index"), deeds[i].more);
	}
	/* Whatever was sent has come by now. */
	act(&scene, "click", "table cell", "c1.1", 0, "", "confirmed");
	lab_journal_wait_state(pages, "cell", "c1.1", 10000);
	lab_assert_str(lab_harness_value(pages, "pressed"), "1");
	lab_assert_str(lab_harness_value(pages, "item"), "none");
	act(&scene, "click", "page tab", "Back", 0, "", "confirmed");
	act(&scene, "click", "list item", "hidden3", 0, "", "confirmed");
	lab_journal_wait_state(pages, "item", "hidden3", 10000);
}

/* Cells and icons, most of them scrolled out: each is current, and alone, as after a click. */
static void scrolled_qt5(struct lab_desk *desk)
{
	static const struct {
		const char *role, *label, *state;
	} steps[] = {
		{ "table cell", "c0.1", "cell" }, { "table cell", "c58.2", "cell" }, { "table cell", "c30.0", "cell" },
		{ "table cell", "c5.1", "cell" },
		{ "list item", "icon1", "icons" }, { "list item", "icon57", "icons" }, { "list item", "icon30", "icons" },
		{ "list item", "icon0", "icons" },
	};
	struct lab_harness *pages;
	struct scene scene = open_pages(desk, &pages);

	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		act(&scene, "click", steps[i].role, steps[i].label, 0, "", "confirmed");
		lab_journal_wait_state(pages, steps[i].state, steps[i].label, 10000);
	}
	lab_assert_str(lab_harness_value(pages, "cell"), "c5.1");
	/* What has no place is selected, as no click does it, and alone, too. */
	act(&scene, "click", "list item", "note7", 0, "", "unverifiable");
	lab_journal_wait_state(pages, "icons", "icon7", 10000);
}

static const struct lab_test tests[] = {
	{ .name = "hidden_qt5",
		.run = hidden_qt5,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xterm",
		.timeout = 120,
		.about = "Qt 5: nothing is clicked or typed where an item of a page would be that "
			 "is not shown." },
	{ .name = "scrolled_qt5",
		.run = scrolled_qt5,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "xterm",
		.timeout = 120,
		.about = "Qt 5: cells and icons that are scrolled out are scrolled to and clicked, "
			 "and nothing else stays selected." },
	{ .name = "marks",
		.run = marks,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "yad xterm",
		.timeout = 120,
		.about = "GTK 3: a click on a check mark of a list toggles it, also where it is "
			 "scrolled out." },
	{ .name = "rows",
		.run = rows,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "gnome-text-editor xterm",
		.timeout = 120,
		.about = "libadwaita: rows are clicked by the session's pointer, scrolled into "
			 "view before." },
	{ .name = "recycled",
		.run = recycled,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "gtk4-demo xterm",
		.timeout = 120,
		.about = "GTK 4: no row is clicked where another one is by now." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
