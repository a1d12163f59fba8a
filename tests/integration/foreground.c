/* SPDX-License-Identifier: MIT */
/*
 * The foreground: what is asked for is done by the user's own pointer and keyboard, and afterwards active window, focus,
 * pointer and stacking are what they were, as the lab reads them. What arrived is the application's word. Here is a
 * part; with $LAB_FULL every toolkit on every window manager.
 */
#include <signal.h>
#include <string.h>

#include "keys/keys.h"
#include "keys/manager.h"

#define FRONT "\"delivery_mode\":\"foreground\""
/* More steps than any action writes records. */
#define MOST_STEPS 64

/* Two windows of the user: the one that the user works in lies over everything. */
struct place {
	xcb_window_t front, between;
	struct lab_user before;
};

static void take_place(struct lab_desk *desk, struct place *place)
{
	place->between = lab_window_open(desk, &(struct lab_window){ .title = "between", .x = 500, .y = 300,
		.width = 300, .height = 200 });
	place->front = lab_window_open(desk, &(struct lab_window){ .title = "the user's", .x = 20, .y = 40,
		.width = 1200, .height = 720 });
	lab_user_works_in(desk, place->front);
	xcb_warp_pointer(desk->x, XCB_NONE, desk->root, 0, 0, 0, 0, 333, 222);
	lab_x_quiet(desk, 150);
	place->before = lab_user_read(desk);
	lab_assert_int(place->before.active, lab_desk_has_wm(desk) ? place->front : place->before.active);
	lab_assert_int(place->before.x, 333);
}

/* The user has everything; the window manager may need a moment to say so. */
static void assert_given_back(struct lab_desk *desk, const struct place *place, const char *what)
{
	gint64 deadline = lab_deadline(5000);
	char *difference;

	do {
		struct lab_user now = lab_user_read(desk);

		difference = lab_user_difference(&place->before, &now);
	} while (difference && lab_left(deadline) > 0);
	if (difference) {
		lab_fail("%s: the user has not everything back: %s", what, difference);
	}
}

/* What the answer says of the user is as true: it was taken, and it was given back. */
static void assert_said(const struct lab_answer *answer, const char *path, bool pointed)
{
	json_t *disturbed = lab_array(answer->structured, "disturbed");
	json_t *restored = lab_array(answer->structured, "restored");
	const char *const taken[] = { "focus", "active_window", "stacking", pointed ? "pointer" : "focus" };

	lab_assert_str(lab_str(answer->structured, "path"), path);
	for (gsize i = 0; i < G_N_ELEMENTS(taken); i++) {
		if (!lab_array_has(disturbed, taken[i]) || !lab_array_has(restored, taken[i])) {
			lab_fail("%s was taken and given back: %s", taken[i], lab_json(answer->structured));
		}
	}
	lab_assert_int(json_array_size(disturbed), json_array_size(restored));
}

static void act(struct scene *scene, const struct place *place, const char *path, const char *tool,
	const char *arguments)
{
	struct lab_answer answer = lab_call_ok(scene->driver, tool, "{\"window_id\":%u," FRONT ",%s}", scene->window,
		arguments);

	assert_given_back(scene->desk, place, tool);
	assert_said(&answer, path, strstr(arguments, "\"x\"") || strstr(arguments, "\"from_x\""));
}

static void assert_has(struct scene *scene, const char *content)
{
	if (!scene_has(scene, content)) {
		lab_fail("%s: it did not land", scene->target->name);
	}
}

/* Text with a click before it, a key and a shortcut. */
static void keys(struct scene *scene, const struct place *place)
{
	bool events = scene->target->events, terminal = scene->harness == NULL, ascii = scene->target->ascii;
	g_autofree char *text = g_strdup_printf("\"x\":%d,\"y\":%d,\"text\":\"%s\"", scene->x, scene->y,
		ascii || events ? "Ab*c" : "Ab*c€Ω😀");

	act(scene, place, "key_events_fg", "type_text", text);
	assert_has(scene, events ? "A b asterisk c" : ascii ? "Ab*c" : "Ab*c€Ω😀");
	act(scene, place, "x11_xtest_fg", "press_key", "\"key\":\"backspace\"");
	assert_has(scene, events ? "A b asterisk c BackSpace" : terminal ? "Ab*c€Ω😀\x7f"
		: ascii ? "Ab*" : "Ab*c€Ω");
	act(scene, place, "x11_xtest_fg", "hotkey", "\"keys\":[\"ctrl\",\"a\"]");
	act(scene, place, "key_events_fg", "type_text", "\"text\":\"Neu\"");
	assert_has(scene, events ? "A b asterisk c BackSpace a N e u" : terminal ? "Ab*c€Ω😀\x7f\x01Neu"
		: ascii ? "NeuAb*" : "Neu");
}

