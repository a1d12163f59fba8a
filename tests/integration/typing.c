/* SPDX-License-Identifier: MIT */
/*
 * What keys are called, on several layouts, as a bare X window sees them; keys that make a character together; and how many
 * keys were pressed where not all could be.
 */
#include <signal.h>
#include <string.h>

#include "keys/keys.h"

#define FRONT ",\"delivery_mode\":\"foreground\""

/* The keys that came since the mark, by the names of X, "Super_L a". */
static char *keys_since(struct scene *scene, guint mark)
{
	GString *names = g_string_new(NULL);

	lab_journal_mark(scene->harness);
	for (guint i = mark; i < scene->harness->lines->len; i++) {
		json_t *line = scene->harness->lines->pdata[i];

		if (g_strcmp0(json_string_value(json_object_get(line, "type")), "key_press") == 0) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? " " : "", lab_str(line, "detail"));
		}
	}
	return g_string_free(names, FALSE);
}

static int wrong_names;

static void expect(struct scene *scene, const char *tool, const char *arguments, const char *wanted)
{
	guint mark = lab_journal_mark(scene->harness);
	struct lab_answer answer = lab_call(scene->driver, tool, "{\"window_id\":%u,%s}", scene->window, arguments);
	gint64 deadline = lab_deadline(5000);
	g_autofree char *came = NULL;

	for (;;) {
		g_free(came);
		came = keys_since(scene, mark);
		if (g_str_equal(came, wanted) || answer.is_error || lab_left(deadline) == 0) {
			break;
		}
		lab_journal_find(scene->harness, lab_journal_mark(scene->harness), 50, "type", "key_press", NULL);
	}
	if (answer.is_error || !g_str_equal(came, wanted)) {
		lab_note("NOT %s %s: \"%s\" and not \"%s\", %s", tool, arguments, came, wanted, lab_json(answer.structured));
		wrong_names++;
	}
}

static void expect_key(struct scene *scene, const char *name, const char *wanted)
{
	g_autofree char *quoted = lab_quote(name);
	g_autofree char *arguments = g_strdup_printf("\"key\":%s", quoted);

	expect(scene, "press_key", arguments, wanted);
}

struct name {
	const char *name, *wanted;
};

static void expect_all(struct scene *scene, const struct name *names, gsize count)
{
	for (gsize i = 0; i < count; i++) {
		expect_key(scene, names[i].name, names[i].wanted);
	}
	lab_assert_int(wrong_names, 0);
}

/* This window never says what it has read, and until then its driver has as many new symbols as the map has idle keys. */
static void start_afresh(struct scene *scene)
{
	lab_driver_stop(scene->driver);
	scene->driver = lab_driver_start(scene->desk);
	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u}", scene->window);
}

