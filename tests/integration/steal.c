/* SPDX-License-Identifier: MIT */
/*
 * Windows that come to the front in answer to an action, while the user types in another one: of
 * another process or of the user's own, of one that was acted on or of one that was only told. Each
 * key of the user's arrives where the user works, by that window's own word, and nowhere else, by
 * the word of the others; and the user is there afterwards. What the user chose stays chosen.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xtest.h>

#include "lab/oracle.h"

/* Of the user's fingers. */
enum { KEY_MS = 30 };

/* --- A user who types into whatever has the keyboard ---------------------------------------- */

struct typist {
	xcb_connection_t *x;
	GThread *thread;
	xcb_keycode_t codes[26];
	gint stop, typed;
};

static void strike(xcb_connection_t *x, xcb_keycode_t code)
{
	xcb_test_fake_input(x, XCB_KEY_PRESS, code, 0, XCB_NONE, 0, 0, 0);
	xcb_test_fake_input(x, XCB_KEY_RELEASE, code, 0, XCB_NONE, 0, 0, 0);
	xcb_flush(x);
}

static gpointer type_on(gpointer data)
{
	struct typist *typist = data;

	while (!g_atomic_int_get(&typist->stop)) {
		strike(typist->x, typist->codes[g_atomic_int_add(&typist->typed, 1) % 26]);
		poll(NULL, 0, KEY_MS);
	}
	return NULL;
}

static xcb_keycode_t code_of(xcb_connection_t *x, xcb_keysym_t symbol)
{
	const xcb_setup_t *setup = xcb_get_setup(x);
	int count = setup->max_keycode - setup->min_keycode + 1;
	g_autofree xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(x,
		xcb_get_keyboard_mapping(x, setup->min_keycode, (uint8_t)count), NULL);
	const xcb_keysym_t *symbols = xcb_get_keyboard_mapping_keysyms(map);

	for (int i = 0; i < count; i++) {
		if (symbols[i * map->keysyms_per_keycode] == symbol) {
			return (xcb_keycode_t)(setup->min_keycode + i);
		}
	}
	lab_fail("no key has the symbol 0x%x", symbol);
}

static struct typist *typist_new(struct lab_desk *desk)
{
	struct typist *typist = g_new0(struct typist, 1);

	typist->x = xcb_connect(desk->display, NULL);
	for (int i = 0; i < 26; i++) {
		typist->codes[i] = code_of(typist->x, (xcb_keysym_t)('a' + i));
	}
	return typist;
}

static void typist_start(struct typist *typist)
{
	typist->stop = 0;
	typist->thread = g_thread_new("typist", type_on, typist);
}

static int typist_stop(struct typist *typist)
{
	g_atomic_int_set(&typist->stop, 1);
	g_thread_join(typist->thread);
	free(xcb_get_input_focus_reply(typist->x, xcb_get_input_focus(typist->x), NULL));
	return typist->typed;
}

/* --- What is asked again and again ---------------------------------------------------------- */

static long long element(struct lab_driver *driver, xcb_window_t window, const char *label)
{
	json_t *state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", window)
				.structured;

	return lab_int(lab_element(state, NULL, label), "element_index");
}

static struct lab_answer press(struct lab_driver *driver, xcb_window_t window, long long index)
{
	return lab_call_ok(
		driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", window, index);
}

static bool is_active(struct lab_desk *desk, void *window)
{
	return lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) == *(xcb_window_t *)window;
}

/* Whether the answer, or the one to a harmless action after it, says that the focus was taken. */
static void must_be_said(
	struct lab_driver *driver, xcb_window_t window, const struct lab_answer *answer)
{
	json_t *told = json_object_get(
		lab_call_ok(driver, "get_session", "{}").structured, "disturbed_late");

	if (!lab_array_has(lab_array(answer->structured, "disturbed"), "focus")
		&& json_array_size(told) == 0) {
		lab_fail("nothing says that 0x%x took the focus: %s", window,
			lab_json(answer->structured));
	}
}