/* A click, by pixel and by element, and twice. */
static void clicks(struct scene *scene, const struct place *place, struct lab_rect at)
{
	struct lab_rect window = lab_x_bounds(scene->desk, scene->window);
	bool canvas = scene->target->events;
	g_autofree char *point = g_strdup_printf("\"x\":%d,\"y\":%d", canvas ? 200 : at.x - window.x + at.width / 2,
		canvas ? 150 : at.y - window.y + at.height / 2);
	const char *label = canvas ? "child" : "counter";
	/* The canvas was clicked once by type_text. */
	int count = canvas ? 1 : 0;
	g_autofree char *once = g_strdup_printf("%d", count + 1), *thrice = g_strdup_printf("%d", count + 3);

	act(scene, place, "x11_pixel_fg", "click", point);
	lab_journal_wait_state(scene->harness, label, once, LANDING);
	act(scene, place, "x11_pixel_fg", "double_click", point);
	lab_journal_wait_state(scene->harness, label, thrice, LANDING);
}

static json_t *event_at(struct scene *scene, guint mark, const char *type)
{
	json_t *line = lab_journal_find(scene->harness, mark, LANDING, "kind", "event", "type", type, NULL);

	if (!line) {
		lab_journal_note(scene->harness, 20);
		lab_fail("no %s came", type);
	}
	return line;
}

/* What only a bare window tells event by event. */
static void gestures(struct scene *scene, const struct place *place)
{
	struct lab_rect window = lab_x_bounds(scene->desk, scene->window);
	guint mark = lab_journal_mark(scene->harness);

	act(scene, place, "x11_pixel_fg", "drag",
		"\"from_x\":120,\"from_y\":130,\"to_x\":260,\"to_y\":230,\"duration_ms\":60,\"steps\":6");
	json_t *down = event_at(scene, mark, "button_press"), *up = event_at(scene, mark, "button_release");
	lab_assert_int(lab_int(down, "x") - window.x, 120);
	lab_assert_int(lab_int(up, "x") - window.x, 260);
	lab_assert_int(lab_int(up, "y") - window.y, 230);

	mark = lab_journal_mark(scene->harness);
	act(scene, place, "x11_pixel_fg", "scroll", "\"x\":200,\"y\":150,\"direction\":\"down\",\"amount\":4");
	lab_assert_int(lab_journal_count(scene->harness, mark, "type", "scroll", "detail", "down", NULL), 4);

	mark = lab_journal_mark(scene->harness);
	act(scene, place, "x11_pixel_fg", "move_cursor", "\"x\":210,\"y\":160");
	event_at(scene, mark, "motion");
	lab_assert_int(lab_journal_count(scene->harness, mark, "type", "button_press", NULL), 0);

	/* A shifted symbol is Shift, the key, and Shift let go. */
	static const char *const order[][2] = { { "key_press", "Shift_L" }, { "key_press", "asterisk" },
		{ "key_release", "asterisk" }, { "key_release", "Shift_L" } };
	mark = lab_journal_mark(scene->harness);
	act(scene, place, "x11_xtest_fg", "press_key", "\"key\":\"*\"");
	lab_assert(lab_journal_find(scene->harness, mark, LANDING, "type", "key_release", "detail", "Shift_L", NULL));
	for (guint i = mark, at = 0; i < scene->harness->lines->len; i++) {
		const char *type = json_string_value(json_object_get(scene->harness->lines->pdata[i], "type"));

		if (type && g_str_has_prefix(type, "key_")) {
			lab_assert(at < G_N_ELEMENTS(order));
			lab_assert_str(type, order[at][0]);
			lab_assert_str(lab_str(scene->harness->lines->pdata[i], "detail"), order[at][1]);
			at++;
		}
	}
}

static void run(struct lab_desk *desk, const char *name)
{
	struct scene scene;
	struct place place;
	struct lab_rect counter = { 0 };

	scene_open(&scene, desk, target_named(name), false);
	if (scene.harness && !scene.target->events) {
		counter = scene.target->blind ? lab_harness_colour(scene.harness, "btn-counter", LANDING)
			: lab_harness_see(scene.harness, NULL, lab_control_label("btn-counter"), LANDING).frame;
	}
	take_place(desk, &place);
	keys(&scene, &place);
	if (scene.harness) {
		clicks(&scene, &place, counter);
	}
	if (scene.target->events) {
		gestures(&scene, &place);
	}
	scene_close(&scene);
}

