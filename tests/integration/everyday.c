/* SPDX-License-Identifier: MIT */
/*
 * Programs people have, written to in the background while a user types in front: two editors, a
 * browser with a page, a spreadsheet. What arrived is read without the driver.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xtest.h>

#include "lab/oracle.h"

#define SETTLE 5000
#define SHOWN 20000

struct scene {
	struct lab_desk *desk;
	struct lab_app app;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	json_t *state;
};

/* A folder for everything the program would leave in a person's home; gone with the test. */
static void remove_home(void *data, bool failed)
{
	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", data), NULL, 10000);
	g_free(data);
}

static const char *new_home(void)
{
	char *home = g_dir_make_tmp("lab-home-XXXXXX", NULL);

	lab_at_end(remove_home, home);
	return home;
}

static void look(struct scene *scene)
{
	scene->state = lab_call_ok(scene->driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", scene->app.pid,
		scene->app.window).structured;
}

static json_t *find(const struct scene *scene, const char *role, const char *label)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		if (g_str_equal(lab_str(element, "role"), role) && (!label || g_strcmp0(label,
			json_string_value(json_object_get(element, "label"))) == 0)) {
			return element;
		}
	}
	return NULL;
}

/* Waits until the driver shows it: programs make their trees when they like. */
static long long await(struct scene *scene, const char *role, const char *label)
{
	gint64 deadline = lab_deadline(60000);

	for (;;) {
		look(scene);
		json_t *element = find(scene, role, label);
		if (element) {
			return lab_int(element, "element_index");
		}
		if (lab_left(deadline) == 0) {
			lab_fail("the driver shows no %s \"%s\": %s", role, label ? label : "",
				lab_json(scene->state));
		}
		poll(NULL, 0, 300);
	}
}

static struct scene open_scene(struct lab_desk *desk, struct lab_app app)
{
	struct scene scene = { .desk = desk, .app = app, .driver = lab_driver_start(desk) };

	scene.sentinel = lab_sentinel_open(desk, NULL);
	lab_sentinel_calibrate(scene.sentinel, LAB_FIVE);
	return scene;
}

/* One call while the user types, who must not notice. */
static struct lab_answer act(struct scene *scene, const char *tool, long long element,
	const char *rest)
{
	lab_sentinel_start(scene->sentinel);
	struct lab_answer answer = lab_call_ok(scene->driver, tool,
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":%d%s}", scene->app.pid,
		scene->app.window, element, SETTLE, rest);
	lab_sentinel_types(scene->sentinel, 5);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!verdict.held || !lab_undisturbed(&answer)) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("the user noticed: %s; the driver says %s", verdict.text,
			lab_json(answer.structured));
	}
	return answer;
}

static void confirmed(const struct lab_answer *answer)
{
	if (!g_str_equal(lab_str(answer->structured, "effect"), "confirmed")) {
		lab_fail("not confirmed: %s", lab_json(answer->structured));
	}
}

static void until_text(struct scene *scene, const struct lab_node *node, const char *text)
{
	gint64 deadline = lab_deadline(SHOWN);
	char *now = NULL;

	do {
		g_free(now);
		now = lab_atspi_node_text(scene->desk, node);
		if (g_strcmp0(now, text) == 0) {
			g_free(now);
			return;
		}
		poll(NULL, 0, 20);
	} while (lab_left(deadline) > 0);
	lab_fail("%s \"%s\" shows \"%s\", not \"%s\"", node->role, node->name, now ? now : "(nothing)",
		text);
}

/* A key that does nothing is not confirmed by what an editor does when it gets the focus for it. */
static void press_nothing(struct scene *scene)
{
	for (int i = 0; i < 2; i++) {
		/* No earlier action can be the cause then. */
		lab_call_ok(scene->driver, "wait_for", "{\"window_id\":%u,\"conditions\":[{\"kind\":\"idle\",\"quiet_ms\":2100}]}",
			scene->app.window);
		struct lab_answer answer = lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"key\":\"F9\"}",
			scene->app.window);
		if (lab_bool(answer.structured, "verified")) {
			lab_fail("F9 does nothing here: %s", lab_json(answer.structured));
		}
	}
}

/* Lines, then more at the caret, then all of it anew; `name` is the text area's for our own reader. */
static void edit(struct lab_desk *desk, struct lab_app app, const char *role, const char *name)
{
	lab_atspi_until_present(desk, app.pid, 60000);
	struct scene scene = open_scene(desk, app);
	long long area = await(&scene, "text", name);
	struct lab_node truth = lab_atspi_find(desk, app.pid, role, name);
	struct lab_answer answer;

	lab_assert(truth.path);
	answer = act(&scene, "type_text", area, ",\"text\":\"Dear diary,\\nGrüße 👋\\n\"");
	confirmed(&answer);
	until_text(&scene, &truth, "Dear diary,\nGrüße 👋\n");
	answer = act(&scene, "type_text", area, ",\"text\":\"goodbye\"");
	confirmed(&answer);
	until_text(&scene, &truth, "Dear diary,\nGrüße 👋\ngoodbye");
	answer = act(&scene, "set_value", area, ",\"value\":\"all new\"");
	confirmed(&answer);
	until_text(&scene, &truth, "all new");
	press_nothing(&scene);
}

