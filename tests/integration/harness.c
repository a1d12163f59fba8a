/* SPDX-License-Identifier: MIT */
/*
 * The instrumented applications, operated like a person does: window in front, xdotool on the core
 * devices. Each control's journal and label must change as designed; an oracle that is wrong about
 * itself is none. Places come from accessibility read by the laboratory, or from the colours on the
 * screen where there is none.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

#define SOON 4000 /* ms an application may take for what it does at once */

static void xdotool(struct lab_desk *desk, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void xdotool(struct lab_desk *desk, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *line = g_strconcat("xdotool ", text, NULL);
	g_auto(GStrv) argv = g_strsplit(line, " ", -1);
	struct lab_run run = lab_run(desk->env, (const char *const *)argv, NULL, 10000);
	if (run.code != 0) {
		lab_fail("%s: exit code %d, %s", line, run.code, run.err);
	}
}

static void click(struct lab_harness *harness, struct lab_rect at, int button, int count)
{
	guint mark = lab_journal_mark(harness);

	/* From beside it: GTK 4 wants a motion before it believes that the pointer is there. */
	xdotool(harness->desk, "mousemove %d %d mousemove %d %d click --repeat %d --delay 30 %d",
		at.x + at.width / 2 - 2, at.y + at.height / 2 - 2, at.x + at.width / 2,
		at.y + at.height / 2, count, button);
	/*
	 * A window manager that clicks to focus holds a press back and lets it go later: keys that are
	 * sent right after it overtake it. What is journalled has arrived.
	 */
	if (!lab_journal_find(harness, mark, SOON, "kind", "event", "type",
		button < 4 ? "button_press" : "scroll", NULL)) {
		lab_journal_note(harness, 10);
		lab_fail("%s got no button %d at %d,%d", harness->name, button, at.x + at.width / 2,
			at.y + at.height / 2);
	}
}

static struct lab_rect see(struct lab_harness *harness, const char *id)
{
	return lab_harness_see(harness, NULL, lab_control_label(id), SOON).frame;
}

/* Clicks into it and waits until it has the focus, by its own word: then keys are for it. */
static void focus(struct lab_harness *harness, const char *id)
{
	guint mark = lab_journal_mark(harness);

	click(harness, see(harness, id), 1, 1);
	if (!lab_journal_find(harness, mark, SOON, "kind", "event", "type", "focus_in", "control", id,
		NULL)) {
		lab_journal_note(harness, 10);
		lab_fail("%s: %s did not get the focus", harness->name, id);
	}
}

/* The journal first: it is the truth. Then the label, which is how others see it. */
static void becomes(struct lab_harness *harness, const char *label, const char *value)
{
	lab_journal_wait_state(harness, label, value, SOON);
	lab_harness_shows(harness, label, value, SOON);
}

static void becomes_other(struct lab_harness *harness, guint mark, const char *label)
{
	if (!lab_journal_find(harness, mark, SOON, "kind", "state", "label", label, NULL)) {
		lab_journal_note(harness, 10);
		lab_fail("%s: %s did not change", harness->name, label);
	}
	lab_harness_shows(harness, label, NULL, SOON);
}

/* The event the toolkit got is where the pointer was, on the control, and not a synthetic one. */
static void button_event(struct lab_harness *harness, guint mark, const char *id, struct lab_rect at)
{
	json_t *line = lab_journal_find(harness, mark, SOON, "kind", "event", "type", "button_press",
		"control", id, NULL);

	if (!line || labs((long)lab_int(line, "x") - (at.x + at.width / 2)) > 1 ||
		labs((long)lab_int(line, "y") - (at.y + at.height / 2)) > 1 ||
		lab_bool(line, "synthetic")) {
		lab_fail("%s: the press on %s at %d,%d is journalled as %s", harness->name, id,
			at.x + at.width / 2, at.y + at.height / 2, line ? lab_json(line) : "nothing");
	}
}

static xcb_window_t window_titled(struct lab_desk *desk, const char *title)
{
	g_autofree char *pattern = g_strdup_printf("^%s$", title);
	struct lab_run run = lab_run(desk->env, LAB_ARGV("xdotool", "search", "--sync", "--onlyvisible",
		"--name", pattern), NULL, 10000);

	if (run.code != 0) {
		lab_fail("no window \"%s\" comes", title);
	}
	return (xcb_window_t)strtoul(run.out, NULL, 10);
}

static char *title(struct lab_harness *harness, const char *which)
{
	g_autofree char *path = g_strconcat("titles/", which, NULL);
	g_auto(GStrv) parts = g_strsplit(lab_str(lab_scenarios(), path), "%s", -1);

	return g_strjoinv(harness->name, parts);
}

static void drive_six(struct lab_harness *harness)
{
	struct lab_desk *desk = harness->desk;
	guint mark = lab_journal_mark(harness);
	struct lab_rect at = see(harness, "chk-agree");

	click(harness, at, 1, 1);
	becomes(harness, "agreed", "true");
	button_event(harness, mark, "chk-agree", at);

	at = see(harness, "btn-target");
	/* The double click first: after a single one, GTK 4 would count the next press as the second. */
	click(harness, at, 1, 2);
	becomes(harness, "last_action", "double_click");
	click(harness, at, 3, 1);
	becomes(harness, "last_action", "right_click");
	click(harness, at, 1, 1);
	becomes(harness, "clicks", "3");
	becomes(harness, "last_action", "click");

	focus(harness, "sld-value");
	xdotool(desk, "key End");
	becomes(harness, "slider_value", "100");

	mark = lab_journal_mark(harness);
	click(harness, see(harness, "scroll-tall"), 5, 3);
	becomes_other(harness, mark, "scroll_offset");

	focus(harness, "txt-input");
	xdotool(desk, "type typed-by-cua");
	becomes(harness, "mirror", "typed-by-cua");

	mark = lab_journal_mark(harness);
	click(harness, see(harness, "btn-context"), 3, 1);
	xdotool(desk, "key Down Return");
	becomes_other(harness, mark, "menu_action");
	lab_assert(lab_array_has(lab_array(lab_scenarios(), "context"),
		lab_harness_value(harness, "menu_action")));
}

static void drive_windows(struct lab_harness *harness)
{
	struct lab_desk *desk = harness->desk;
	bool web = g_str_equal(harness->name, "web");

	click(harness, see(harness, "btn-modal"), 1, 1);
	/* Behind the modal dialog of a page the page is inert, and not in the accessible tree. */
	lab_journal_wait_state(harness, "modal", "open", SOON);
	if (!web) {
		lab_harness_shows(harness, "modal", "open", SOON);
		lab_user_works_in(desk, window_titled(desk, title(harness, "modal")));
	}
	xdotool(desk, "key Escape");
	becomes(harness, "modal", "cancelled");
	lab_user_works_in(desk, harness->window);

	click(harness, see(harness, "btn-popup"), 1, 1);
	becomes(harness, "popup", "open");
	if (g_str_equal(harness->name, "gtk3") || g_str_equal(harness->name, "qt5")) {
		/* All of it is one button; Qt 5 does not show it to accessibility. */
		click(harness, lab_x_bounds(desk, window_titled(desk, title(harness, "popup"))), 1, 1);
	} else {
		xdotool(desk, "key Return");
	}
	becomes(harness, "popup", "picked");

	click(harness, see(harness, "btn-second"), 1, 1);
	becomes(harness, "second", "open");
	lab_x_request(desk, window_titled(desk, title(harness, "second")), "_NET_CLOSE_WINDOW",
		XCB_CURRENT_TIME, 2, 0);
	becomes(harness, "second", "closed");
	lab_user_works_in(desk, harness->window);
}

static void drive_rest(struct lab_harness *harness)
{
	struct lab_desk *desk = harness->desk;
	guint mark = lab_journal_mark(harness);
	struct lab_rect at = see(harness, "btn-counter");

	click(harness, at, 1, 1);
	becomes(harness, "counter", "1");
	button_event(harness, mark, "btn-counter", at);

	mark = lab_journal_mark(harness);
	click(harness, lab_harness_see(harness, NULL, "File", SOON).frame, 1, 1);
	xdotool(desk, "key Down Return");
	becomes_other(harness, mark, "menu_action");
	lab_assert_contains(lab_harness_value(harness, "menu_action"), " file");

	/* On Unix the accessible name of a combo box of Qt 5 is what is chosen, whatever it was given. */
	at = g_str_equal(harness->name, "qt5") ?
		lab_harness_see(harness, "combo box", NULL, SOON).frame : see(harness, "cmb-choice");
	click(harness, at, 1, 1);
	xdotool(desk, "key Down Return");
	becomes(harness, "choice", "Green");

	click(harness, lab_harness_see(harness, NULL, "Item 3", SOON).frame, 1, 1);
	becomes(harness, "item", "Item 3");

	click(harness, lab_harness_see(harness, NULL, "Stone", SOON).frame, 1, 1);
	becomes(harness, "node", "Stone");

	focus(harness, "txt-password");
	xdotool(desk, "type secret");
	becomes(harness, "password_length", "6");

	click(harness, see(harness, "win-child"), 1, 1);
	becomes(harness, "child", "1");
}

static void drive(struct lab_desk *desk, const char *name)
{
	struct lab_harness *harness = lab_harness_start(desk, name, NULL);

	lab_user_works_in(desk, harness->window);
	drive_six(harness);
	drive_windows(harness);
	drive_rest(harness);
	lab_assert(lab_harness_lives(harness));
}

static void gtk3(struct lab_desk *desk)
{
	drive(desk, "gtk3");
}

static void gtk4(struct lab_desk *desk)
{
	drive(desk, "gtk4");
}

static void qt5(struct lab_desk *desk)
{
	drive(desk, "qt5");
}

static void web(struct lab_desk *desk)
{
	drive(desk, "web");
}

/* --- Without accessibility ---------------------------------------------------------------------- */

/* In the colour mode: a control is where its colour is, and the labels are below all of them. */
static struct lab_rect labels;
static unsigned labels_sum;

static void find_labels(struct lab_harness *harness)
{
	struct lab_rect bounds = lab_x_bounds(harness->desk, harness->window);
	size_t i;
	json_t *control;
	int bottom = 0;

	json_array_foreach(lab_array(lab_scenarios(), "controls"), i, control) {
		struct lab_rect at = lab_harness_colour(harness, lab_str(control, "id"), SOON);

		bottom = MAX(bottom, at.y + at.height);
	}
	labels = (struct lab_rect){ bounds.x, bottom, bounds.width, bounds.y + bounds.height - bottom };
	labels_sum = lab_x_checksum(harness->desk, harness->window, labels);
}

static bool labels_changed(struct lab_desk *desk, void *data)
{
	const struct lab_harness *harness = data;

	return lab_x_checksum(desk, harness->window, labels) != labels_sum;
}

static void xaw_becomes(struct lab_harness *harness, const char *label, const char *value)
{
	lab_journal_wait_state(harness, label, value, SOON);
	g_autofree char *what = g_strdup_printf("showing %s=%s", label, value);
	lab_x_until(harness->desk, labels_changed, harness, SOON, what);
	labels_sum = lab_x_checksum(harness->desk, harness->window, labels);
}

static void xaw_click(struct lab_harness *harness, const char *id, int button, int count)
{
	click(harness, lab_harness_colour(harness, id, SOON), button, count);
}

/* The first row of it. */
static void xaw_click_row(struct lab_harness *harness, const char *id)
{
	struct lab_rect at = lab_harness_colour(harness, id, SOON);

	at.width = 40;
	at.height = 16;
	click(harness, at, 1, 1);
}

struct menu {
	pid_t pid;
	xcb_window_t window;
};

static bool has_menu(struct lab_desk *desk, void *data)
{
	struct menu *menu = data;
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
		xcb_query_tree(desk->x, desk->root), NULL);

	for (int i = tree ? xcb_query_tree_children_length(tree) : 0; i-- > 0;) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(
			desk->x, xcb_get_window_attributes(desk->x, window), NULL);

		if (is && is->override_redirect && is->map_state == XCB_MAP_STATE_VIEWABLE &&
			lab_x_pid(desk, window) == menu->pid) {
			menu->window = window;
			return true;
		}
	}
	return false;
}