/* All that was typed has come to the user's window, and nothing to another. */
static void all_arrived(struct lab_verdict verdict, const char *what)
{
	if (verdict.received != verdict.typed || verdict.foreign > 0) {
		lab_fail("%s: %s", what, verdict.text);
	}
}

static void none_strayed(struct lab_harness *presenter, guint mark)
{
	int strays = lab_journal_count(presenter, mark, "kind", "event", "type", "key_press", NULL);

	if (strays > 0) {
		lab_journal_note(presenter, 20);
		lab_fail("%d of the user's keys came to the windows that took the focus", strays);
	}
}

static pid_t manager_of(struct lab_desk *desk)
{
	return lab_x_pid(desk, lab_x_number(desk, desk->root, "_NET_SUPPORTING_WM_CHECK", 0));
}

/* --- Another process ------------------------------------------------------------------------ */

/* Dialogs that present themselves, again and again, while the user types. */
static void dialogs(struct lab_desk *desk)
{
	const char *wanted = g_getenv("STEAL_DIALOGS"), *rows = g_getenv("STEAL_ROWS");
	int count = wanted ? atoi(wanted) : 10, taken = 0, said = 0, lost = 0;
	struct lab_harness *presenter = lab_harness_start(desk, "presenter", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t users = lab_sentinel_window(sentinel);
	long long button = element(driver, presenter->window, "Dialog");
	pid_t manager = manager_of(desk);

	lab_sentinel_start(sentinel);
	guint mark = lab_journal_mark(presenter);
	for (int i = 1; i <= count; i++) {
		g_autofree char *number = g_strdup_printf("%d", i);
		struct lab_answer answer = press(driver, presenter->window, button);
		if (!lab_journal_find(presenter, mark, 10000, "kind", "state", "label", "dialogs",
			    "value", number, NULL)) {
			lab_fail("dialog %d did not come and go", i);
		}
		said += lab_array_has(lab_array(answer.structured, "disturbed"), "focus");
		lost += (int)json_integer_value(json_object_get(answer.structured, "keys_lost"));
		lost += (int)json_integer_value(
			json_object_get(answer.structured, "keys_lost_late"));
	}
	lab_sentinel_types(sentinel, 8);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	for (int i = 1; i <= count; i++) {
		g_autofree char *title = g_strdup_printf("Dialog %d", i);
		taken += lab_journal_count(presenter, mark, "kind", "event", "type", "focus_in",
				 "control", title, NULL)
			> 0;
	}
	int strays = lab_journal_count(presenter, mark, "kind", "event", "type", "key_press", NULL);
	g_autofree char *row = g_strdup_printf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", desk->name,
		count, taken, said, verdict.typed, verdict.typed - verdict.received, strays, lost,
		manager_of(desk) == manager ? "same" : "ANOTHER");
	lab_note("desk, dialogs, focus taken, said at once, keys, lost, strayed, said lost, window "
		 "manager: %s",
		row);
	if (rows) {
		g_autofree char *path = g_strdelimit(g_strdup(desk->name), "/", '-');
		g_autofree char *file = g_build_filename(rows, path, NULL);
		lab_assert(g_file_set_contents(file, row, -1, NULL));
	}
	lab_assert_int(manager_of(desk), manager);
	all_arrived(verdict, "dialogs");
	none_strayed(presenter, mark);
	/* Where no dialog ever got the focus nothing was shown. */
	lab_assert(taken > 0 || g_str_equal(desk->wm, "kwin"));
	lab_x_until(desk, is_active, &users, 10000, "the user to be where the user was");
}

