/* SPDX-License-Identifier: MIT */
/*
 * The session's own keyboard: text, keys and shortcuts into every toolkit, in view and covered, while a user types
 * in front all the time. What arrived is the application's word, whether anybody noticed the sentinel's. With
 * $LAB_FULL (tests/keys/full) under every window manager.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

/* On a machine that does many other things. */
#define LANDING 20000

struct scene {
	struct lab_desk *desk;
	const char *name;
	struct lab_harness *harness;    /* NULL: a terminal */
	const char *file;               /* what a program in the terminal reads goes here */
	pid_t pid;
	xcb_window_t window;
	int x, y;                       /* of its text field, in the picture of its window */
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
};

static void open_terminal(struct scene *scene)
{
	g_autofree char *name = g_strdup_printf("/tmp/cua-keys-%d", getpid());
	g_autofree char *script = g_strdup_printf("stty raw -echo; echo ready; exec cat > %s", name);
	struct lab_app app = lab_app_start(scene->desk, LAB_ARGV("env", "LC_ALL=C.UTF-8", "xterm", "-T", "terminal",
		"-geometry", "60x12+300+200", "-e", "sh", "-c", script));

	scene->file = g_steal_pointer(&name);
	gint64 deadline = lab_deadline(LANDING);
	while (access(scene->file, F_OK) != 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("the terminal does not start");
		}
		g_usleep(20000);
	}
	scene->pid = app.pid;
	scene->window = app.window;
	scene->x = 100;
	scene->y = 60;
}

static void open_harness(struct scene *scene)
{
	bool blind = g_str_equal(scene->name, "xaw");

	scene->harness = lab_harness_start(scene->desk, scene->name, blind ? LAB_ARGV("--colours") : NULL);
	scene->pid = scene->harness->pid;
	scene->window = scene->harness->window;
	struct lab_rect at = blind ? lab_harness_colour(scene->harness, "txt-input", LANDING)
		: lab_harness_see(scene->harness, NULL, lab_control_label("txt-input"), LANDING).frame;
	struct lab_rect window = lab_x_bounds(scene->desk, scene->window);
	scene->x = at.x - window.x + at.width / 2;
	scene->y = at.y - window.y + at.height / 2;
}

static void look(struct scene *scene)
{
	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u}", scene->window);
}

/* `geometry` is the user's window's; NULL: no user is watched. */
static struct scene open_scene(struct lab_desk *desk, const char *name, const char *geometry)
{
	struct scene scene = { .desk = desk, .name = name };

	if (g_str_equal(name, "terminal")) {
		open_terminal(&scene);
	} else {
		open_harness(&scene);
	}
	scene.driver = lab_driver_start(desk);
	if (geometry) {
		scene.sentinel = lab_sentinel_open(desk, geometry);
		lab_sentinel_calibrate(scene.sentinel, LAB_FIVE);
	}
	look(&scene);
	return scene;
}

/* What the field holds, by the application; for a terminal all that was typed. */
static bool has(struct scene *scene, const char *text)
{
	if (scene->harness) {
		return lab_journal_has_state(scene->harness, "mirror", text, LANDING);
	}
	gint64 deadline = lab_deadline(LANDING);
	for (;;) {
		g_autofree char *is = NULL;
		if (g_file_get_contents(scene->file, &is, NULL, NULL) && g_str_equal(is, text)) {
			return true;
		}
		if (lab_left(deadline) == 0) {
			lab_note("it reads \"%s\"", is ? is : "");
			return false;
		}
		g_usleep(20000);
	}
}

static void no_disturbance(const struct lab_answer *answer)
{
	if (!lab_undisturbed(answer)) {
		lab_fail("the driver says %s", lab_json(answer->structured));
	}
}

/* Calls the tool and demands that the text becomes that, by keys. */
G_GNUC_PRINTF(4, 5)
static struct lab_answer lands(struct scene *scene, const char *text, const char *tool, const char *arguments, ...)
{
	va_list args;

	va_start(args, arguments);
	g_autofree char *own = g_strdup_vprintf(arguments, args);
	va_end(args);
	struct lab_answer answer = lab_call_ok(scene->driver, tool, "{\"pid\":%d,\"window_id\":%u,%s}", scene->pid,
		scene->window, own);
	if (!has(scene, text)) {
		if (scene->harness) {
			lab_journal_note(scene->harness, 30);
		}
		lab_fail("%s: %s %s did not make it \"%s\"; the driver says %s", scene->name, tool, own, text,
			lab_json(answer.structured));
	}
	/* GTK4 says which of its fields has the focus, and then text needs no keys. */
	lab_assert(g_str_equal(lab_str(answer.structured, "path"), "key_events") ||
		(g_str_equal(scene->name, "gtk4") && g_str_equal(tool, "type_text")));
	lab_assert(!g_str_equal(lab_str(answer.structured, "effect"), "suspected_noop"));
	no_disturbance(&answer);
	return answer;
}

static char *keymap_of(struct lab_desk *desk)
{
	struct lab_run run = lab_run(desk->env, LAB_ARGV("xkbcomp", "-w0", desk->display, "-"), NULL, LANDING);

	lab_assert_int(run.code, 0);
	return run.out;
}