static bool has_no_menu(struct lab_desk *desk, void *data)
{
	return !has_menu(desk, data);
}

/* Clicks one of `count` entries, from 0, in the menu that is open. */
static void xaw_pick(struct lab_harness *harness, int entry, int count)
{
	struct menu menu = { .pid = harness->pid };

	lab_x_until(harness->desk, has_menu, &menu, SOON, "a menu");
	struct lab_rect at = lab_x_bounds(harness->desk, menu.window);
	at.height /= count;
	at.y += entry * at.height;
	click(harness, at, 1, 1);
	lab_x_until(harness->desk, has_no_menu, &menu, SOON, "the end of a menu");
}

static void xaw_close(struct lab_harness *harness, const char *which)
{
	lab_x_request(harness->desk, window_titled(harness->desk, title(harness, which)),
		"_NET_CLOSE_WINDOW", XCB_CURRENT_TIME, 2, 0);
}

static void xaw_controls(struct lab_harness *harness)
{
	struct lab_rect at = lab_harness_colour(harness, "chk-agree", SOON);
	guint mark = lab_journal_mark(harness);

	click(harness, at, 1, 1);
	xaw_becomes(harness, "agreed", "true");
	button_event(harness, mark, "chk-agree", at);
	xaw_click(harness, "btn-target", 1, 2);
	xaw_becomes(harness, "last_action", "double_click");
	xaw_click(harness, "btn-target", 3, 1);
	xaw_becomes(harness, "last_action", "right_click");
	at = lab_harness_colour(harness, "sld-value", SOON);
	xdotool(harness->desk, "mousemove %d %d mousedown 1 mousemove %d %d mousemove %d %d mouseup 1",
		at.x + at.width / 2, at.y + at.height / 2, at.x + at.width - 20, at.y + at.height / 2,
		at.x + at.width - 1, at.y + at.height / 2);
	xaw_becomes(harness, "slider_value", "100");
	mark = lab_journal_mark(harness);
	xaw_click(harness, "scroll-tall", 5, 3);
	lab_assert(lab_journal_find(harness, mark, SOON, "kind", "state", "label", "scroll_offset", NULL));
	xaw_click(harness, "txt-input", 1, 1);
	xdotool(harness->desk, "type typed-by-cua");
	xaw_becomes(harness, "mirror", "typed-by-cua");
	xaw_click(harness, "txt-password", 1, 1);
	xdotool(harness->desk, "type secret");
	xaw_becomes(harness, "password_length", "6");
	xaw_click(harness, "btn-counter", 1, 1);
	xaw_becomes(harness, "counter", "1");
	xaw_click_row(harness, "lst-items");
	xaw_becomes(harness, "item", "Item 1");
	xaw_click_row(harness, "tree-nodes");
	xaw_becomes(harness, "node", "Fruit");
	xaw_click(harness, "win-child", 1, 1);
	xaw_becomes(harness, "child", "1");
}