static void mousepad(struct lab_desk *desk)
{
	g_autofree char *home = g_strdup_printf("HOME=%s", new_home());

	edit(desk, lab_app_start(desk, LAB_ARGV("env", home, "GSETTINGS_BACKEND=memory", "mousepad",
		"--disable-server")), "text", "");
}

/* GTK3 waits for the dialog in the middle of the message that opened it: the user's key there must not hang it for ever. */
static void dialog(struct lab_desk *desk)
{
	enum { TAB = 23 };
	g_autofree char *home = g_strdup_printf("HOME=%s", new_home());
	struct scene scene = { .desk = desk, .app = lab_app_start(desk, LAB_ARGV("env", home, "GSETTINGS_BACKEND=memory",
		"mousepad", "--disable-server")), .driver = lab_driver_start(desk) };

	lab_atspi_until_present(desk, scene.app.pid, SHOWN);
	look(&scene);
	look(&scene);
	lab_call_ok(scene.driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"File\",\"Open...\"]}", scene.app.window);
	xcb_window_t opened = lab_x_titled(desk, "Open File", SHOWN);
	lab_call_ok(scene.driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}", opened);
	lab_user_works_in(desk, opened);
	for (int i = 0; i < 4; i++) {
		xcb_test_fake_input(desk->x, i % 2 == 0 ? XCB_KEY_PRESS : XCB_KEY_RELEASE, TAB, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
	}
	lab_x_quiet(desk, 500);
	g_autofree char *text = lab_atspi_text(desk, scene.app.pid, "text", NULL);
	lab_assert(text != NULL);
	scene.app.window = opened;
	look(&scene);
	lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", opened,
		(long long)lab_int(find(&scene, "push button", "Cancel"), "element_index"));
	gint64 deadline = lab_deadline(SHOWN);
	while (lab_x_viewable(desk, opened) && lab_left(deadline) > 0) {
		lab_x_quiet(desk, 100);
	}
	lab_assert(!lab_x_viewable(desk, opened));
}

/* An item that does nothing is explained in the status bar all the same, which proves nothing. */
static void explained(struct lab_desk *desk)
{
	g_autofree char *home = g_strdup_printf("HOME=%s", new_home());
	struct scene scene = open_scene(desk, lab_app_start(desk, LAB_ARGV("env", home, "GSETTINGS_BACKEND=memory", "mousepad",
		"--disable-server")));

	lab_atspi_until_present(desk, scene.app.pid, SHOWN);
	look(&scene);
	/* Nothing is known of a window that was looked at less than a second ago. */
	lab_x_quiet(desk, 1200);
	struct lab_answer answer = lab_call_ok(scene.driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"Search\",\"Find Next\"]}",
		scene.app.window);
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
}

static void text_editor(struct lab_desk *desk)
{
	g_autofree char *home = g_strdup_printf("HOME=%s", new_home());

	edit(desk, lab_app_start(desk, LAB_ARGV("env", home, "GSETTINGS_BACKEND=memory",
		"gnome-text-editor", "--standalone")), "text", NULL);
}

/* The page tells its state in its title, which the browser tells the window manager. */
static const char page[] =
	"<!doctype html><meta charset=utf-8><title>everyday</title>"
	"<p><label>Name <input id=name></label>"
	"<p><label><input type=checkbox id=agree> Agree</label>"
	"<p><label>Volume <input type=range id=volume min=0 max=100 value=10></label>"
	"<p><label>Colour <select id=colour><option>Red<option>Green</select></label>"
	"<p><button id=press>Press</button>"
	"<script>let presses = 0;"
	"function tell() { document.title = `everyday ${agree.checked} ${volume.value} ${colour.value} "
	"${presses} ${document.getElementById('name').value}.`; }"
	"press.onclick = () => { presses++; tell(); };"
	"for (const x of document.querySelectorAll('input, select')) x.oninput = x.onchange = tell;"
	"tell();</script>";

static bool title_has(struct lab_desk *desk, void *data)
{
	const void **wanted = data;
	g_autofree char *title = lab_x_title(desk, *(const xcb_window_t *)wanted[0]);

	return title && strstr(title, wanted[1]);
}

static void until_title(struct scene *scene, const char *part)
{
	const void *wanted[] = { &scene->app.window, part };

	lab_x_until(scene->desk, title_has, wanted, SHOWN, part);
}