/* --- Refusals ---------------------------------------------------------------------------------------- */

/* Nothing reached the application, and the user has everything. */
static void refused(struct scene *scene, const struct place *place, const char *code, const char *tool,
	const char *arguments)
{
	guint mark = lab_journal_mark(scene->harness);
	struct lab_answer answer = lab_call_refused(scene->driver, code, tool, "{\"window_id\":%u," FRONT ",%s}",
		scene->window, arguments);

	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	assert_given_back(scene->desk, place, tool);
	lab_assert_int(lab_journal_count(scene->harness, mark, "type", "key_press", NULL), 0);
	lab_assert_int(lab_journal_count(scene->harness, mark, "type", "button_press", NULL), 0);
	lab_assert_int(lab_journal_count(scene->harness, mark, "kind", "state", NULL), 0);
}

static void refuse_all(struct scene *scene, const struct place *place)
{
	refused(scene, place, "foreground_unavailable", "press_key", "\"key\":\"k\"");
	refused(scene, place, "foreground_unavailable", "type_text", "\"text\":\"lost\"");
	refused(scene, place, "foreground_unavailable", "click", "\"x\":100,\"y\":100");
}

static bool is_kwin_6(struct lab_desk *desk)
{
	if (!g_str_has_suffix(desk->name, "kwin_x11")) {
		return false;
	}
	struct lab_run run = lab_run(desk->env, LAB_ARGV("kwin_x11", "--version"), NULL, 20000);
	const char *version = strstr(run.out, "kwin ");

	lab_assert(version);
	return g_ascii_strtoll(version + strlen("kwin "), NULL, 10) >= 6;
}

/*
 * While a modal dialog is open these window managers give the keyboard to that, whoever asks for
 * its parent. Openbox, xfwm4 and KWin 6 let it have the keyboard that takes it; then the key is
 * sent, and the user's place given back.
 */
static void behind_a_dialog(struct lab_desk *desk)
{
	struct scene scene;
	struct place place;

	scene_open(&scene, desk, target_named("gtk3"), false);
	json_t *state = lab_call_ok(scene.driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		scene.window).structured;
	lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", scene.window,
		(long long)lab_int(lab_element(state, NULL, lab_control_label("btn-modal")), "element_index"));
	lab_journal_wait_state(scene.harness, "modal", "open", LANDING);
	lab_x_titled(desk, "Modal dialog", LANDING);
	take_place(desk, &place);
	if (is_kwin_6(desk)) {
		act(&scene, &place, "x11_xtest_fg", "press_key", "\"key\":\"k\"");
	} else {
		refuse_all(&scene, &place);
	}
	scene_close(&scene);
}

static void stubborn(struct lab_desk *desk)
{
	struct scene scene;
	struct place place;

	scene_open(&scene, desk, target_named("canvas"), false);
	take_place(desk, &place);
	const uint32_t windows[] = { scene.window, place.between, place.front };
	manager_start(desk, windows, G_N_ELEMENTS(windows), place.front);
	place.before = lab_user_read(desk);
	lab_assert_int(place.before.active, place.front);
	refuse_all(&scene, &place);
	lab_driver_stop(scene.driver);
}

/* --- The user, menus, and the end of the driver ------------------------------------------------------ */

static void user_first(struct lab_desk *desk)
{
	struct scene scene;
	struct place place;

	scene_open(&scene, desk, target_named("canvas"), false);
	take_place(desk, &place);
	lab_assert_int(lab_run(desk->env, LAB_ARGV("xdotool", "keydown", "shift"), NULL, LANDING).code, 0);
	refused(&scene, &place, "user_active", "press_key", "\"key\":\"k\"");
	refused(&scene, &place, "user_active", "click", "\"x\":100,\"y\":100");
	lab_assert_int(lab_run(desk->env, LAB_ARGV("xdotool", "keyup", "shift"), NULL, LANDING).code, 0);
	act(&scene, &place, "x11_xtest_fg", "press_key", "\"key\":\"k\"");
	assert_has(&scene, "k");
	scene_close(&scene);
}