/* The field gets the focus of its window, and an "a". */
static void focus(struct scene *scene)
{
	if (g_str_equal(scene->name, "web")) {
		/* Chromium takes the user's pointer for a moment when any pointer presses in it. */
		json_t *state = lab_call_ok(scene->driver, "get_window_state",
			"{\"window_id\":%u,\"include_screenshot\":false}", scene->window).structured;
		json_t *field = lab_element(state, NULL, lab_control_label("txt-input"));

		lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", scene->window,
			(long long)lab_int(field, "element_index"));
		lands(scene, "a", "press_key", "\"key\":\"a\"");
		return;
	}
	guint mark = scene->harness ? lab_journal_mark(scene->harness) : 0;
	lands(scene, "a", "press_key", "\"x\":%d,\"y\":%d,\"key\":\"a\"", scene->x, scene->y);
	if (g_str_equal(scene->name, "qt5")) {
		/* For a moment it believes that it has the user's focus, and text needs no keys then. */
		lab_assert(lab_journal_find(scene->harness, mark, LANDING, "type", "focus_out", "control", "txt-input",
			NULL));
	}
}

/* One letter where a click gives the focus, a text of many scripts behind it, keys and shortcuts. */
static void work(struct scene *scene)
{
	bool terminal = g_str_equal(scene->name, "terminal"), xaw = g_str_equal(scene->name, "xaw");
	/* The text field of Xaw is of a time before other scripts. */
	const char *text = xaw ? "Hello, WORLD: 3*4=12!" : "Grüße, WORLD: 3*4=12 Ωж€日😀!";
	g_autofree char *all = g_strconcat("a", text, NULL);
	g_autofree char *fewer = terminal ? g_strconcat(all, "\x7f", NULL) : g_strndup(all, strlen(all) - 1);
	/* What Ctrl+A does: selects, goes to the start of the line, is a character. */
	g_autofree char *after = terminal ? g_strconcat(fewer, "\x01Neu", NULL) : xaw ? g_strconcat("Neu", fewer, NULL)
		: g_strdup("Neu");

	focus(scene);
	struct lab_answer answer = lands(scene, all, "type_text", "\"text\":\"%s\"", text);
	lab_assert_int(lab_int(answer.structured, "delivered/chars"), g_utf8_strlen(text, -1));
	lab_assert_int(lab_int(answer.structured, "delivered/asked"), g_utf8_strlen(text, -1));
	lands(scene, fewer, "press_key", "\"key\":\"backspace\"");
	answer = lab_call_ok(scene->driver, "hotkey", "{\"pid\":%d,\"window_id\":%u,\"keys\":[\"ctrl\",\"a\"]}",
		scene->pid, scene->window);
	lab_assert_str(lab_str(answer.structured, "path"), "key_events");
	no_disturbance(&answer);
	lands(scene, after, "type_text", "\"text\":\"Neu\"");
}

static void work_watched(struct scene *scene)
{
	lab_sentinel_start(scene->sentinel);
	work(scene);
	lab_sentinel_types(scene->sentinel, 5);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!verdict.held) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 600);
		lab_fail("%s: the user noticed: %s", scene->name, verdict.text);
	}
}

static void run(struct lab_desk *desk, const char *name, const char *geometry)
{
	g_autofree char *before = keymap_of(desk);
	struct scene scene = open_scene(desk, name, geometry);

	if (geometry) {
		work_watched(&scene);
	} else {
		work(&scene);
	}
	lab_driver_stop(scene.driver);
	g_autofree char *after = keymap_of(desk);
	lab_assert_str(after, before);
	if (scene.file) {
		unlink(scene.file);
	}
}

#define TARGET(name) \
	static void seen_##name(struct lab_desk *desk) { run(desk, #name, "160x120+10+30"); } \
	static void covered_##name(struct lab_desk *desk) { run(desk, #name, "1240x740+10+30"); }

TARGET(gtk3)
TARGET(gtk4)
TARGET(qt5)
TARGET(web)
TARGET(terminal)
TARGET(xaw)

static void alone_terminal(struct lab_desk *desk)
{
	run(desk, "terminal", NULL);
}

#define ENTRY(which, target, managers, why) { .name = #which "_" #target, .run = which##_##target, \
	.servers = LAB_XVFB, .wms = managers, .timeout = 180, .about = why }
#define ALL "openbox xfwm4 metacity mutter kwin_x11"

static const struct lab_test part[] = {
	ENTRY(covered, gtk3, "xfwm4", "Text, keys and shortcuts in a GTK3 window that the user's covers."),
	ENTRY(covered, gtk4, "openbox", "The same in GTK4."),
	ENTRY(covered, qt5, "kwin_x11", "The same in Qt 5."),
	ENTRY(covered, web, "openbox", "The same in Chromium."),
	ENTRY(alone, terminal, "metacity", "The same in xterm, with nobody else there."),
	ENTRY(covered, xaw, "openbox", "The same in Xaw, with the letters it knows."),
	ENTRY(seen, gtk3, "mutter", "The same in view."),
	{ 0 }
};

#define BOTH(target) ENTRY(seen, target, ALL, "In view."), ENTRY(covered, target, ALL, "Covered.")
static const struct lab_test full[] = {
	BOTH(gtk3), BOTH(gtk4), BOTH(qt5), BOTH(web), BOTH(terminal), BOTH(xaw),
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, getenv("LAB_FULL") ? full : part);
}