/* A window that was there and presents itself, at once and after the answer. */
static void presented(struct lab_desk *desk)
{
	static const char *const buttons[] = { "Present", "Present later", "Second window" };
	struct lab_harness *presenter = lab_harness_start(desk, "presenter", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t users = lab_sentinel_window(sentinel);

	for (gsize i = 0; i < G_N_ELEMENTS(buttons); i++) {
		long long button = element(driver, presenter->window, buttons[i]);
		lab_sentinel_start(sentinel);
		guint mark = lab_journal_mark(presenter);
		struct lab_answer answer = press(driver, presenter->window, button);
		lab_sentinel_types(sentinel, 30);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		all_arrived(verdict, buttons[i]);
		none_strayed(presenter, mark);
		lab_x_until(desk, is_active, &users, 10000, "the user to be where the user was");
		if (verdict.focus_lost > 0) {
			must_be_said(driver, presenter->window, &answer);
		}
	}
}

/* --- The user's own process ----------------------------------------------------------------- */

struct office {
	struct lab_harness *presenter;
	struct lab_driver *driver;
	struct typist *typist;
	xcb_window_t home;
};

static struct office office_open(struct lab_desk *desk)
{
	struct office office = { .presenter = lab_harness_start(
					 desk, "presenter", LAB_ARGV("--home")) };

	office.home = lab_x_titled(desk, "Home", 10000);
	office.driver = lab_driver_start(desk);
	office.typist = typist_new(desk);
	lab_user_works_in(desk, office.home);
	return office;
}

static int keys_in(struct lab_harness *presenter, guint mark, const char *title)
{
	return lab_journal_count(
		presenter, mark, "kind", "event", "type", "key_press", "control", title, NULL);
}

/* Every key the user typed is in Home, in order. */
static void home_has(struct lab_harness *presenter, guint mark, int typed, const char *what)
{
	gint64 deadline = lab_deadline(5000);
	int next = 0;

	while (keys_in(presenter, mark, "Home") < typed && lab_left(deadline) > 0) {
		poll(NULL, 0, 20);
	}
	int all = lab_journal_count(presenter, mark, "kind", "event", "type", "key_press", NULL);
	int home = keys_in(presenter, mark, "Home");
	if (home != typed || all != typed) {
		lab_journal_note(presenter, 40);
		lab_fail("%s: of %d keys %d came to the user's window and %d to others", what,
			typed, home, all - home);
	}
	for (guint i = mark; i < presenter->lines->len; i++) {
		json_t *line = g_ptr_array_index(presenter->lines, i);
		if (g_strcmp0(json_string_value(json_object_get(line, "type")), "key_press") == 0) {
			lab_assert_int(*lab_str(line, "detail"), 'a' + next++ % 26);
		}
	}
}

static void sibling(struct lab_desk *desk)
{
	static const char *const buttons[] = { "Present", "Present later", "Second window",
		"Dialog", "Present" };
	struct office office = office_open(desk);

	for (gsize i = 0; i < G_N_ELEMENTS(buttons); i++) {
		long long button = element(office.driver, office.presenter->window, buttons[i]);
		guint mark = lab_journal_mark(office.presenter);
		office.typist->typed = 0;
		typist_start(office.typist);
		poll(NULL, 0, 100);
		struct lab_answer answer = press(office.driver, office.presenter->window, button);
		poll(NULL, 0, 900);
		int typed = typist_stop(office.typist);
		home_has(office.presenter, mark, typed, buttons[i]);
		lab_x_until(
			desk, is_active, &office.home, 10000, "the user to be where the user was");
		if (lab_journal_count(office.presenter, mark, "kind", "event", "type", "focus_out",
			    "control", "Home", NULL)) {
			must_be_said(office.driver, office.presenter->window, &answer);
		}
	}
}

/* A chord on the user's keyboard. */
static void chord(struct office *office, xcb_keysym_t modifier, xcb_keysym_t key)
{
	xcb_connection_t *x = office->typist->x;
	xcb_keycode_t held = modifier ? code_of(x, modifier) : 0;

	if (held) {
		xcb_test_fake_input(x, XCB_KEY_PRESS, held, 0, XCB_NONE, 0, 0, 0);
	}
	strike(x, code_of(x, key));
	if (held) {
		xcb_test_fake_input(x, XCB_KEY_RELEASE, held, 0, XCB_NONE, 0, 0, 0);
	}
	free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), NULL));
}

