/* SPDX-License-Identifier: MIT */
/*
 * Whether a call acts on a window or on the screen, and whether it may: every tool × way to address × scope × delivery,
 * with and without a window. What is refused sends nothing, by the application's journal and the user's pointer; what is
 * allowed reaches the application by the rung that was asked for. And what the user's pointer and keyboard do on the screen.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xtest.h>

#include "lab/oracle.h"

#define LANDING 20000

struct scene {
	struct lab_desk *desk;
	struct lab_harness *harness;
	struct lab_driver *driver;
	json_t *state;
	struct lab_rect window, field, button;  /* on the screen */
};

static struct scene begin(struct lab_desk *desk)
{
	struct scene scene = { .desk = desk, .harness = lab_harness_start(desk, "gtk3", NULL),
		.driver = lab_driver_start(desk) };

	scene.window = lab_x_bounds(desk, scene.harness->window);
	scene.field = lab_harness_see(scene.harness, NULL, lab_control_label("txt-input"), LANDING).frame;
	scene.button = lab_harness_see(scene.harness, NULL, lab_control_label("btn-counter"), LANDING).frame;
	lab_user_works_in(desk, scene.harness->window);
	scene.state = lab_call_ok(scene.driver, "get_window_state", "{\"window_id\":%u}",
		scene.harness->window).structured;
	lab_call_ok(scene.driver, "get_desktop_state", "{}");
	/* The field has the keyboard of its window. */
	lab_call_ok(scene.driver, "press_key", "{\"capture_scope\":\"desktop\",\"x\":%d,\"y\":%d,\"key\":\"a\"}",
		scene.field.x + 40, scene.field.y + 10);
	lab_journal_wait_state(scene.harness, "mirror", "a", LANDING);
	return scene;
}

/* --- The matrix --------------------------------------------------------------------------------------- */

enum means { BY_INDEX, BY_TOKEN, BY_PIXEL, BY_FOCUS, MEANS };
enum asked { NEITHER, BACKGROUND, FOREGROUND, ASKED };

static const struct tool {
	const char *name, *arguments;
	unsigned means;          /* bits: how it can be told where */
	const char *sends;       /* a type of event that it makes; another one than this is a change of state */
} tools[] = {
	{ "click", "", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL, "button_press" },
	{ "double_click", "", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL, "button_press" },
	{ "right_click", ",\"allow_grab\":true", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL, "button_press" },
	{ "drag", ",\"duration_ms\":20,\"steps\":3", 1 << BY_INDEX | 1 << BY_PIXEL, "button_press" },
	{ "scroll", ",\"direction\":\"down\"", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL | 1 << BY_FOCUS, "scroll" },
	{ "type_text", ",\"text\":\"t\"", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL | 1 << BY_FOCUS, "key_press" },
	{ "press_key", ",\"key\":\"k\"", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL | 1 << BY_FOCUS, "key_press" },
	{ "hotkey", ",\"keys\":[\"shift\",\"h\"]", 1 << BY_INDEX | 1 << BY_TOKEN | 1 << BY_PIXEL | 1 << BY_FOCUS, "key_press" },
	{ "move_cursor", "", 1 << BY_PIXEL, "motion" },
};

/* Which control a tool is used on. */
static const char *control_of(const struct tool *tool)
{
	return strstr(tool->name, "click") ? lab_control_label("btn-counter") : lab_control_label("txt-input");
}

static char *address(const struct scene *scene, const struct tool *tool, enum means means, bool window)
{
	bool drag = g_str_equal(tool->name, "drag");
	struct lab_rect at = strstr(tool->name, "click") ? scene->button : scene->field;
	int x = at.x + at.width / 2 - (window ? scene->window.x : 0), y = at.y + at.height / 2 - (window ? scene->window.y : 0);
	json_t *element = means == BY_INDEX || means == BY_TOKEN ? lab_element(scene->state, NULL, control_of(tool)) : NULL;
	long long index = element ? lab_int(element, "element_index") : 0;

	switch (means) {
	case BY_INDEX:
		return drag ? g_strdup_printf(",\"from_element_index\":%lld,\"to_element_index\":%lld", index, index)
			: g_strdup_printf(",\"element_index\":%lld", index);
	case BY_TOKEN:
		return g_strdup_printf(",\"element_token\":\"%s\"", lab_str(element, "element_token"));
	case BY_PIXEL:
		return drag ? g_strdup_printf(",\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,\"to_y\":%d", x, y, x + 9, y)
			: g_strdup_printf(",\"x\":%d,\"y\":%d", x, y);
	default:
		return g_strdup("");
	}
}