static void browser(struct lab_desk *desk)
{
	const char *home = new_home();
	g_autofree char *file = g_build_filename(home, "page.html", NULL);
	g_autofree char *url = g_strdup_printf("file://%s", file);
	g_autofree char *profile = g_strdup_printf("--user-data-dir=%s/profile", home);
	struct lab_answer answer;

	g_file_set_contents(file, page, -1, NULL);
	struct scene scene = open_scene(desk, lab_app_start_titled(desk, LAB_ARGV("sh", "-c",
		"exec chromium --no-sandbox --test-type --no-first-run --disable-gpu --password-store=basic "
		"--disable-component-update --disable-sync --force-renderer-accessibility \"$@\" 2>/dev/null",
		"sh", profile, url), "everyday false 10 Red 0"));
	long long button = await(&scene, "push button", "Press");
	lab_assert(find(&scene, "check box", "Agree"));
	/* Everything lands; in a page the driver claims nothing, and names the tool that could. */
	static const struct {
		const char *tool, *role, *label, *rest, *title;
	} steps[] = {
		{ "click", "push button", "Press", "", "everyday false 10 Red 1" },
		{ "set_value", "check box", "Agree", ",\"value\":true", "everyday true 10 Red 1" },
		{ "set_value", "slider", "Volume", ",\"value\":70", "everyday true 70 Red 1" },
		{ "set_value", "combo box", "Colour", ",\"value\":\"Green\"", "everyday true 70 Green 1" },
	};
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		json_t *element = find(&scene, steps[i].role, steps[i].label);

		lab_assert(element);
		answer = act(&scene, steps[i].tool, lab_int(element, "element_index"), steps[i].rest);
		until_title(&scene, steps[i].title);
		lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
		lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "page");
	}
	answer = act(&scene, "type_text", lab_int(find(&scene, "entry", "Name"), "element_index"),
		",\"text\":\"Ada Ödön\"");
	lab_assert_str(lab_str(answer.structured, "path"), "key_events");
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	/* The next press tells what is in the page. */
	act(&scene, "click", button, "");
	until_title(&scene, "everyday true 70 Green 2 Ada Ödön.");
}

/* Numbers go into cells; the sheet computes nothing new from them, but it has them. */
static void spreadsheet(struct lab_desk *desk)
{
	g_autofree char *home = g_strdup_printf("HOME=%s", new_home());
	/* It warns of two things for each object it shows. */
	struct lab_app app = lab_app_start_titled(desk, LAB_ARGV("env", home, "SAL_USE_VCLPLUGIN=gtk3",
		"sh", "-c", "exec soffice --norestore --nologo --nofirststartwizard --calc 2>/dev/null"),
		"LibreOffice Calc");

	lab_atspi_until_present(desk, app.pid, 60000);
	struct scene scene = open_scene(desk, app);
	long long cell = await(&scene, "table cell", "A1");
	struct lab_node truth = lab_atspi_find(desk, app.pid, "table cell", "A1");
	lab_assert(truth.path);
	struct lab_answer answer = act(&scene, "set_value", cell, ",\"value\":42.5");
	confirmed(&answer);
	until_text(&scene, &truth, "42.5");
	answer = act(&scene, "set_value", cell, ",\"value\":-7");
	confirmed(&answer);
	until_text(&scene, &truth, "-7");
	/* Words have no such way into a cell. */
	answer = lab_call_refused(scene.driver, "background_unavailable", "set_value",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"value\":\"total\"}", app.pid,
		app.window, cell);
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	until_text(&scene, &truth, "-7");
}

static struct lab_test tests[] = {
	{ .name = "mousepad", .run = mousepad, .servers = LAB_XVFB, .wms = "openbox", .needs = "mousepad",
	  .timeout = 180, .about = "GTK 3: lines arrive in an editor, more at the caret, and all anew." },
	{ .name = "dialog", .run = dialog, .servers = LAB_XVFB, .wms = "openbox", .needs = "mousepad",
	  .timeout = 180, .about = "GTK 3: a dialog that a menu item opened is read and closed, and the user's keys hang nothing." },
	{ .name = "explained", .run = explained, .servers = LAB_XVFB, .wms = "openbox", .needs = "mousepad",
	  .timeout = 180, .about = "GTK 3: what a status bar tells of a menu item is no effect of it." },
	{ .name = "gnome-text-editor", .run = text_editor, .servers = LAB_XVFB, .wms = "xfwm4",
	  .needs = "gnome-text-editor", .timeout = 180, .about = "GTK 4." },
	{ .name = "chromium", .run = browser, .servers = LAB_XVFB, .wms = "openbox", .needs = "chromium",
	  .timeout = 180, .about = "A page in a tab: it lands, is not claimed, and text is refused." },
	{ .name = "libreoffice", .run = spreadsheet, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "soffice", .timeout = 240, .about = "Numbers in the cells of a spreadsheet." },
	{ 0 }
};

int main(int argc, char **argv)
{
	for (struct lab_test *test = tests; test->name && getenv("LAB_FULL"); test++) {
		test->wms = "openbox xfwm4 mutter kwin_x11";
	}
	return lab_main(argc, argv, tests);
}