static void names(struct lab_desk *desk)
{
	static const struct name all[] = {
		{ "return", "Return" }, { "enter", "Return" }, { "escape", "Escape" }, { "esc", "Escape" }, { "tab", "Tab" },
		{ "space", "space" }, { "delete", "Delete" }, { "forwarddelete", "Delete" }, { "backspace", "BackSpace" },
		{ "up", "Up" }, { "ArrowLeft", "Left" }, { "home", "Home" }, { "end", "End" }, { "pageup", "Prior" },
		{ "page_down", "Next" }, { "insert", "Insert" }, { "menu", "Menu" }, { "printscreen", "Print" },
		{ "pause", "Pause" }, { "a", "a" }, { "A", "Shift_L A" }, { "7", "7" }, { "*", "Shift_L asterisk" }, { "é", "eacute" },
		{ "Ω", "Greek_OMEGA" }, { "plus", "Shift_L plus" }, { "kp_enter", "KP_Enter" }, { "KP_Add", "KP_Add" },
		{ "numpad_multiply", "KP_Multiply" }, { "numpad_decimal", "KP_Decimal" }, { "numpadEqual", "KP_Equal" },
		{ "volumeup", "XF86AudioRaiseVolume" }, { "VolumeDown", "XF86AudioLowerVolume" }, { "mute", "XF86AudioMute" },
		{ "playpause", "XF86AudioPlay" }, { "MediaTrackNext", "XF86AudioNext" }, { "prevtrack", "XF86AudioPrev" },
		{ "mediastop", "XF86AudioStop" }, { "XF86Calculator", "XF86Calculator" }, { "BrowserBack", "XF86Back" },
		{ "brightnessup", "XF86MonBrightnessUp" }, { "dead_acute", "dead_acute" }, { "ISO_Left_Tab", "Shift_L ISO_Left_Tab" },
		{ "shift", "Shift_L" }, { "ctrl", "Control_L" }, { "option", "Alt_L" }, { "alt", "Alt_L" }, { "cmd", "Super_L" },
		{ "command", "Super_L" }, { "super", "Super_L" }, { "meta", "Super_L" }, { "win", "Super_L" },
		{ "altgr", "ISO_Level3_Shift" },
	};
	static const struct name hotkeys[] = {
		{ "\"cmd\",\"a\"", "Super_L a" }, { "\"super\",\"left\"", "Super_L Left" }, { "\"option\",\"b\"", "Alt_L b" },
		{ "\"ctrl\",\"shift\",\"s\"", "Control_L Shift_L S" }, { "\"meta\",\"F13\"", "Super_L F13" },
		{ "\"ctrl\",\"alt\",\"delete\"", "Control_L Alt_L Delete" }, { "\"c\",\"control\"", "Control_L c" },
	};
	struct scene scene;

	scene_open(&scene, desk, target_named("canvas"), false);
	for (int i = 1; i <= 24; i++) {
		g_autofree char *name = g_strdup_printf(i % 2 ? "f%d" : "F%d", i);
		g_autofree char *wanted = g_strdup_printf("F%d", i);

		expect_key(&scene, name, wanted);
	}
	start_afresh(&scene);
	for (int i = 0; i <= 9; i++) {
		g_autofree char *name = g_strdup_printf("numpad%d", i), *wanted = g_strdup_printf("KP_%d", i);

		expect_key(&scene, name, wanted);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(hotkeys); i++) {
		g_autofree char *arguments = g_strdup_printf("\"keys\":[%s]", hotkeys[i].name);

		expect(&scene, "hotkey", arguments, hotkeys[i].wanted);
		g_autofree char *front = g_strconcat(arguments, FRONT, NULL);
		expect(&scene, "hotkey", front, hotkeys[i].wanted);
	}
	start_afresh(&scene);
	expect_all(&scene, all, G_N_ELEMENTS(all));
	lab_call_refused(scene.driver, "invalid_arguments", "press_key", "{\"window_id\":%u,\"key\":\"levitate\"}", scene.window);
	lab_call_refused(scene.driver, "invalid_arguments", "hotkey", "{\"window_id\":%u,\"keys\":[\"ctrl\"]}", scene.window);
	scene_close(&scene);
}

static void set_layout(struct lab_desk *desk, const char *layout, const char *variant)
{
	lab_assert_int(lab_run(desk->env, LAB_ARGV("setxkbmap", layout, "-variant", variant), NULL, LANDING).code, 0);
}

/* What is on the third level of a key, or on none, comes as itself; and dead keys are dead. */
static void layouts(struct lab_desk *desk)
{
	static const struct name german[] = {
		{ "@", "at" }, { "€", "EuroSign" }, { "{", "braceleft" }, { "\\", "backslash" }, { "ß", "ssharp" },
		{ "z", "z" }, { "ü", "udiaeresis" }, { "/", "Shift_L slash" }, { "dead_acute", "dead_acute" }, { "é", "eacute" },
	};
	static const struct name greek[] = {
		{ "α", "Greek_alpha" }, { "a", "a" }, { "Σ", "Shift_L Greek_SIGMA" }, { "@", "Shift_L at" }, { "return", "Return" },
	};
	struct scene scene;

	set_layout(desk, "de", "");
	scene_open(&scene, desk, target_named("canvas"), false);
	expect_all(&scene, german, G_N_ELEMENTS(german));
	scene_close(&scene);
	lab_harness_stop(scene.harness);

	set_layout(desk, "gr", "");
	scene_open(&scene, desk, target_named("canvas"), false);
	expect_all(&scene, greek, G_N_ELEMENTS(greek));
	scene_close(&scene);
}

/* Two keys make a character. */
static void dead_keys(struct lab_desk *desk)
{
	struct scene scene;

	set_layout(desk, "de", "");
	scene_open(&scene, desk, target_named("gtk3"), false);
	scene_focus(&scene);
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"dead_acute\"}", scene.window);
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"e\"}", scene.window);
	lab_assert(scene_has(&scene, "aé"));
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"dead_circumflex\"" FRONT "}", scene.window);
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"o\"" FRONT "}", scene.window);
	lab_assert(scene_has(&scene, "aéô"));
	scene_close(&scene);
}

/* --- Not all of it ------------------------------------------------------------------------------------ */

static void assert_partly(const struct lab_answer *answer, const char *code, int asked)
{
	lab_assert(answer->is_error);
	lab_assert_str(answer->code, code);
	lab_assert_str(lab_str(answer->structured, "delivery"), "partial");
	lab_assert_str(lab_str(answer->structured, "retry"), "unsafe");
	lab_assert_int(lab_int(answer->structured, "delivered/asked"), asked);
	lab_assert(lab_int(answer->structured, "delivered/chars") > 0);
	lab_assert(lab_int(answer->structured, "delivered/chars") < asked);
}