/* Where the user is already nothing is activated, and nothing given back. */
static void already_there(struct lab_desk *desk)
{
	struct scene scene;

	scene_open(&scene, desk, target_named("canvas"), false);
	lab_user_works_in(desk, scene.window);
	struct lab_user before = lab_user_read(desk);
	guint mark = lab_journal_mark(scene.harness);
	struct lab_answer answer = lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u," FRONT ",\"key\":\"k\"}",
		scene.window);
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
	lab_assert_int(json_array_size(lab_array(answer.structured, "disturbed")), 0);
	assert_has(&scene, "k");
	/* Grabs of the lab itself are told as such. */
	for (guint i = mark; i < scene.harness->lines->len; i++) {
		json_t *line = scene.harness->lines->pdata[i];
		const char *type = json_string_value(json_object_get(line, "type"));

		lab_assert(g_strcmp0(type, "focus_out") != 0 || json_is_string(json_object_get(line, "detail")));
	}
	scene_close(&scene);
}

/*
 * A window manager that does something else for longer than one may take to activate a window: openbox does at changes of
 * the keyboard's map. Until it has come to it the keyboard stays the user's.
 */
static void busy_manager(struct lab_desk *desk)
{
	enum { AWAY_MS = 4000 };
	struct scene scene;
	struct place place;

	scene_open(&scene, desk, target_named("canvas"), false);
	take_place(desk, &place);
	g_autoptr(GArray) check = lab_x_list(desk, desk->root, "_NET_SUPPORTING_WM_CHECK");
	struct lab_app manager = { .pid = lab_x_pid(desk, g_array_index(check, xcb_window_t, 0)) };
	lab_app_stop(desk, &manager);
	int id = lab_send_call(scene.driver, "press_key", "{\"window_id\":%u," FRONT ",\"key\":\"k\"}", scene.window);
	for (gint64 until = lab_deadline(AWAY_MS); lab_left(until) > 0;) {
		struct lab_user now = lab_user_read(desk);
		lab_assert(!lab_has_answer(scene.driver, id, 50));
		lab_user_assert_same(&place.before, &now);
	}
	kill(manager.pid, SIGCONT);
	struct lab_answer answer = lab_answer_of(scene.driver, lab_wait_id(scene.driver, id, LANDING));
	if (answer.is_error) {
		lab_fail("the key was not pressed: %s", lab_json(answer.structured));
	}
	assert_has(&scene, "k");
	assert_given_back(desk, &place, "after the manager was away");

	/* Who is cancelled meanwhile waits no longer: the next call has its turn, and its key alone is pressed. */
	lab_app_stop(desk, &manager);
	id = lab_send_call(scene.driver, "press_key", "{\"window_id\":%u," FRONT ",\"key\":\"x\"}", scene.window);
	lab_assert(!lab_has_answer(scene.driver, id, 500));
	lab_notify(scene.driver, "notifications/cancelled", "{\"requestId\":%d}", id);
	int next = lab_send_call(scene.driver, "press_key", "{\"window_id\":%u," FRONT ",\"key\":\"m\"}", scene.window);
	lab_assert(!lab_has_answer(scene.driver, next, 500));
	kill(manager.pid, SIGCONT);
	lab_assert(!lab_answer_of(scene.driver, lab_wait_id(scene.driver, next, LANDING)).is_error);
	assert_has(&scene, "k m");
	assert_given_back(desk, &place, "after a call was cancelled");
	scene_close(&scene);
}

/* A menu that the action opened stays open, and what is the user's waits until it is closed. */
static void menu_waits(struct lab_desk *desk)
{
	struct scene scene;
	struct place place;

	scene_open(&scene, desk, target_named("gtk3"), false);
	struct lab_rect at = lab_harness_see(scene.harness, NULL, lab_control_label("btn-context"), LANDING).frame;
	struct lab_rect window = lab_x_bounds(desk, scene.window);
	take_place(desk, &place);
	struct lab_answer answer = lab_call_ok(scene.driver, "right_click", "{\"window_id\":%u," FRONT
		",\"x\":%d,\"y\":%d}", scene.window, at.x - window.x + at.width / 2, at.y - window.y + at.height / 2);
	lab_assert(lab_bool(answer.structured, "restore_waits_for_menu"));
	lab_harness_see(scene.harness, NULL, "Rename", LANDING);
	/* The first entry of it, by keys. */
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u," FRONT ",\"key\":\"down\"}", scene.window);
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u," FRONT ",\"key\":\"return\"}", scene.window);
	lab_journal_wait_state(scene.harness, "menu_action", "Rename", LANDING);
	assert_given_back(desk, &place, "after the menu");
	scene_close(&scene);
}

