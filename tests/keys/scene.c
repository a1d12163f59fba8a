/* SPDX-License-Identifier: MIT */
/* A target, its text field and what is in it. */
#include "keys.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const cover_names[COVERS] = { "visible", "covered" };

const struct target targets[] = {
	{ .name = "gtk3" },
	{ .name = "gtk4", .says_focus = true },
	{ .name = "qt5" },
	{ .name = "web" },
	{ .name = "terminal" },
	{ .name = "xaw", .blind = true, .ascii = true },
	{ .name = "canvas", .blind = true, .events = true },
	{ 0 }
};

const struct target *target_named(const char *name)
{
	const struct target *target = targets;

	while (target->name && !g_str_equal(target->name, name)) {
		target++;
	}
	lab_assert(target->name);
	return target;
}

char *keymap_of(struct lab_desk *desk)
{
	struct lab_run run = lab_run(desk->env, LAB_ARGV("xkbcomp", "-w0", desk->display, "-"), NULL, LANDING);

	lab_assert_int(run.code, 0);
	return run.out;
}

static void remove_file(void *data, bool failed)
{
	(void)failed;
	unlink(data);
}

static void open_terminal(struct scene *scene)
{
	scene->file = g_strdup_printf("/tmp/cua-keys-%d", getpid());
	lab_at_end(remove_file, scene->file);
	g_autofree char *script = g_strdup_printf("stty raw -echo; echo ready; exec cat > %s", scene->file);
	struct lab_app app = lab_app_start(scene->desk, LAB_ARGV("env", "LC_ALL=C.UTF-8", "xterm", "-T", "terminal",
		"-geometry", "60x12+300+200", "-e", "sh", "-c", script));

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
	const struct target *target = scene->target;

	scene->harness = lab_harness_start(scene->desk, target->name, target->blind ? LAB_ARGV("--colours") : NULL);
	scene->pid = scene->harness->pid;
	scene->window = scene->harness->window;
	if (target->events) {
		scene->x = scene->y = 100;
		return;
	}
	struct lab_rect at = target->blind ? lab_harness_colour(scene->harness, "txt-input", LANDING)
		: lab_harness_see(scene->harness, NULL, lab_control_label("txt-input"), LANDING).frame;
	struct lab_rect window = lab_x_bounds(scene->desk, scene->window);
	scene->x = at.x - window.x + at.width / 2;
	scene->y = at.y - window.y + at.height / 2;
}

void scene_open(struct scene *scene, struct lab_desk *desk, const struct target *target, bool watched)
{
	*scene = (struct scene){ .desk = desk, .target = target, .keymap = keymap_of(desk) };
	if (g_str_equal(target->name, "terminal")) {
		open_terminal(scene);
	} else {
		open_harness(scene);
	}
	scene->driver = lab_driver_start(desk);
	if (watched) {
		scene->sentinel = lab_sentinel_open(desk, "160x120+10+30");
		lab_sentinel_calibrate(scene->sentinel, LAB_FIVE);
	} else {
		struct lab_app user = lab_app_start(desk, LAB_ARGV("xterm", "-T", "user", "-geometry", "20x4+10+30"));

		lab_user_works_in(desk, user.window);
	}
	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u}", scene->window);
}

void scene_cover(struct scene *scene, enum cover cover)
{
	const uint32_t places[COVERS][4] = { { 10, 30, 160, 120 }, { 10, 30, 1240, 740 } };

	xcb_configure_window(scene->desk->x, lab_sentinel_window(scene->sentinel), XCB_CONFIG_WINDOW_X |
		XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, places[cover]);
	xcb_flush(scene->desk->x);
	lab_x_quiet(scene->desk, 150);
	if (scene->target->ascii) {
		/* Its shortcut leaves the caret at the start. */
		lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"key\":\"end\"}", scene->window);
	}
}

void scene_focus(struct scene *scene)
{
	guint mark = scene->harness ? lab_journal_mark(scene->harness) : 0;

	if (g_str_equal(scene->target->name, "web")) {
		/* Chromium takes the user's pointer for a moment when any pointer presses in it. */
		json_t *state = lab_call_ok(scene->driver, "get_window_state",
			"{\"window_id\":%u,\"include_screenshot\":false}", scene->window).structured;
		json_t *field = lab_element(state, NULL, lab_control_label("txt-input"));

		lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", scene->window,
			(long long)lab_int(field, "element_index"));
		lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"key\":\"a\"}", scene->window);
	} else {
		lab_call_ok(scene->driver, "press_key", "{\"window_id\":%u,\"x\":%d,\"y\":%d,\"key\":\"a\"}",
			scene->window, scene->x, scene->y);
	}
	if (!scene_has(scene, "a")) {
		lab_fail("%s: the first letter does not come", scene->target->name);
	}
	if (g_str_equal(scene->target->name, "qt5")) {
		/* For a moment it believes that it has the user's focus, and text needs no keys then. */
		lab_assert(lab_journal_find(scene->harness, mark, LANDING, "type", "focus_out", "control", "txt-input",
			NULL));
	}
}

/* The names of all keys that came, but those of modifiers. */
static char *events_of(struct scene *scene)
{
	GString *text = g_string_new(NULL);

	lab_journal_mark(scene->harness);
	for (guint i = 0; i < scene->harness->lines->len; i++) {
		json_t *line = scene->harness->lines->pdata[i];
		const char *type = json_string_value(json_object_get(line, "type"));
		const char *key = json_string_value(json_object_get(line, "detail"));

		if (g_strcmp0(type, "key_press") == 0 && !g_str_has_prefix(key, "Shift_") &&
			!g_str_has_prefix(key, "Control_")) {
			g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", key);
		}
	}
	return g_string_free(text, FALSE);
}

char *scene_content(struct scene *scene)
{
	char *content = NULL;

	if (scene->target->events) {
		return events_of(scene);
	}
	if (scene->harness) {
		lab_journal_mark(scene->harness);
		return g_strdup(lab_harness_value(scene->harness, "mirror"));
	}
	g_file_get_contents(scene->file, &content, NULL, NULL);
	return content ? content : g_strdup("");
}

bool scene_has(struct scene *scene, const char *content)
{
	gint64 deadline = lab_deadline(LANDING);

	for (;;) {
		g_autofree char *is = scene_content(scene);

		if (g_strcmp0(is, content) == 0) {
			return true;
		}
		if (lab_left(deadline) == 0) {
			lab_note("%s has \"%s\" and not \"%s\"", scene->target->name, is, content);
			return false;
		}
		g_usleep(20000);
	}
}

void scene_watch(struct scene *scene)
{
	lab_sentinel_start(scene->sentinel);
}

char *scene_noticed(struct scene *scene)
{
	lab_sentinel_types(scene->sentinel, 5);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);

	if (verdict.held) {
		return NULL;
	}
	lab_journal_note(lab_sentinel_journal(scene->sentinel), 60);
	return g_strdup_printf("the user noticed: %s", verdict.text);
}

void scene_close(struct scene *scene)
{
	lab_driver_stop(scene->driver);
	g_autofree char *after = keymap_of(scene->desk);
	lab_assert_str(after, scene->keymap);
}