/* What the user opens, while an action on another window is under guard, is the user's and stays.
 */
static void chosen(struct lab_desk *desk)
{
	enum { CONTROL = 0xffe3, RETURN = 0xff0d };
	struct office office = office_open(desk);
	long long button = element(office.driver, office.presenter->window, "Drag me");

	press(office.driver, office.presenter->window, button);
	guint mark = lab_journal_mark(office.presenter);
	chord(&office, CONTROL, 'o');
	xcb_window_t dialog = lab_x_titled(desk, "Dialog 1", 10000);
	lab_x_until(desk, is_active, &dialog, 10000, "the user's dialog to be active");
	strike(office.typist->x, code_of(office.typist->x, 'x'));
	if (!lab_journal_find(office.presenter, mark, 5000, "type", "key_press", "control",
		    "Dialog 1", NULL)) {
		lab_journal_note(office.presenter, 20);
		lab_fail("the user's key did not come to the user's dialog");
	}
	lab_x_until(desk, is_active, &office.home, 10000, "the user to be back after the dialog");
	press(office.driver, office.presenter->window, button);
	chord(&office, 0, RETURN);
	xcb_window_t window = lab_x_titled(desk, "Window 1", 10000);
	lab_x_until(desk, is_active, &window, 10000, "the user's new window to be active");
	lab_x_quiet(desk, 300);
	lab_assert(is_active(desk, &window));
	/* A click goes wherever the user wants. */
	xcb_connection_t *x = office.typist->x;
	struct lab_rect at = lab_x_bounds(desk, office.presenter->window);
	press(office.driver, office.presenter->window, button);
	xcb_test_fake_input(x, XCB_MOTION_NOTIFY, 0, 0, desk->root, (int16_t)(at.x + at.width - 4),
		(int16_t)(at.y + at.height - 4), 0);
	xcb_test_fake_input(x, XCB_BUTTON_PRESS, 1, 0, XCB_NONE, 0, 0, 0);
	xcb_test_fake_input(x, XCB_BUTTON_RELEASE, 1, 0, XCB_NONE, 0, 0, 0);
	xcb_flush(x);
	lab_x_until(desk, is_active, &office.presenter->window, 10000,
		"the window that the user clicked to be active");
	strike(x, code_of(x, 'y'));
	lab_x_quiet(desk, 300);
	lab_assert(is_active(desk, &office.presenter->window));
	lab_assert_int(lab_journal_count(office.presenter, mark, "type", "key_press", "control",
			       "Harness presenter", "detail", "y", NULL),
		1);
}

/* --- Processes that nobody acted on --------------------------------------------------------- */