/* Dies at that step of its log, or does not get so far: true if it died. */
static bool die_at(struct scene *scene, int step, const char *tool, const char *arguments)
{
	struct lab_desk mortal = *scene->desk;
	char number[16];

	g_snprintf(number, sizeof number, "%d", step);
	mortal.env = g_environ_setenv(g_strdupv(scene->desk->env), "CUA_DRIVER_TEST_DIE_AT", number, TRUE);
	struct lab_driver *driver = lab_driver_start(&mortal);
	lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", scene->window);
	int id = lab_send_call(driver, tool, "{\"window_id\":%u," FRONT ",%s}", scene->window, arguments);
	if (lab_has_answer(driver, id, LANDING)) {
		lab_driver_eof(driver);
	}
	int code = lab_reap(lab_driver_pid(driver), LANDING);
	lab_assert(code == 0 || code == 128 + SIGKILL);
	lab_driver_forget(driver);
	return code == 128 + SIGKILL;
}

static void killed(struct lab_desk *desk)
{
	static const char *const deeds[][2] = {
		{ "click", "\"x\":100,\"y\":100,\"modifier\":[\"shift\"]" }, { "type_text", "\"text\":\"A日\"" },
	};
	struct scene scene;
	struct place place;

	scene_open(&scene, desk, target_named("canvas"), false);
	lab_driver_stop(scene.driver);
	take_place(desk, &place);
	char *before = lab_traces_read(desk);
	for (gsize i = 0; i < G_N_ELEMENTS(deeds); i++) {
		int step = 1;

		while (die_at(&scene, step, deeds[i][0], deeds[i][1])) {
			assert_given_back(desk, &place, "killed");
			lab_traces_until(desk, before, "killed: the display is as before");
			lab_assert(++step < MOST_STEPS);
		}
		lab_note("%s: %d steps", deeds[i][0], step - 1);
		lab_assert(step > 2);
	}
}

#define TARGET(name) static void front_##name(struct lab_desk *desk) { run(desk, #name); }
TARGET(gtk3)
TARGET(gtk4)
TARGET(qt5)
TARGET(web)
TARGET(terminal)
TARGET(xaw)
TARGET(canvas)

#define FRONT_TEST(target, managers) { .name = #target, .run = front_##target, .servers = LAB_XVFB, .wms = managers, \
	.timeout = 180, .about = "Text, keys and clicks in " #target ": landed, and the user has everything back." }

static struct lab_test tests[] = {
	FRONT_TEST(canvas, "*"),
	FRONT_TEST(gtk3, "xfwm4"),
	FRONT_TEST(gtk4, "mutter"),
	FRONT_TEST(qt5, "kwin_x11"),
	FRONT_TEST(web, "openbox"),
	FRONT_TEST(terminal, "metacity"),
	FRONT_TEST(xaw, "openbox"),
	{ .name = "behind_a_dialog", .run = behind_a_dialog, .servers = LAB_XVFB, .wms = "metacity mutter kwin_x11",
	  .timeout = 120, .about = "A window manager that activates the dialog instead: refused, and nothing sent." },
	{ .name = "stubborn", .run = stubborn, .servers = LAB_XVFB, .wms = "none", .timeout = 120,
	  .about = "A window manager that activates nothing: refused, and nothing sent." },
	{ .name = "user_first", .run = user_first, .servers = LAB_XVFB, .wms = "openbox", .needs = "xdotool", .timeout = 120,
	  .about = "While the user holds a key nothing is done in the foreground." },
	{ .name = "already_there", .run = already_there, .servers = LAB_XVFB, .wms = "openbox kwin_x11", .timeout = 120,
	  .about = "In the user's own window nothing is activated." },
	{ .name = "busy_manager", .run = busy_manager, .servers = LAB_XVFB, .wms = "openbox kwin_x11", .timeout = 120,
	  .about = "A window manager that is away for four seconds activates the window when it is back." },
	{ .name = "menu_waits", .run = menu_waits, .servers = LAB_XVFB, .wms = "openbox metacity", .timeout = 120,
	  .about = "The user's place is given back when the menu is closed." },
	{ .name = "killed", .run = killed, .servers = LAB_XVFB, .wms = "openbox", .timeout = 400,
	  .about = "SIGKILL at every record of the undo log: the guardian puts the user back." },
	{ 0 }
};

int main(int argc, char **argv)
{
	for (struct lab_test *test = tests; test->name && g_getenv("LAB_FULL"); test++) {
		if (g_str_has_prefix(test->about, "Text, keys")) {
			test->wms = "*";
			test->servers = LAB_BOTH;
		}
	}
	return lab_main(argc, argv, tests);
}
