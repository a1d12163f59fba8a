/* SPDX-License-Identifier: MIT */
/*
 * Menus, popovers and dialogs are windows of their own: the tree of one shows what is in it and nothing
 * else, and its places are where the entries really are. The user opens them with the core pointer and
 * clicks where the driver says an entry is; the application says what was chosen.
 */
#include <string.h>

#include "lab/oracle.h"

#define PATIENCE 20000

static void point(struct lab_desk *desk, struct lab_rect at, int button)
{
	int x = at.x + at.width / 2, y = at.y + at.height / 2;
	g_autofree char *line = g_strdup_printf("xdotool mousemove %d %d mousemove %d %d click %d", x - 2,
		y - 2, x, y, button);
	g_auto(GStrv) argv = g_strsplit(line, " ", -1);
	struct lab_run run = lab_run(desk->env, (const char *const *)argv, NULL, 10000);

	if (run.code != 0) {
		lab_fail("%s: %s", line, run.err);
	}
}

struct popup {
	pid_t pid;
	xcb_window_t window;
};

/* The topmost window of the process that the window manager has nothing to do with. */
static bool has_popup(struct lab_desk *desk, void *data)
{
	struct popup *popup = data;
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
		xcb_query_tree(desk->x, desk->root), NULL);

	for (int i = tree ? xcb_query_tree_children_length(tree) : 0; i-- > 0;) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(
			desk->x, xcb_get_window_attributes(desk->x, window), NULL);

		if (is && is->override_redirect && is->map_state == XCB_MAP_STATE_VIEWABLE &&
			lab_x_pid(desk, window) == popup->pid && lab_x_bounds(desk, window).width > 20) {
			popup->window = window;
			return true;
		}
	}
	return false;
}

static bool has_no_popup(struct lab_desk *desk, void *data)
{
	return !has_popup(desk, data);
}

static xcb_window_t open_popup(struct lab_harness *harness, struct lab_rect at, int button)
{
	struct popup popup = { .pid = harness->pid };

	point(harness->desk, at, button);
	lab_x_until(harness->desk, has_popup, &popup, PATIENCE, "a popup");
	return popup.window;
}

static void await_no_popup(struct lab_harness *harness)
{
	struct popup popup = { .pid = harness->pid };

	lab_x_until(harness->desk, has_no_popup, &popup, PATIENCE, "the end of a popup");
}

static json_t *state_of(struct lab_driver *driver, xcb_window_t window)
{
	return lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", window).structured;
}

/* The state once its tree has that element; what is being opened may be half there. */
static json_t *state_with(struct lab_driver *driver, xcb_window_t window, const char *label)
{
	gint64 deadline = lab_deadline(PATIENCE);

	for (;;) {
		json_t *state = state_of(driver, window);
		json_t *element = lab_pick_str(lab_array(state, "elements"), "label", label);

		if (element && json_is_object(json_object_get(element, "frame"))) {
			return state;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("no \"%s\": %s", label, lab_json(state));
		}
	}
}

static struct lab_rect frame_of(const json_t *state, const char *label)
{
	const json_t *element = lab_element(state, NULL, label);

	return (struct lab_rect){ (int)lab_int(element, "frame/x"), (int)lab_int(element, "frame/y"),
		(int)lab_int(element, "frame/w"), (int)lab_int(element, "frame/h") };
}

static void assert_absent(const json_t *state, const char *label)
{
	if (lab_pick_str(lab_array(state, "elements"), "label", label)) {
		lab_fail("\"%s\" of another window is in the tree", label);
	}
}

/* Clicks there until the application says that something was chosen: it must be what is there. */
static void choose(struct lab_harness *harness, struct lab_rect at, const char *label, const char *value)
{
	guint mark = lab_journal_mark(harness);
	gint64 deadline = lab_deadline(PATIENCE);

	/* A menu that has just opened may take the first click for the end of the one that opened it. */
	do {
		if (lab_left(deadline) == 0) {
			lab_journal_note(harness, 10);
			lab_fail("nothing happens at %d,%d", at.x + at.width / 2, at.y + at.height / 2);
		}
		point(harness->desk, at, 1);
	} while (!lab_journal_find(harness, mark, 1500, "kind", "state", "label", label, NULL));
	lab_journal_wait_state(harness, label, value, PATIENCE);
}

/*
 * Where a control of the window is. On dense screens toolkits count in larger units: there it is the driver
 * who says it, as tests/integration/vision shows, and only to open what is looked at here.
 */
static struct lab_rect place_of(struct lab_harness *harness, struct lab_driver *driver, const char *label)
{
	bool dense = g_environ_getenv(harness->desk->env, "DENSE") != NULL;

	/* The variable did what it should. */
	lab_assert(!dense || lab_x_bounds(harness->desk, harness->window).width > 1700);
	return dense ? frame_of(state_with(driver, harness->window, label), label)
		: lab_harness_see(harness, NULL, label, PATIENCE).frame;
}