/* What is dropped on another application makes that one present itself. */
static void dropped(struct lab_desk *desk)
{
	struct lab_harness *source = lab_harness_start(desk, "presenter", NULL);
	struct lab_harness *target = lab_harness_start(
		desk, "presenter", LAB_ARGV("--title-suffix", "target"));
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, "300x120+700+500");
	xcb_window_t users = lab_sentinel_window(sentinel);
	json_t *from, *to;

	lab_call_ok(
		driver, "set_window_frame", "{\"window_id\":%u,\"x\":20,\"y\":40}", source->window);
	lab_call_ok(driver, "set_window_frame", "{\"window_id\":%u,\"x\":420,\"y\":40}",
		target->window);
	from = lab_element(
		lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", source->window)
			.structured,
		NULL, "Drag me");
	to = lab_element(
		lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", target->window)
			.structured,
		NULL, "Drop here");
	lab_sentinel_start(sentinel);
	guint marks[] = { lab_journal_mark(source), lab_journal_mark(target) };
	struct lab_answer answer = lab_call(driver, "drag",
		"{\"window_id\":%u,\"to_window_id\":%u,\"from_x\":%lld,"
		"\"from_y\":%lld,\"to_x\":%lld,\"to_y\":%lld,\"steps\":6}",
		source->window, target->window, (long long)lab_int(from, "at/x"),
		(long long)lab_int(from, "at/y"), (long long)lab_int(to, "at/x"),
		(long long)lab_int(to, "at/y"));
	json_t *line = lab_journal_find(
		target, marks[1], 5000, "kind", "state", "label", "dropped", NULL);
	lab_sentinel_types(sentinel, 20);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!line) {
		lab_fail("nothing was dropped: %s", lab_json(answer.structured));
	}
	all_arrived(verdict, "a drop");
	none_strayed(source, marks[0]);
	none_strayed(target, marks[1]);
	lab_x_until(desk, is_active, &users, 10000, "the user to be where the user was");
	if (verdict.focus_lost > 0) {
		must_be_said(driver, target->window, &answer);
	}
}

/* The bus of the desk, on which single instances find each other. */
static void handed_over(struct lab_desk *desk)
{
	char *first = lab_file(desk, "first.txt", ""), *second = lab_file(desk, "second.txt", "");
	struct lab_place *place = lab_place_new(desk);
	lab_place_bus(place, false);
	struct lab_desk with_bus = *desk;
	with_bus.env = place->env;
	lab_app_start_titled(&with_bus, LAB_ARGV("mousepad", first), "first.txt");
	struct lab_driver *driver = lab_driver_start(&with_bus);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t users = lab_sentinel_window(sentinel);

	lab_sentinel_start(sentinel);
	struct lab_answer answer = lab_call_ok(driver, "launch_app",
		"{\"name\":\"mousepad\",\"arguments\":[%s]}", lab_quote(second));
	lab_sentinel_types(sentinel, 40);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	all_arrived(verdict, "a launch that a running instance was handed");
	lab_x_until(desk, is_active, &users, 10000, "the user to be where the user was");
	lab_note("%s; %s", lab_json(answer.structured), verdict.text);
	if (verdict.focus_lost > 0) {
		must_be_said(driver, users, &answer);
	}
}

/*
 * An office suite that runs is told to open another document, by a program that only passes that
 * on, in the process that the user works in; and shows its start centre.
 */
static void office_handed_over(struct lab_desk *desk)
{
	static const char *const modules[] = { "--writer", "--impress", "" };
	char *profile = g_strdup_printf(
		"-env:UserInstallation=file://%s.d", lab_file(desk, "office", ""));
	struct lab_app app = lab_app_start_titled(desk,
		LAB_ARGV("soffice", profile, "--norestore", "--nologo", "--nofirststartwizard",
			"--calc"),
		"LibreOffice Calc");
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t users = lab_sentinel_window(sentinel);

	lab_assert(app.window != XCB_NONE);
	for (gsize i = 0; i < G_N_ELEMENTS(modules); i++) {
		lab_sentinel_start(sentinel);
		struct lab_answer answer = lab_call_ok(driver, "launch_app",
			"{\"name\":\"soffice\",\"arguments\":[%s,"
			"\"--nologo\",\"--norestore\"%s%s%s]}",
			lab_quote(profile), *modules[i] ? ",\"" : "", modules[i],
			*modules[i] ? "\"" : "");
		lab_sentinel_types(sentinel, 160);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		lab_note("%s: %s; %s", modules[i], lab_json(answer.structured), verdict.text);
		all_arrived(verdict, modules[i]);
		lab_x_until(desk, is_active, &users, 10000, "the user to be where the user was");
		if (verdict.focus_lost > 0) {
			must_be_said(driver, users, &answer);
		}
	}
}

/* --- A browser ------------------------------------------------------------------------------ */