static void xaw_windows(struct lab_harness *harness)
{
	struct lab_rect at = lab_harness_colour(harness, "mnu-bar", SOON);

	xaw_click(harness, "btn-context", 3, 1);
	xaw_pick(harness, 0, 2);
	xaw_becomes(harness, "menu_action", "Rename");
	at.width = 60;
	click(harness, at, 1, 1);
	xaw_pick(harness, 0, 3);
	xaw_becomes(harness, "menu_action", "New file");
	xaw_click(harness, "cmb-choice", 1, 1);
	xaw_pick(harness, 2, 3);
	xaw_becomes(harness, "choice", "Blue");
	xaw_click(harness, "btn-popup", 1, 1);
	lab_journal_wait_state(harness, "popup", "open", SOON);
	xaw_pick(harness, 0, 1);
	xaw_becomes(harness, "popup", "picked");
	xaw_click(harness, "btn-modal", 1, 1);
	xaw_becomes(harness, "modal", "open");
	xaw_close(harness, "modal");
	xaw_becomes(harness, "modal", "cancelled");
	lab_user_works_in(harness->desk, harness->window);
	xaw_click(harness, "btn-second", 1, 1);
	xaw_becomes(harness, "second", "open");
	xaw_close(harness, "second");
	xaw_becomes(harness, "second", "closed");
	lab_user_works_in(harness->desk, harness->window);
}