static void menu(struct lab_harness *harness, struct lab_driver *driver)
{
	xcb_window_t popup = open_popup(harness, place_of(harness, driver, "File"), 1);
	json_t *state = state_with(driver, popup, "Open file");
	struct lab_rect at = frame_of(state, "Open file");

	assert_absent(state, "Count");
	assert_absent(state, "Cut text");
	/* The window it belongs to says the same about the place. */
	struct lab_rect same = frame_of(state_with(driver, harness->window, "Open file"), "Open file");
	lab_assert_int(same.x, at.x);
	lab_assert_int(same.y, at.y);
	choose(harness, at, "menu_action", "Open file");
	await_no_popup(harness);
}

static void dialog(struct lab_harness *harness, struct lab_driver *driver)
{
	guint mark = lab_journal_mark(harness);
	g_autofree char *title = g_strdup_printf("Modal dialog %s", harness->name);

	point(harness->desk, place_of(harness, driver, "Open modal"), 1);
	lab_assert(lab_journal_find(harness, mark, PATIENCE, "kind", "state", "label", "modal", NULL));
	xcb_window_t window = lab_x_titled(harness->desk, title, PATIENCE);
	/* In front, or what covers it gets the click. */
	lab_user_works_in(harness->desk, window);
	json_t *state = state_with(driver, window, "Accept");
	assert_absent(state, "Count");
	assert_absent(state_of(driver, harness->window), "Accept");
	choose(harness, frame_of(state_with(driver, window, "Accept"), "Accept"), "modal", "accepted");
}

static void popover(struct lab_harness *harness, struct lab_driver *driver)
{
	xcb_window_t popup = open_popup(harness, place_of(harness, driver, "Open popup"), 1);

	lab_journal_wait_state(harness, "popup", "open", PATIENCE);
	json_t *state = state_with(driver, popup, "Pick me");
	assert_absent(state, "Count");
	choose(harness, frame_of(state, "Pick me"), "popup", "picked");
	await_no_popup(harness);
}

static void gtk3(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk3", NULL);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_user_works_in(desk, harness->window);
	menu(harness, driver);
	popover(harness, driver);
	xcb_window_t list = open_popup(harness, place_of(harness, driver, lab_control_label("cmb-choice")), 1);
	choose(harness, frame_of(state_with(driver, list, "Blue"), "Blue"), "choice", "Blue");
	await_no_popup(harness);
	dialog(harness, driver);
}

static void gtk4(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk4", NULL);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_user_works_in(desk, harness->window);
	menu(harness, driver);
	popover(harness, driver);
	dialog(harness, driver);
}

static void qt5(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "qt5", NULL);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_user_works_in(desk, harness->window);
	menu(harness, driver);
	/* Qt 5 does not show its context menus: no tree is right, that of another window is not. */
	struct lab_rect at = place_of(harness, driver, "Context menu");
	json_t *state = state_of(driver, open_popup(harness, at, 3));
	lab_assert_str(lab_str(state, "tree"), "none");
	lab_assert(lab_bool(state, "degraded"));
	lab_assert_contains(lab_str(state, "degraded_reason"), "popup");
	lab_assert(lab_bool(state, "has_screenshot"));
	lab_run(desk->env, LAB_ARGV("xdotool", "key", "Escape"), NULL, 10000);
	await_no_popup(harness);
	dialog(harness, driver);
}

static void dense(struct lab_desk *desk, const char *variable, void (*test)(struct lab_desk *desk))
{
	desk->env = g_environ_setenv(desk->env, variable, "2", TRUE);
	desk->env = g_environ_setenv(desk->env, "DENSE", "1", TRUE);
	test(desk);
}

static void dense_gtk3(struct lab_desk *desk)
{
	dense(desk, "GDK_SCALE", gtk3);
}

static void dense_gtk4(struct lab_desk *desk)
{
	dense(desk, "GDK_SCALE", gtk4);
}

static void dense_qt5(struct lab_desk *desk)
{
	dense(desk, "QT_SCALE_FACTOR", qt5);
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = gtk3, .servers = LAB_XVFB, .wms = "openbox", .needs = "xdotool",
	  .timeout = 120, .about = "A menu, a list of choices, a popup and a dialog of GTK3." },
	{ .name = "gtk4", .run = gtk4, .servers = LAB_XVFB, .wms = "openbox mutter", .needs = "xdotool",
	  .timeout = 120, .about = "A menu, a popover and a dialog of GTK4, at their real places." },
	{ .name = "qt5", .run = qt5, .servers = LAB_XVFB, .wms = "openbox", .needs = "xdotool",
	  .timeout = 120, .about = "A menu and a dialog of Qt5; its context menu says that it has no tree." },
	{ .name = "dense-gtk3", .run = dense_gtk3, .servers = LAB_XVFB, .wms = "openbox", .needs = "xdotool",
	  .size = "2400x1600", .timeout = 150, .about = "The same of GTK3, drawn twice as large." },
	{ .name = "dense-gtk4", .run = dense_gtk4, .servers = LAB_XVFB, .wms = "openbox", .needs = "xdotool",
	  .size = "2400x1600", .timeout = 150, .about = "The same of GTK4, drawn twice as large." },
	{ .name = "dense-qt5", .run = dense_qt5, .servers = LAB_XVFB, .wms = "openbox", .needs = "xdotool",
	  .size = "2400x1600", .timeout = 150, .about = "The same of Qt5, drawn twice as large." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