/* A page whose title says what was typed into it, and which takes all of it. */
static char *page(struct lab_desk *desk, const char *name)
{
	g_autofree char *text = g_strdup_printf(
		"<!DOCTYPE html><title>%s:</title><textarea id=a autofocus rows=5 cols=60 "
		"aria-label=\"Field %s\"></textarea>"
		"<p><button onclick=\"window.focus()\">Press %s</button><button "
		"onclick=\"alert('hello')\">Alert %s</button>"
		"<script>a.focus();a.oninput=()=>document.title='%s:'+a.value</script>",
		name, name, name, name, name);
	g_autofree char *file = g_strconcat(name, ".html", NULL);

	return lab_file(desk, file, text);
}

struct shown {
	xcb_window_t window;
	char *begins;
};

static bool shows(struct lab_desk *desk, void *data)
{
	const struct shown *shown = data;
	g_autofree char *title = lab_x_title(desk, shown->window);

	return title && g_str_has_prefix(title, shown->begins);
}

/* The user works in one window of a browser, the driver in another one of the same process. */
static void browser(struct lab_desk *desk)
{
	char *pages[] = { page(desk, "mine"), page(desk, "theirs") };
	char *profile = g_strdup_printf("--user-data-dir=%s.d", pages[0]);
	struct typist *typist = typist_new(desk);
	struct lab_app app = lab_app_start_titled(desk,
		LAB_ARGV("chromium", "--no-sandbox", "--no-first-run", profile,
			"--force-renderer-accessibility", "--window-size=600,400",
			"--window-position=20,20", pages[1]),
		"theirs:");
	lab_spawn(&(struct lab_spawn){ .env = desk->env,
		.argv = LAB_ARGV("chromium", "--no-sandbox", profile, "--new-window", pages[0]) });
	xcb_window_t mine = lab_x_titled(desk, "mine:", 40000);
	lab_assert_int(lab_x_pid(desk, mine), app.pid);
	struct lab_driver *driver = lab_driver_start(desk);
	static const struct {
		const char *role, *label, *tool, *rest;
	} deeds[] = {
		{ NULL, "Press theirs", "click", "" },
		{ "entry", "Field theirs", "click", "" },
		{ "entry", "Field theirs", "press_key", ",\"key\":\"Home\"" },
		{ "entry", "Field theirs", "type_text", ",\"text\":\"0123456789\"" },
		{ NULL, "Alert theirs", "click", "" },
	};
	GString *typed = g_string_new("mine:");

	for (gsize i = 0; i < G_N_ELEMENTS(deeds); i++) {
		gint64 patience = lab_deadline(40000);
		json_t *state = NULL;
		while (!state || !strstr(lab_str(state, "tree_markdown"), deeds[i].label)) {
			lab_assert(lab_left(patience) > 0);
			state = lab_call_ok(driver, "get_window_state",
				"{\"window_id\":%u,\"include_screenshot\":false}", app.window)
					.structured;
		}
		long long index = lab_int(
			lab_element(state, deeds[i].role, deeds[i].label), "element_index");
		lab_user_works_in(desk, mine);
		typist->typed = 0;
		typist_start(typist);
		poll(NULL, 0, 200);
		struct lab_answer answer = lab_call(driver, deeds[i].tool,
			"{\"window_id\":%u,\"element_index\":%lld%s}", app.window, index,
			deeds[i].rest);
		poll(NULL, 0, 1200);
		int count = typist_stop(typist);
		for (int k = 0; k < count; k++) {
			g_string_append_c(typed, (char)('a' + k % 26));
		}
		lab_note("%s %s: %d keys, %s, disturbed %s", deeds[i].tool, deeds[i].label, count,
			answer.is_error ? answer.code : "done",
			lab_json(lab_array(answer.structured, "disturbed")));
		struct shown wanted = { mine, typed->str };
		lab_x_until(
			desk, shows, &wanted, 10000, "all that was typed to be in the user's page");
		lab_x_until(desk, is_active, &mine, 10000, "the user to be where the user was");
	}
	g_autofree char *title = lab_x_title(desk, app.window);
	lab_note("the other page: %s", title);
	lab_assert(g_strrstr(title, "abc") == NULL);
}