/* What the contract says: the code of the refusal, or NULL. */
static const char *expected(bool window, bool desktop, enum means means, enum asked asked)
{
	if (window) {
		return NULL;
	}
	if (means == BY_INDEX || means == BY_TOKEN) {
		return desktop ? "desktop_scope_no_elements" : means == BY_INDEX ? "invalid_arguments" : NULL;
	}
	return !desktop ? "desktop_scope_disabled" : asked == BACKGROUND ? "desktop_scope_foreground_only" : NULL;
}

static int events(struct scene *scene, guint mark)
{
	return lab_journal_count(scene->harness, mark, "type", "button_press", NULL) +
		lab_journal_count(scene->harness, mark, "type", "key_press", NULL) +
		lab_journal_count(scene->harness, mark, "type", "scroll", NULL) +
		lab_journal_count(scene->harness, mark, "kind", "state", NULL);
}

static bool has_come(struct scene *scene, guint mark, const struct tool *tool)
{
	gint64 deadline = lab_deadline(LANDING);

	do {
		if (lab_journal_count(scene->harness, mark, "type", tool->sends, NULL) +
			lab_journal_count(scene->harness, mark, "kind", "state", NULL) > 0) {
			return true;
		}
		lab_journal_find(scene->harness, mark, 20, "type", tool->sends, NULL);
	} while (lab_left(deadline) > 0);
	return false;
}

/* One cell; what is wrong with it, or NULL. */
static char *try_cell(struct scene *scene, const struct tool *tool, const char *arguments, bool front, const char *code)
{
	struct lab_user before = lab_user_read(scene->desk);
	guint mark = lab_journal_mark(scene->harness);
	struct lab_answer answer = lab_call(scene->driver, tool->name, "%s", arguments);

	if (code) {
		struct lab_user after = lab_user_read(scene->desk);
		char *moved = lab_user_difference(&before, &after);

		lab_journal_find(scene->harness, mark, 30, "type", tool->sends, NULL);
		if (!answer.is_error || g_strcmp0(answer.code, code) != 0 ||
			!g_str_equal(lab_str(answer.structured, "delivery"), "none")) {
			return g_strdup_printf("not %s but %s", code, lab_json(answer.structured));
		}
		return moved ? moved : events(scene, mark) > 0 ? g_strdup("it was refused and sent all the same") : NULL;
	}
	if (answer.is_error) {
		return g_strdup_printf("refused: %s", lab_json(answer.structured));
	}
	const char *path = lab_str(answer.structured, "path");
	if (g_str_has_suffix(path, "_fg") != front) {
		return g_strdup_printf("it went by %s", path);
	}
	char *wrong = has_come(scene, mark, tool) ? NULL : g_strdup_printf("nothing came, by %s", path);
	/* What is still to come of it is not the next one's. */
	do {
		mark = lab_journal_mark(scene->harness);
	} while (lab_journal_find(scene->harness, mark, 60, "kind", "event", NULL) ||
		lab_journal_count(scene->harness, mark, "kind", "state", NULL) > 0);
	return wrong;
}

static void matrix(struct lab_desk *desk)
{
	static const char *const words[ASKED] = { "", ",\"delivery_mode\":\"background\"",
		",\"delivery_mode\":\"foreground\"" };
	struct scene scene = begin(desk);
	int cells = 0, good = 0;

	for (gsize t = 0; t < G_N_ELEMENTS(tools); t++) {
		for (int cell = 0; cell < MEANS * ASKED * 4; cell++) {
			enum means means = (enum means)(cell % MEANS);
			enum asked asked = (enum asked)(cell / MEANS % ASKED);
			bool window = cell / MEANS / ASKED % 2, desktop = cell / MEANS / ASKED / 2;

			if (!(tools[t].means & 1u << means)) {
				continue;
			}
			g_autofree char *where = address(&scene, &tools[t], means, window);
			g_autofree char *which = window ? g_strdup_printf(",\"window_id\":%u", scene.harness->window) : g_strdup("");
			g_autofree char *arguments = g_strdup_printf("{\"capture_scope\":\"%s\"%s%s%s%s}",
				desktop ? "desktop" : "window", which, where, tools[t].arguments, words[asked]);
			bool front = asked == FOREGROUND || (!window && desktop && asked == NEITHER);
			g_autofree char *wrong = try_cell(&scene, &tools[t], arguments, front,
				expected(window, desktop, means, asked));

			cells++;
			good += !wrong;
			if (wrong) {
				lab_note("NOT %s %s: %s", tools[t].name, arguments, wrong);
			}
		}
	}
	lab_note("%d of %d cells", good, cells);
	lab_assert_int(good, cells);
	lab_driver_stop(scene.driver);
}