/* An application that hangs gets no more than it can be told of, and that it has when it goes on. */
static void hung(struct lab_desk *desk)
{
	enum { ASKED = 600 };
	struct scene scene;
	g_autofree char *text = g_strnfill(ASKED, 'b');

	scene_open(&scene, desk, target_named("gtk3"), false);
	scene_focus(&scene);
	int id = lab_send_call(scene.driver, "type_text", "{\"window_id\":%u,\"text\":\"%s\"}", scene.window, text);
	guint mark = lab_journal_mark(scene.harness);
	lab_assert(lab_journal_find(scene.harness, mark, LANDING, "type", "key_press", NULL));
	kill(scene.pid, SIGSTOP);
	struct lab_answer answer = lab_answer_of(scene.driver, lab_wait_id(scene.driver, id, LANDING));
	kill(scene.pid, SIGCONT);
	assert_partly(&answer, "app_unresponsive", ASKED);
	g_autofree char *part = g_strnfill((gsize)lab_int(answer.structured, "delivered/chars"), 'b');
	g_autofree char *all = g_strconcat("a", part, NULL);
	lab_assert(scene_has(&scene, all));
	scene_close(&scene);
}

/* A bare window that never says what it has read gets what there are idle keys for, and soon an answer. */
static void silent(struct lab_desk *desk)
{
	struct scene scene;

	scene_open(&scene, desk, target_named("canvas"), false);
	struct lab_answer answer = lab_call(scene.driver, "type_text", "{\"window_id\":%u,"
		"\"text\":\"αβγδεζηθικλμνξοπρστυφχψωАБВГДЕЖЗИЙ\"}", scene.window);
	assert_partly(&answer, "app_unresponsive", 34);
	lab_assert(answer.ms < 9000);
	lab_journal_mark(scene.harness);
	lab_assert_int(lab_journal_count(scene.harness, 0, "type", "key_press", NULL),
		lab_int(answer.structured, "delivered/chars"));
	scene_close(&scene);
}

/* The user takes the keyboard back in the middle of a text: the rest is not typed, neither here nor there. */
static void taken_back(struct lab_desk *desk)
{
	enum { ASKED = 60 };
	struct scene scene;
	g_autofree char *text = g_strnfill(ASKED, 'b');

	scene_open(&scene, desk, target_named("canvas"), false);
	struct lab_harness *user = lab_harness_start(desk, "gtk3", NULL);
	lab_user_works_in(desk, user->window);
	guint mark = lab_journal_mark(scene.harness), users = lab_journal_mark(user);
	int id = lab_send_call(scene.driver, "type_text", "{\"window_id\":%u,\"text\":\"%s\",\"delay_ms\":50" FRONT "}",
		scene.window, text);
	lab_assert(lab_journal_find(scene.harness, mark, LANDING, "type", "key_press", NULL));
	lab_user_works_in(desk, user->window);
	struct lab_answer answer = lab_answer_of(scene.driver, lab_wait_id(scene.driver, id, LANDING));
	assert_partly(&answer, "user_active", ASKED);
	lab_x_quiet(desk, 200);
	lab_journal_mark(scene.harness);
	lab_assert_int(lab_journal_count(scene.harness, mark, "type", "key_press", "detail", "b", NULL),
		lab_int(answer.structured, "delivered/chars"));
	lab_journal_mark(user);
	lab_assert_int(lab_journal_count(user, users, "type", "key_press", NULL), 0);
	lab_assert_int(lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0), user->window);
	scene_close(&scene);
}

static const struct lab_test tests[] = {
	{ .name = "names", .run = names, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Names of keys as people, other drivers and X spell them, and shortcuts: the window gets those keys." },
	{ .name = "layouts", .run = layouts, .servers = LAB_XVFB, .wms = "openbox", .needs = "setxkbmap", .timeout = 120,
	  .about = "Symbols of the third level and of no key, on a German and a Greek layout." },
	{ .name = "dead_keys", .run = dead_keys, .servers = LAB_XVFB, .wms = "openbox", .needs = "setxkbmap", .timeout = 120,
	  .about = "A dead key and a letter are one character." },
	{ .name = "hung", .run = hung, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "An application that hangs in the middle of a text: what was pressed is counted, and arrives." },
	{ .name = "silent", .run = silent, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "A window that says nothing: more new symbols than idle keys are not pressed." },
	{ .name = "taken_back", .run = taken_back, .servers = LAB_XVFB, .wms = "openbox mutter", .timeout = 120,
	  .about = "The user takes the keyboard back in the middle of a text in the foreground." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