/* The user types in a browser, which hears one keyboard only, while the session's own pointer opens
 * dialogs elsewhere. */
static void deaf(struct lab_desk *desk)
{
	char *mine = page(desk, "mine");
	char *profile = g_strdup_printf("--user-data-dir=%s.d", mine);
	struct typist *typist = typist_new(desk);
	struct lab_harness *presenter = lab_harness_start(desk, "presenter", NULL);
	struct lab_app app = lab_app_start_titled(desk,
		LAB_ARGV("chromium", "--no-sandbox", "--no-first-run", profile,
			"--window-size=600,400", "--window-position=500,20", mine),
		"mine:");
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *button = lab_element(lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}",
		presenter->window).structured, NULL, "Dialog");
	GString *typed = g_string_new("mine:");
	int dialogs = 0;

	lab_user_works_in(desk, app.window);
	guint mark = lab_journal_mark(presenter);
	typist_start(typist);
	for (int i = 0; i < 12; i++) {
		struct lab_answer answer = lab_call(driver, "click",
			"{\"window_id\":%u,\"x\":%lld,\"y\":%lld}", presenter->window,
			(long long)lab_int(button, "at/x"), (long long)lab_int(button, "at/y"));
		dialogs += !answer.is_error;
		poll(NULL, 0, 400);
	}
	int count = typist_stop(typist);
	for (int k = 0; k < count; k++) {
		g_string_append_c(typed, (char)('a' + k % 26));
	}
	lab_note("%d clicks, %d keys", dialogs, count);
	none_strayed(presenter, mark);
	struct shown wanted = { app.window, typed->str };
	lab_x_until(desk, shows, &wanted, 10000, "all that was typed to be in the user's page");
}

/* --- A driver that is gone, or stands still ------------------------------------------------- */