/* --- Other ways to say it ----------------------------------------------------------------------------- */

static void ways(struct lab_desk *desk)
{
	struct scene scene = begin(desk);
	struct lab_driver *driver = scene.driver;
	uint32_t window = scene.harness->window;
	char key[] = "\"key\":\"k\"";

	lab_call_refused(driver, "desktop_scope_disabled", "press_key", "{%s}", key);
	/* The suggestion is what helps. */
	lab_assert_contains(lab_str(lab_call_refused(driver, "desktop_scope_disabled", "click",
		"{\"x\":5,\"y\":5}").structured, "suggestion"), "capture_scope");
	lab_call_ok(driver, "press_key", "{%s,\"scope\":\"desktop\"}", key);
	lab_call_ok(driver, "press_key", "{%s,\"target\":{\"kind\":\"desktop\"}}", key);
	lab_call_ok(driver, "press_key", "{%s,\"target\":{\"kind\":\"window\",\"window_id\":%u}}", key, window);
	lab_call_ok(driver, "set_config", "{\"capture_scope\":\"desktop\"}");
	lab_call_ok(driver, "press_key", "{%s}", key);
	lab_journal_wait_state(scene.harness, "mirror", "akkkk", LANDING);
	/* The argument counts before the setting, the setting of one session in that one only. */
	lab_call_refused(driver, "desktop_scope_disabled", "press_key", "{%s,\"capture_scope\":\"window\"}", key);
	lab_call_refused(driver, "desktop_scope_disabled", "press_key", "{%s,\"session\":\"other\"}", key);
	lab_call_ok(driver, "set_config", "{\"key\":\"capture_scope\",\"value\":\"window\"}");
	lab_call_refused(driver, "desktop_scope_disabled", "press_key", "{%s}", key);

	static const char *const contradictions[] = {
		"\"capture_scope\":\"desktop\",\"scope\":\"window\"",
		"\"target\":{\"kind\":\"desktop\",\"window_id\":5}",
		"\"target\":{\"kind\":\"window\"}",
		"\"target\":{\"kind\":\"desktop\"},\"window_id\":5",
		"\"delivery_mode\":\"auto\"",
		"\"scope\":\"desktop\",\"then\":{\"observe\":\"diff\"}",
		"\"scope\":\"desktop\",\"x\":5",
		"\"scope\":\"desktop\",\"x\":5,\"y\":5,\"from_zoom\":true",
	};
	for (gsize i = 0; i < G_N_ELEMENTS(contradictions); i++) {
		lab_call_refused(driver, "invalid_arguments", "press_key", "{%s,%s}", key, contradictions[i]);
	}
	lab_call_refused(driver, "point_outside_window", "click", "{\"scope\":\"desktop\",\"x\":9999,\"y\":5}");
	lab_assert_str(lab_harness_value(scene.harness, "mirror"), "akkkk");
	lab_driver_stop(driver);
}

/* --- The screen --------------------------------------------------------------------------------------- */

static struct lab_rect frame_of(struct scene *scene, const char *id)
{
	return lab_harness_see(scene->harness, NULL, lab_control_label(id), LANDING).frame;
}

static void at_middle(struct scene *scene, const char *tool, struct lab_rect at, const char *more)
{
	struct lab_answer answer = lab_call_ok(scene->driver, tool, "{\"x\":%d,\"y\":%d%s}", at.x + at.width / 2,
		at.y + at.height / 2, more);
	struct lab_user user = lab_user_read(scene->desk);

	/* Nothing is given back: that is where the user's pointer is now. */
	lab_assert_int(user.x, at.x + at.width / 2);
	lab_assert_int(user.y, at.y + at.height / 2);
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	lab_assert(!lab_get(answer.structured, "restored"));
}