static void xaw(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "xaw", LAB_ARGV("--colours"));

	lab_user_works_in(desk, harness->window);
	find_labels(harness);
	xaw_controls(harness);
	xaw_windows(harness);
	lab_assert(lab_harness_lives(harness));
}

/* --- Colours ------------------------------------------------------------------------------------ */

/* Two ways to the same place that share nothing: what the toolkit says and what is painted. */
static void colours(struct lab_desk *desk)
{
	static const char *const names[] = { "gtk3", "gtk4", "qt5", "web" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		struct lab_harness *harness = lab_harness_start(desk, names[i], LAB_ARGV("--colours"));
		size_t j;
		json_t *control;

		lab_user_works_in(desk, harness->window);
		json_array_foreach(lab_array(lab_scenarios(), "controls"), j, control) {
			const char *id = lab_str(control, "id");
			struct lab_rect painted = lab_harness_colour(harness, id, SOON);
			bool unnamed = i == 2 && g_str_equal(id, "cmb-choice");
			struct lab_rect said = unnamed ?
				lab_harness_see(harness, "combo box", NULL, SOON).frame : see(harness, id);
			int x = said.x + said.width / 2, y = said.y + said.height / 2;

			if (x < painted.x || y < painted.y || x >= painted.x + painted.width ||
				y >= painted.y + painted.height ||
				lab_x_pixel(desk, x, y) != lab_control_colour(id)) {
				lab_fail("%s: %s is painted at %dx%d+%d+%d and said to be at %dx%d+%d+%d",
					names[i], id, painted.width, painted.height, painted.x, painted.y,
					said.width, said.height, said.x, said.y);
			}
		}
		lab_harness_stop(harness);
	}
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = gtk3, .servers = LAB_XVFB, .wms = "*", .needs = "xdotool",
	  .about = "GTK 3: all controls do what they are designed to do." },
	{ .name = "gtk4", .run = gtk4, .servers = LAB_XVFB, .wms = "*", .needs = "xdotool",
	  .about = "GTK 4: all controls do what they are designed to do." },
	{ .name = "qt5", .run = qt5, .servers = LAB_XVFB, .wms = "*", .needs = "xdotool",
	  .about = "Qt 5: all controls do what they are designed to do." },
	{ .name = "web", .run = web, .servers = LAB_XVFB, .wms = "*", .needs = "xdotool chromium",
	  .about = "A page in Chromium: all controls do what they are designed to do." },
	{ .name = "xaw", .run = xaw, .servers = LAB_XVFB, .wms = "*", .needs = "xdotool",
	  .about = "Xaw: all controls do what they are designed to do, found by their colours." },
	{ .name = "colours", .run = colours, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .about = "Each control is painted in its colour where the toolkit says that it is." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