/* When the keys that came since then arrived, in whichever window. */
static GArray *arrivals(struct lab_harness *const *journals, gint64 since)
{
	GArray *times = g_array_new(FALSE, FALSE, sizeof(gint64));

	for (int i = 0; journals[i]; i++) {
		lab_journal_mark(journals[i]);
		for (guint k = 0; k < journals[i]->lines->len; k++) {
			json_t *line = g_ptr_array_index(journals[i]->lines, k);
			gint64 at = lab_int(line, "t");
			if (g_strcmp0(json_string_value(json_object_get(line, "type")), "key_press")
					== 0
				&& at >= since) {
				g_array_append_val(times, at);
			}
		}
	}
	return times;
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const gint64 *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Just when a window takes the focus the driver gets that signal: the user's keyboard goes on. */
static void interrupted(struct lab_desk *desk, int signal)
{
	enum { SLACK_MS = 250 };
	struct lab_harness *presenter = lab_harness_start(desk, "presenter", NULL);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	struct lab_harness *const journals[] = { presenter, lab_sentinel_journal(sentinel), NULL };
	gint64 worst = 0;
	int stopped = 0;

	const int tries = g_getenv("LAB_FULL") ? 16 : 6;

	for (int i = 0; i < tries; i++) {
		struct lab_driver *driver = lab_driver_start(desk);
		pid_t pid = lab_driver_pid(driver);
		long long button = element(driver, presenter->window, "Present later");
		lab_sentinel_start(sentinel);
		guint mark = lab_journal_mark(presenter);
		press(driver, presenter->window, button);
		/* Some before, some while, some after the window presents itself. */
		if (i % 2 == 0) {
			poll(NULL, 0, 240 + 10 * (i % 8));
		} else {
			lab_assert(lab_journal_find(presenter, mark, 5000, "kind", "state", "label",
				"presented", NULL));
			poll(NULL, 0, i % 8 / 2);
		}
		gint64 at = g_get_monotonic_time();
		kill(pid, signal);
		lab_sentinel_types(sentinel, 30);
		lab_sentinel_stop(sentinel);
		g_autoptr(GArray) times = arrivals(journals, at);
		g_array_sort(times, by_time);
		stopped += times->len > 0;
		for (guint k = 0; k < times->len; k++) {
			gint64 now = g_array_index(times, gint64, k);
			worst = MAX(worst, now - at);
			at = now;
		}
		/* Of thirty keys one may have been in the driver's hand. */
		if (times->len < 28) {
			lab_fail("after signal %d only %u keys of 30 came anywhere", signal,
				times->len);
		}
		if (signal == SIGSTOP) {
			kill(pid, SIGCONT);
			lab_call_ok(driver, "get_session", "{}");
			lab_driver_stop(driver);
		} else {
			lab_reap(pid, 10000);
			lab_driver_forget(driver);
		}
	}
	lab_note("signal %d: no key came later than %d ms after the one before it", signal,
		(int)(worst / 1000));
	lab_assert_int(stopped, tries);
	lab_assert(worst < SLACK_MS * 1000);
}

static void killed(struct lab_desk *desk)
{
	interrupted(desk, SIGKILL);
}

static void stopped(struct lab_desk *desk)
{
	interrupted(desk, SIGSTOP);
}

/* What does not belong in ./check: it takes too long. */
static const struct lab_test suites[] = {
	{ .name = "office",
		.run = office_handed_over,
		.servers = LAB_XVFB,
		.wms = "xfwm4 openbox",
		.needs = "soffice",
		.timeout = 240,
		.about = "LibreOffice that runs opens other documents for a launch: the user has "
			 "every key" },
	{ 0 }
};

static const struct lab_test tests[] = {
	{ .name = "dialogs",
		.run = dialogs,
		.servers = LAB_XVFB,
		.wms = "*",
		.timeout = 600,
		.about = "Dialogs take the focus while the user types: every key arrives, none "
			 "goes to a dialog" },
	{ .name = "presented",
		.run = presented,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.about = "Windows that were there present themselves, also late: the user has "
			 "every key, and is told" },
	{ .name = "sibling",
		.run = sibling,
		.servers = LAB_XVFB,
		.wms = "xfwm4 openbox",
		.about = "Another window of the user's own process presents itself: the user has "
			 "every key" },
	{ .name = "chosen",
		.run = chosen,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.about = "Dialogs, windows and clicks of the user's own are the user's while the "
			 "guard is armed" },
	{ .name = "dropped",
		.run = dropped,
		.servers = LAB_XVFB,
		.wms = "openbox xfwm4",
		.about = "An application presents itself when something is dropped on it: the user "
			 "has every key" },
	{ .name = "handed-over",
		.run = handed_over,
		.servers = LAB_XVFB,
		.wms = "openbox xfwm4",
		.needs = "mousepad",
		.about = "A launch that goes to a running instance takes nothing from the user" },
	{ .name = "browser",
		.run = browser,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.needs = "chromium",
		.timeout = 150,
		.about = "The user types in one window of Chromium while the driver works in "
			 "another one" },
	{ .name = "deaf",
		.run = deaf,
		.servers = LAB_XVFB,
		.wms = "xfwm4",
		.needs = "chromium",
		.timeout = 150,
		.about = "The user types in Chromium while dialogs open elsewhere by the session's "
			 "own pointer" },
	{ .name = "killed",
		.run = killed,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.about = "The driver is killed while a window takes the focus: the user's keyboard "
			 "goes on" },
	{ .name = "stopped",
		.run = stopped,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.about = "The driver is stopped while a window takes the focus: the user's "
			 "keyboard goes on" },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv,
		g_getenv("LAB_FULL") && argc > 1 && g_str_equal(argv[1], "office") ? suites
										   : tests);
}