static void whole_screen(struct lab_desk *desk)
{
	struct scene scene = begin(desk);
	struct lab_rect slider = frame_of(&scene, "sld-value"), target = frame_of(&scene, "btn-target");
	struct lab_rect tall = frame_of(&scene, "scroll-tall");

	lab_call_ok(scene.driver, "set_config", "{\"capture_scope\":\"desktop\"}");
	at_middle(&scene, "click", scene.button, "");
	lab_journal_wait_state(scene.harness, "counter", "1", LANDING);
	at_middle(&scene, "double_click", target, "");
	lab_journal_wait_state(scene.harness, "last_action", "double_click", LANDING);
	at_middle(&scene, "right_click", target, "");
	lab_journal_wait_state(scene.harness, "last_action", "right_click", LANDING);
	at_middle(&scene, "scroll", tall, ",\"direction\":\"down\",\"amount\":4");
	gint64 deadline = lab_deadline(LANDING);
	while (atoi(lab_harness_value(scene.harness, "scroll_offset")) == 0) {
		lab_assert(lab_left(deadline) > 0);
		lab_journal_mark(scene.harness);
	}
	lab_call_ok(scene.driver, "drag", "{\"from_x\":%d,\"from_y\":%d,\"to_x\":%d,\"to_y\":%d,\"duration_ms\":60}",
		slider.x + 8, slider.y + slider.height / 2, slider.x + slider.width - 4, slider.y + slider.height / 2);
	while (atoi(lab_harness_value(scene.harness, "slider_value")) < 50) {
		lab_assert(lab_left(deadline) > 0);
		lab_journal_mark(scene.harness);
	}
	guint mark = lab_journal_mark(scene.harness);
	at_middle(&scene, "move_cursor", scene.button, "");
	lab_assert(lab_journal_find(scene.harness, mark, LANDING, "type", "enter", "control", "btn-counter", NULL));
	at_middle(&scene, "type_text", scene.field, ",\"text\":\"B€ \"");
	lab_journal_wait_state(scene.harness, "mirror", "aB€ ", LANDING);
	lab_call_ok(scene.driver, "press_key", "{\"key\":\"backspace\"}");
	lab_journal_wait_state(scene.harness, "mirror", "aB€", LANDING);
	lab_call_ok(scene.driver, "hotkey", "{\"keys\":[\"ctrl\",\"a\"]}");
	lab_call_ok(scene.driver, "type_text", "{\"text\":\"new\"}");
	lab_journal_wait_state(scene.harness, "mirror", "new", LANDING);
	lab_driver_stop(scene.driver);
}

/* Keys go where the user's keyboard is, and nobody is activated. */
static void keys_to_the_focused(struct lab_desk *desk)
{
	struct scene scene = begin(desk);
	struct lab_harness *other = lab_harness_start(desk, "canvas", NULL);
	const uint32_t aside[] = { 600, 310 };

	/* Not over the field. */
	xcb_configure_window(desk->x, other->window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, aside);
	lab_user_works_in(desk, other->window);
	struct lab_user before = lab_user_read(desk);
	guint mark = lab_journal_mark(other);
	lab_call_ok(scene.driver, "type_text", "{\"capture_scope\":\"desktop\",\"text\":\"xY\"}");
	lab_assert(lab_journal_find(other, mark, LANDING, "type", "key_press", "detail", "Y", NULL));
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
	lab_assert_str(lab_harness_value(scene.harness, "mirror"), "a");

	/* A click in the other window brings the keyboard there first. */
	mark = lab_journal_mark(other);
	lab_call_ok(scene.driver, "type_text", "{\"capture_scope\":\"desktop\",\"x\":%d,\"y\":%d,\"text\":\"bC\"}",
		scene.field.x + scene.field.width - 8, scene.field.y + scene.field.height / 2);
	lab_journal_wait_state(scene.harness, "mirror", "abC", LANDING);
	lab_assert_int(lab_journal_count(other, mark, "type", "key_press", NULL), 0);
	lab_driver_stop(scene.driver);
}

static gint typed, rests;

/* The user presses a key that does nothing, again and again. */
static gpointer type_on(gpointer data)
{
	enum { F9 = 75 };
	struct lab_desk *desk = data;
	xcb_connection_t *x = xcb_connect(desk->display, NULL);

	while (!g_atomic_int_get(&rests)) {
		xcb_test_fake_input(x, XCB_KEY_PRESS, F9, 0, desk->root, 0, 0, 0);
		xcb_test_fake_input(x, XCB_KEY_RELEASE, F9, 0, desk->root, 0, 0, 0);
		free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), NULL));
		g_atomic_int_inc(&typed);
		g_usleep(5000);
	}
	xcb_disconnect(x);
	return NULL;
}

static bool covers(struct lab_desk *desk, void *data)
{
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x, xcb_query_tree(desk->x, desk->root), NULL);
	bool found = false;

	(void)data;
	for (int i = 0; tree && i < tree->children_len && !found; i++) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		struct lab_rect at = lab_x_bounds(desk, window);

		found = lab_x_viewable(desk, window) && at.width >= desk->screen->width_in_pixels &&
			at.height >= desk->screen->height_in_pixels;
	}
	return found;
}

/* On the screen and in the foreground: while the user types, on a locked screen, after a panic. */
static void not_now(struct lab_desk *desk)
{
	static const char *const calls[] = { "\"scope\":\"desktop\"", "\"delivery_mode\":\"foreground\",\"window_id\":" };
	struct scene scene = begin(desk);
	struct { const char *code; bool locks, types, panics; } whys[] = {
		{ "user_active", false, true, false }, { "screen_locked", true, false, false },
		{ "panic_stopped", false, false, true },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(whys); i++) {
		pid_t locker = 0;
		GThread *user = NULL;

		if (whys[i].types) {
			user = g_thread_new("user", type_on, desk);
			/* Just after a key of our own nobody can tell whose the next one is. */
			while (g_atomic_int_get(&typed) < 40) {
				g_usleep(1000);
			}
		}
		if (whys[i].locks) {
			locker = lab_spawn(&(struct lab_spawn){ .env = desk->env, .argv = LAB_ARGV("i3lock", "--nofork") });
			lab_x_until(desk, covers, NULL, LANDING, "the screen is locked");
		}
		if (whys[i].panics) {
			lab_assert_int(lab_run(desk->env, LAB_ARGV(lab_driver_path(), "panic"), "", LANDING).code, 0);
		}
		guint mark = lab_journal_mark(scene.harness);
		for (gsize k = 0; k < G_N_ELEMENTS(calls); k++) {
			g_autofree char *which = k == 0 ? g_strdup(calls[k])
				: g_strdup_printf("%s%u", calls[k], scene.harness->window);

			struct lab_answer answer = lab_call_refused(scene.driver, whys[i].code, "type_text",
				"{%s,\"text\":\"lost\"}", which);
			lab_assert_str(lab_str(answer.structured, "delivery"), "none");
			lab_call_refused(scene.driver, whys[i].code, "click", "{%s,\"x\":60,\"y\":90}", which);
		}
		lab_assert_int(lab_journal_count(scene.harness, mark, "kind", "state", NULL), 0);
		lab_assert_int(lab_journal_count(scene.harness, mark, "type", "button_press", NULL), 0);
		if (user) {
			g_atomic_int_set(&rests, 1);
			g_thread_join(user);
		}
		if (locker) {
			kill(locker, SIGTERM);
			lab_reap(locker, LANDING);
			lab_user_works_in(desk, scene.harness->window);
		}
		if (whys[i].panics) {
			lab_assert_int(lab_run(desk->env, LAB_ARGV(lab_driver_path(), "panic", "--resume"), "", LANDING).code, 0);
		}
	}
	lab_call_ok(scene.driver, "type_text", "{\"scope\":\"desktop\",\"text\":\"b\"}");
	lab_journal_wait_state(scene.harness, "mirror", "ab", LANDING);
	lab_driver_stop(scene.driver);
}

static const struct lab_test tests[] = {
	{ .name = "matrix", .run = matrix, .servers = LAB_XVFB, .wms = "openbox", .timeout = 300,
	  .about = "Every tool × way to address × scope × delivery: refused by the right code, or it reached the application." },
	{ .name = "ways", .run = ways, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "capture_scope, scope, target and set_config say the same; contradictions are refused." },
	{ .name = "whole_screen", .run = whole_screen, .servers = LAB_XVFB, .wms = "openbox xfwm4", .timeout = 120,
	  .about = "Pixels of the screen: every gesture, text, keys and move_cursor, and nothing is put back." },
	{ .name = "keys_to_the_focused", .run = keys_to_the_focused, .servers = LAB_XVFB, .wms = "*",
	  .timeout = 120, .about = "Without a place keys go to where the user's keyboard is." },
	{ .name = "not_now", .run = not_now, .servers = LAB_XVFB, .wms = "openbox", .needs = "i3lock", .timeout = 120,
	  .about = "While the user types, on a locked screen and after a panic nothing is done." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
