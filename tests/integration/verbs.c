/* SPDX-License-Identifier: MIT */
/* What a click or a key stands for, and what is refused because nothing does. The journal decides. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xtest.h>

#include "lab/oracle.h"

/* Long enough for a slow machine; the driver answers as soon as it has seen the effect. */
#define SETTLE "\"settle_ms\":3000"

/* The typing user's: how many keys so far, and whether it is enough. */
static gint typed, rests;

struct scene {
	struct lab_harness *form;
	struct lab_driver *driver;
	json_t *state;           /* the last look */
};

static json_t *look(struct scene *scene, bool picture)
{
	scene->state = lab_call_ok(scene->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":%s}", scene->form->window,
		picture ? "true" : "false").structured;
	return scene->state;
}

static struct scene begin(struct lab_desk *desk, const char *name)
{
	struct scene scene = { lab_harness_start(desk, name, NULL), lab_driver_start(desk), NULL };

	look(&scene, false);
	return scene;
}

static long long index_of(struct scene *scene, const char *role, const char *label)
{
	return lab_int(lab_element(scene->state, role, label), "element_index");
}

static struct lab_answer try(struct scene *scene, const char *tool, const char *role,
	const char *label, const char *more)
{
	return lab_call(scene->driver, tool, "{\"window_id\":%u,\"element_index\":%lld," SETTLE "%s%s}",
		scene->form->window, index_of(scene, role, label), more ? "," : "", more ? more : "");
}

static void must_land(struct scene *scene, const char *tool, const char *role, const char *label,
	const char *more, const char *state, const char *value)
{
	guint mark = lab_journal_mark(scene->form);
	struct lab_answer answer = try(scene, tool, role, label, more);

	if (answer.is_error || !lab_journal_find(scene->form, mark, 10000, "kind", "state", "label", state,
		"value", value, NULL)) {
		lab_fail("%s of \"%s\" with %s: %s is not %s, and the driver says %s", tool, label,
			more ? more : "nothing", state, value, lab_json(answer.structured));
	}
}

/* Nothing was done, and the answer says what to try instead. */
static void must_be_refused(struct scene *scene, const char *tool, const char *role, const char *label,
	const char *more, const char *code)
{
	guint mark = lab_journal_mark(scene->form);
	struct lab_answer answer = try(scene, tool, role, label, more);

	if (!answer.is_error || g_strcmp0(answer.code, code) != 0) {
		lab_fail("%s of \"%s\" with %s is not refused as %s: %s", tool, label, more ? more : "nothing",
			code, lab_json(answer.structured));
	}
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	if (g_str_equal(code, "background_unavailable")) {
		lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "px");
	}
	lab_assert_int(lab_journal_count(scene->form, mark, "kind", "state", NULL), 0);
}

/* The session's own pointer or keyboard does it. */
static void must_climb(struct scene *scene, const char *tool, const char *role, const char *label,
	const char *more, const char *path)
{
	struct lab_answer answer = try(scene, tool, role, label, more);

	if (answer.is_error) {
		lab_fail("%s of \"%s\" with %s: %s", tool, label, more ? more : "nothing",
			lab_json(answer.structured));
	}
	lab_assert_str(lab_str(answer.structured, "path"), path);
	lab_assert_int(json_array_size(lab_array(answer.structured, "disturbed")), 0);
}

static void climbs(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");
	struct lab_app user = lab_xterm(desk, "the user's");

	lab_user_works_in(desk, user.window);
	must_climb(&scene, "click", "push button", "Push me", "\"modifier\":[\"ctrl\"]", "x11_pixel");
	lab_journal_wait_state(scene.form, "pushed", "1", 10000);
	must_climb(&scene, "click", "push button", "Push me", "\"count\":3", "x11_pixel");
	lab_journal_wait_state(scene.form, "pushed", "4", 10000);
	must_climb(&scene, "double_click", "push button", "Push me", NULL, "x11_pixel");
	lab_journal_wait_state(scene.form, "pushed", "6", 10000);
	/* GTK3 presses nothing with it. */
	must_climb(&scene, "click", "push button", "Push me", "\"button\":\"middle\"", "x11_pixel");
	must_climb(&scene, "click", "text", "Entry", NULL, "x11_pixel"); /* its activate is the Enter key */
	must_climb(&scene, "right_click", "push button", "Context me", NULL, "x11_pixel");
	lab_journal_wait_state(scene.form, "context", "open", 10000);
	lab_assert_str(lab_harness_value(scene.form, "pushed"), "6");
	lab_call_refused(scene.driver, "invalid_arguments", "click",
		"{\"window_id\":%u,\"element_index\":%lld,\"modifier\":[\"levitate\"]}", scene.form->window,
		index_of(&scene, "push button", "Push me"));
}

/* A key that does nothing, again and again. */
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

/* The user types in the very window: the agent waits for a pause, and says so if there is none. */
static void yields(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");

	lab_user_works_in(desk, scene.form->window);
	GThread *user = g_thread_new("user", type_on, desk);
	gint64 end = lab_deadline(10000);
	while (g_atomic_int_get(&typed) == 0 && lab_left(end) > 0) {
		g_usleep(1000);
	}
	must_be_refused(&scene, "click", "push button", "Push me", NULL, "user_active");
	g_atomic_int_set(&rests, 1);
	g_thread_join(user);
	must_land(&scene, "click", "push button", "Push me", NULL, "pushed", "1");
}

static bool covers(struct lab_desk *desk, void *data)
{
	xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x, xcb_query_tree(desk->x, desk->root), NULL);
	bool found = false;

	(void)data;
	for (int i = 0; tree && i < tree->children_len && !found; i++) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		struct lab_rect at = lab_x_bounds(desk, window);
		found = lab_x_viewable(desk, window) && at.width >= desk->screen->width_in_pixels &&
			at.height >= desk->screen->height_in_pixels;
	}
	free(tree);
	return found;
}

static bool is_open(struct lab_desk *desk, void *data)
{
	return !covers(desk, data);
}

/* A real locker: nothing is done behind it, and all works again when it is gone. */
static void locked(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");
	pid_t locker;

	must_land(&scene, "click", "push button", "Push me", NULL, "pushed", "1");
	locker = lab_spawn(&(struct lab_spawn){ .env = desk->env, .argv = LAB_ARGV("i3lock", "--nofork") });
	lab_x_until(desk, covers, NULL, 20000, "the screen is locked");
	must_be_refused(&scene, "click", "push button", "Push me", NULL, "screen_locked");
	must_be_refused(&scene, "click", "push button", "Push me", "\"button\":\"middle\"", "screen_locked");
	kill(locker, SIGKILL);
	lab_reap(locker, 5000);
	lab_x_until(desk, is_open, NULL, 20000, "the locker's window is gone");
	must_land(&scene, "click", "push button", "Push me", NULL, "pushed", "2");
}

static void refused(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *role, *label, *more;
	} cases[] = {
		{ "press_key", "push button", "Push me", "\"key\":\"escape\"" },
		{ "press_key", "push button", "Push me", "\"key\":\"x\"" },
		{ "hotkey", "push button", "Push me", "\"keys\":[\"ctrl\",\"shift\",\"o\"]" },
	};
	struct scene scene = begin(desk, "form-gtk3");

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		must_be_refused(&scene, cases[i].tool, cases[i].role, cases[i].label, cases[i].more,
			"background_unavailable");
	}
	lab_call_refused(scene.driver, "invalid_arguments", "press_key",
		"{\"window_id\":%u,\"key\":\"levitate\"}", scene.form->window);
	lab_call_refused(scene.driver, "invalid_arguments", "hotkey",
		"{\"window_id\":%u,\"keys\":[\"ctrl\"]}", scene.form->window);
	lab_call_refused(scene.driver, "invalid_arguments", "hotkey",
		"{\"window_id\":%u,\"keys\":[\"a\",\"b\"]}", scene.form->window);
	lab_call_refused(scene.driver, "invalid_arguments", "click",
		"{\"window_id\":%u,\"element_index\":0,\"count\":4}", scene.form->window);
}

static void keys(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");

	must_land(&scene, "press_key", "push button", "Push me", "\"key\":\"Return\"", "pushed", "1");
	must_land(&scene, "press_key", "push button", "Push me", "\"key\":\"space\"", "pushed", "2");
	must_land(&scene, "press_key", "check box", "Check me", "\"key\":\"space\"", "checked", "true");
	must_land(&scene, "press_key", "slider", "Slide", "\"key\":\"ArrowLeft\"", "slide", "4");
	must_land(&scene, "press_key", "slider", "Slide", "\"key\":\"end\"", "slide", "10");
	must_land(&scene, "press_key", "slider", "Slide", "\"key\":\"home\"", "slide", "0");
	must_land(&scene, "press_key", "spin button", "Spin", "\"key\":\"down\"", "spin", "4");
	/* Of a list as a whole the arrows start at what is selected, or at the first. */
	must_land(&scene, "press_key", "list box", "Rows", "\"key\":\"down\"", "row", "1");
	must_land(&scene, "press_key", "list box", "Rows", "\"key\":\"down\"", "row", "2");
	must_land(&scene, "press_key", "list box", "Rows", "\"key\":\"end\"", "row", "3");
	must_land(&scene, "press_key", "list box", "Rows", "\"key\":\"up\"", "row", "2");
	must_land(&scene, "press_key", "table cell", "beta", "\"key\":\"up\"", "cell", "alpha");
	must_land(&scene, "press_key", "table cell", "beta", "\"key\":\"enter\"", "activated", "beta");
	must_land(&scene, "press_key", "push button", "Push me",
		"\"key\":\"O\",\"modifiers\":[\"Control\"]", "menu", "Open thing…");
}

/* What no action stands for is pressed on the session's own keyboard; the user's has nothing to do with it. */
static void pressed(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");
	struct lab_app user = lab_xterm(desk, "the user's");

	lab_user_works_in(desk, user.window);
	struct lab_user before = lab_user_read(desk);
	guint mark = lab_journal_mark(scene.form);
	must_climb(&scene, "press_key", "text", "Entry", "\"key\":\"end\"", "key_events");
	must_climb(&scene, "press_key", "text", "Entry", "\"key\":\"x\"", "key_events");
	must_climb(&scene, "press_key", "text", "Entry", "\"key\":\"Y\"", "key_events");
	lab_assert(lab_journal_find(scene.form, mark, 10000, "kind", "state", "label", "text", "value", "typedxY",
		NULL));
	mark = lab_journal_mark(scene.form);
	must_climb(&scene, "press_key", "text", "Entry", "\"key\":\"backspace\"", "key_events");
	lab_assert(lab_journal_find(scene.form, mark, 10000, "kind", "state", "label", "text", "value", "typedx",
		NULL));
	must_climb(&scene, "press_key", "spin button", "Spin", "\"key\":\"home\"", "key_events");
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
}

static void named(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");

	must_land(&scene, "click", "table cell", "beta", "\"action\":\"activate\"", "activated", "beta");
	must_land(&scene, "click", "table cell", "alpha", "\"action\":\"pick\"", "cell", "alpha");
	must_land(&scene, "click", "table cell", "Stem", "\"action\":\"expand\"", "expanded", "true");
	look(&scene, false);
	/* The same verb once more would collapse it. */
	must_be_refused(&scene, "click", "table cell", "Stem", "\"action\":\"expand\"",
		"action_unsupported");
	must_land(&scene, "click", "table cell", "Stem", "\"action\":\"collapse\"", "expanded", "false");
	must_land(&scene, "click", "text", "Entry", "\"action\":\"confirm\"", "entered", "typed");
	/* GTK 3's own would take the focus, and do nothing. */
	must_be_refused(&scene, "click", "table cell", "beta", "\"action\":\"edit\"", "action_unsupported");
	must_be_refused(&scene, "click", "push button", "Push me", "\"action\":\"cancel\"",
		"action_unsupported");
}

/* GTK3 shows "Klicken" for "click" and for "press" alike. */
static void translated(struct lab_desk *desk)
{
	g_autofree char *folder = g_dir_make_tmp("cua-locale-XXXXXX", NULL);
	g_autofree char *locale = g_build_filename(folder, "de_DE.UTF-8", NULL);
	struct lab_run run = lab_run(NULL, LAB_ARGV("localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8",
		locale), NULL, 60000);

	/* It warns about itself, which is exit code 1. */
	if (!g_file_test(locale, G_FILE_TEST_IS_DIR)) {
		lab_missing("no German locale: %s", run.err);
	}
	desk->env = g_environ_setenv(desk->env, "LOCPATH", folder, TRUE);
	desk->env = g_environ_setenv(desk->env, "LC_ALL", "de_DE.UTF-8", TRUE);
	struct scene scene = begin(desk, "form-gtk3");
	json_t *push = lab_element(scene.state, "push button", "Push me");
	struct lab_seen seen = lab_harness_see(scene.form, "push button", "Push me", 10000);

	/* What the toolkit tells people is another word than what it tells programs. */
	g_autofree char *told = lab_seen_action(scene.form, &seen);
	lab_assert_str(told, "Klicken");
	lab_assert_str(lab_str(push, "actions/0"), "click");
	must_land(&scene, "click", "push button", "Push me", NULL, "pushed", "1");
	must_land(&scene, "click", "toggle button", "Switch me", NULL, "switched", "true");
	must_land(&scene, "double_click", "table cell", "beta", NULL, "activated", "beta");
	lab_run(NULL, LAB_ARGV("rm", "-rf", folder), NULL, 10000);
}

/* The centre of what the laboratory itself sees, in pixels of the picture. */
static struct lab_answer click_at(struct scene *scene, const char *role, const char *label)
{
	struct lab_seen seen = lab_harness_see(scene->form, role, label, 10000);
	struct lab_rect window = lab_x_bounds(scene->form->desk, scene->form->window);

	return lab_call(scene->driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d," SETTLE "}",
		scene->form->window, seen.frame.x + seen.frame.width / 2 - window.x,
		seen.frame.y + seen.frame.height / 2 - window.y);
}

static void points(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");

	look(&scene, true);
	/* The word on a row is not the row, but it is what people aim at. */
	struct lab_answer answer = click_at(&scene, "label", "Row 2");
	lab_assert(!answer.is_error);
	lab_journal_wait_state(scene.form, "row", "2", 10000);
	answer = click_at(&scene, "push button", "Push me");
	lab_assert(!answer.is_error);
	lab_journal_wait_state(scene.form, "pushed", "1", 10000);
	/* A word that stands alone does nothing by itself: the pointer clicks there, and nothing happens. */
	guint mark = lab_journal_mark(scene.form);
	answer = click_at(&scene, "label", "First page");
	lab_assert(!answer.is_error);
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	lab_assert(!lab_bool(answer.structured, "verified"));
	lab_assert_int(lab_journal_count(scene.form, mark, "kind", "state", NULL), 0);
	/* In the middle of the slider nothing would change: it stands there. */
	json_t *slider = lab_element(scene.state, "slider", "Slide");
	lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", scene.form->window,
		(int)lab_int(slider, "at/x") + 60, (int)lab_int(slider, "at/y"));
	lab_assert(lab_journal_find(scene.form, mark, 10000, "kind", "state", "label", "slide", NULL));
}

/* GTK3 counts the lines between the items of a combo box when one is chosen by its number. */
static void lines(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");

	must_land(&scene, "set_value", "combo box", "Combo", "\"value\":\"Three\"", "combo", "Three");
	must_land(&scene, "set_value", "combo box", "Combo", "\"value\":\"Two\"", "combo", "Two");
	lab_driver_stop(scene.driver);
	lab_harness_stop(scene.form);
}

/* The end of a line is Enter in a field of one line, and no character of its text. */
static void enters(struct lab_desk *desk)
{
	static const char *const forms[] = { "form-gtk3", "form-gtk4", "form-qt5" };

	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		struct scene scene = begin(desk, forms[i]);

		must_land(&scene, "set_value", "text", "Entry", "\"value\":\"\"", "text", "");
		must_land(&scene, "type_text", "text", "Entry", "\"text\":\"abc\\n\"", "entered", "abc");
		lab_driver_stop(scene.driver);
		lab_harness_stop(scene.form);
	}
}

/* A field of a tool bar shows what was written and is taken with Enter: the answer says so, and only there. */
static void shown(struct lab_desk *desk)
{
	struct scene scene = { lab_harness_start(desk, "form-gtk3", LAB_ARGV("--bar")), lab_driver_start(desk), NULL };

	look(&scene, false);
	struct lab_answer answer = try(&scene, "set_value", "text", "Go to", "\"value\":\"line 7\"");
	lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
	lab_assert_contains(answer.text, "press_key Return");
	lab_assert_str(lab_harness_value(scene.form, "entered"), "none");
	must_land(&scene, "press_key", "text", "Go to", "\"key\":\"Return\"", "entered", "line 7");
	answer = try(&scene, "set_value", "text", "Entry", "\"value\":\"plain\"");
	lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
	lab_assert(strstr(answer.text, "Return") == NULL);
}

/* What is meant for a window that waits for a dialog must not answer the dialog. */
static void blocked(struct lab_desk *desk)
{
	static const char *const forms[] = { "gtk3", "qt5" };

	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		struct scene scene = begin(desk, forms[i]);
		guint mark;

		lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%lld}", scene.form->window,
			index_of(&scene, NULL, lab_control_label("btn-modal")));
		lab_journal_wait_state(scene.form, "modal", "open", 10000);
		lab_x_titled(desk, "Modal dialog", 10000);
		mark = lab_journal_mark(scene.form);
		lab_call_ok(scene.driver, "screenshot", "{\"window_id\":%u}", scene.form->window);
		struct lab_answer answer = lab_call(scene.driver, "drag", "{\"window_id\":%u,\"from_x\":20,\"from_y\":40,"
			"\"to_x\":40,\"to_y\":40}", scene.form->window);
		lab_assert_str(answer.code, "background_unavailable");
		answer = lab_call(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"Return\"}",
			scene.form->window);
		lab_assert_str(answer.code, "background_unavailable");
		/* No pixel helps there. */
		lab_assert(lab_get(answer.structured, "escalation") == NULL);
		lab_assert_contains(answer.text, "Answer the dialog first");
		answer = lab_call(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"Escape\"}", scene.form->window);
		lab_assert_str(answer.code, "background_unavailable");
		lab_assert_int(lab_journal_count(scene.form, mark, "kind", "state", "label", "modal", NULL), 0);
		lab_driver_stop(scene.driver);
		lab_harness_stop(scene.form);
	}
}

/* GTK4 calls all its tabs the same. */
static void turn_to(struct scene *scene, int page, const char *value)
{
	size_t i;
	json_t *element;
	int tabs = 0;

	json_array_foreach(lab_array(scene->state, "elements"), i, element) {
		if (g_str_equal(lab_str(element, "role"), "page tab") && tabs++ == page) {
			lab_call_ok(scene->driver, "click", "{\"window_id\":%u,\"element_index\":%d," SETTLE "}",
				scene->form->window, (int)i);
		}
	}
	lab_journal_wait_state(scene->form, "tab", value, 10000);
	look(scene, true);
}

/* A page that is not shown any more has no place: what was there is not what a click there means. */
static void pages(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk4");

	turn_to(&scene, 1, "two");
	json_t *button = lab_element(scene.state, "push button", "On page two");
	int x = (int)lab_int(button, "at/x"), y = (int)lab_int(button, "at/y");
	turn_to(&scene, 0, "one");
	/* GTK 4.8 still tells of it, and where it was; GTK 4.18 does not. */
	button = lab_pick_str(lab_array(scene.state, "elements"), "label", "On page two");
	if (button) {
		lab_assert(json_is_null(json_object_get(button, "at")));
		lab_assert(lab_array_has(lab_array(button, "states"), "offscreen"));
	}
	guint mark = lab_journal_mark(scene.form);
	struct lab_answer answer = lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d," SETTLE "}",
		scene.form->window, x, y);
	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	/* The next press is behind this one. */
	must_land(&scene, "click", "push button", "Push me", NULL, "pushed", "1");
	lab_assert_int(lab_journal_count(scene.form, mark, "kind", "state", "label", "behind", NULL), 0);
}

/* A key goes to where the caret is, though a click has to give the element the focus. */
static void caret(struct lab_desk *desk)
{
	static const char *const forms[] = { "form-gtk3", "form-gtk4", "form-qt5" };

	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		struct scene scene = begin(desk, forms[i]);

		must_land(&scene, "set_value", "text", "Entry", "\"value\":\"abc\"", "text", "abc");
		try(&scene, "press_key", "text", "Entry", "\"key\":\"home\"");
		must_land(&scene, "type_text", "text", "Entry", "\"text\":\"def\"", "text", "defabc");
		must_land(&scene, "press_key", "text", "Entry", "\"key\":\"backspace\"", "text", "deabc");
		lab_driver_stop(scene.driver);
		lab_harness_stop(scene.form);
	}
}

/* A text in a spin button is its value when Enter was pressed: in GTK 3 that follows, and leaves what was taken. */
static void spins(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");
	struct lab_answer answer = try(&scene, "set_value", "spin button", "Spin", "\"value\":\"seven\"");

	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	g_autofree char *shown = lab_atspi_text(desk, scene.form->pid, "spin button", NULL);
	lab_assert(strcmp(shown, "seven") != 0);
	lab_driver_stop(scene.driver);
	lab_harness_stop(scene.form);
	scene = begin(desk, "form-gtk4");
	answer = try(&scene, "set_value", "spin button", "Spin", "\"value\":\"seven\"");
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
}

/* An item of GTK 4's open drop-down that is only selected is not chosen; keys choose. */
static void dropped(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk4");
	struct lab_app user = lab_xterm(desk, "the user's");
	size_t i;
	json_t *element;

	lab_user_works_in(desk, user.window);
	json_array_foreach(lab_array(scene.state, "elements"), i, element) {
		if (g_str_equal(lab_str(element, "role"), "combo box")) {
			break;
		}
	}
	/* The button in it opens it. */
	lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"allow_grab\":true}",
		scene.form->window, (long long)i + 1);
	gint64 deadline = lab_deadline(10000);
	do {
		look(&scene, false);
		element = NULL;
		json_array_foreach(lab_array(scene.state, "elements"), i, element) {
			if (g_strcmp0(json_string_value(json_object_get(element, "label")), "Two") == 0) {
				break;
			}
		}
	} while (i == json_array_size(lab_array(scene.state, "elements")) && lab_left(deadline) > 0);
	guint mark = lab_journal_mark(scene.form);
	struct lab_answer answer = lab_call(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%lld}",
		scene.form->window, (long long)i);
	lab_assert_str(answer.code, "action_unsupported");
	lab_assert_int(lab_journal_count(scene.form, mark, "kind", "state", NULL), 0);
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"Down\"}", scene.form->window);
	lab_call_ok(scene.driver, "press_key", "{\"window_id\":%u,\"key\":\"Return\"}", scene.form->window);
	lab_journal_wait_state(scene.form, "combo", "Two", 10000);
}

/* The frame of such an application has its menu bar first, and the menu bar says that it is the second. */
static void application(struct lab_desk *desk)
{
	struct scene scene = { lab_harness_start(desk, "form-gtk3", LAB_ARGV("--application")), lab_driver_start(desk), NULL };

	look(&scene, false);
	must_land(&scene, "click", "toggle button", "Switch me", NULL, "switched", "true");
	must_land(&scene, "set_value", "spin button", "Spin", "\"value\":\"7\"", "spin", "7");
	lab_call_ok(scene.driver, "invoke_menu", "{\"window_id\":%u,\"path\":[\"View\",\"Large\"]," SETTLE "}", scene.form->window);
	lab_journal_wait_state(scene.form, "size", "Large", 10000);
}

/* Qt: what is in a list or on a page that nobody sees is not what was meant. */
static void put_away(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-qt5");

	/* A page that was shown has been laid out, and its bar has somewhere to go. */
	must_land(&scene, "click", "page tab", "Tab two", NULL, "tab", "two");
	must_land(&scene, "click", "page tab", "Tab one", NULL, "tab", "one");
	look(&scene, false);
	guint mark = lab_journal_mark(scene.form);
	struct lab_answer answer = try(&scene, "click", "list item", "Two", NULL);
	lab_assert_str(answer.code, "action_unsupported");
	lab_assert_contains(answer.text, "set_value");
	json_t *field = lab_pick_str(lab_array(scene.state, "elements"), "value", "First page");
	answer = lab_call(scene.driver, "scroll", "{\"window_id\":%u,\"element_index\":%lld,\"direction\":\"down\",\"amount\":2}",
		scene.form->window, (long long)lab_int(field, "element_index"));
	lab_assert(answer.is_error || !lab_bool(answer.structured, "verified"));
	lab_assert_int(lab_journal_count(scene.form, mark, "kind", "state", NULL), 0);
}

/* A row that was only selected: applications follow what is current, which it is not. */
static void unheard(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-qt5");

	must_land(&scene, "click", "table cell", "Stem", "\"action\":\"expand\"", "expanded", "true");
	look(&scene, false);
	lab_x_request(desk, scene.form->window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, lab_x_is_iconic, &scene.form->window, 10000, "minimising");
	struct lab_answer answer = try(&scene, "click", "list item", "Row 2", NULL);
	lab_assert(lab_array_has(lab_get(lab_element(lab_call_ok(scene.driver, "get_window_state", "{\"window_id\":%u,"
		"\"include_screenshot\":false}", scene.form->window).structured, "list item", "Row 2"), "states"), "selected"));
	/* The form shows what was selected, so here it is seen to follow; nothing else proves it. */
	json_t *evidence = lab_array(answer.structured, "evidence");
	if (lab_bool(answer.structured, "verified") && strstr(lab_json(evidence), "label") == NULL) {
		lab_fail("proven by nothing but the selection: %s", lab_json(answer.structured));
	}
	/* No key can be pressed here, and how far it would have gone nobody tells. */
	answer = try(&scene, "press_key", "spin button", "Spin", "\"key\":\"up\"");
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	lab_journal_wait_state(scene.form, "spin", "6", 10000);
	/* In a tree with an open branch Qt says no, and does it. */
	must_land(&scene, "click", "table cell", "Leaf", NULL, "branch", "Leaf");
}

/* What an application opens is what is selected in its list: also where no pointer comes. */
static void opens(struct lab_desk *desk)
{
	struct scene scene = begin(desk, "form-gtk3");

	lab_x_request(desk, scene.form->window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, lab_x_is_iconic, &scene.form->window, 10000, "minimising");
	must_land(&scene, "click", "table cell", "alpha", NULL, "cell", "alpha");
	must_land(&scene, "double_click", "table cell", "beta", NULL, "cell", "beta");
	lab_journal_wait_state(scene.form, "activated", "beta", 10000);
	must_land(&scene, "press_key", "table cell", "alpha", "\"key\":\"Return\"", "cell", "alpha");
	lab_journal_wait_state(scene.form, "activated", "alpha", 10000);
}

/* GTK 3: a tree heeds Ctrl and Shift only in a window that has the focus; the selection changes all the same. */
static void several(struct lab_desk *desk)
{
	static const struct {
		const char *item, *held, *selected;
	} clicks[] = {
		{ "beta", NULL, "beta" }, { "alpha", "ctrl", "alpha+beta" }, { "beta", "ctrl", "alpha" },
		{ "gamma", "shift", "alpha+beta+gamma" }, { "beta", "ctrl", "alpha+gamma" },
	};
	struct scene scene = { lab_harness_start(desk, "form-gtk3", LAB_ARGV("--several")), lab_driver_start(desk), NULL };
	struct lab_app user = lab_xterm(desk, "the user's");

	lab_user_works_in(desk, user.window);
	struct lab_user before = lab_user_read(desk);
	for (gsize i = 0; i < G_N_ELEMENTS(clicks); i++) {
		g_autofree char *held = clicks[i].held ? g_strdup_printf("\"modifier\":[\"%s\"]", clicks[i].held) : NULL;

		look(&scene, false);
		must_land(&scene, "click", "table cell", clicks[i].item, held, "cell", clicks[i].selected);
	}
	/* Where a range begins is not known now: what is not seen is not said. */
	look(&scene, false);
	struct lab_answer answer = try(&scene, "click", "table cell", "beta", "\"modifier\":[\"shift\"]");
	lab_assert(!lab_bool(answer.structured, "verified")
		|| strstr(lab_harness_value(scene.form, "cell"), "beta") != NULL);
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
}

/* GTK 3: the entries of a popover tell only in events that they are on. What is on must not be turned off by who wants it on. */
static void popover(struct lab_desk *desk)
{
	struct scene scene = { lab_harness_start(desk, "form-gtk3", LAB_ARGV("--popover")), lab_driver_start(desk), NULL };
	struct lab_app user = lab_xterm(desk, "the user's");
	struct lab_answer answer;
	guint mark = lab_journal_mark(scene.form);

	lab_user_works_in(desk, user.window);
	look(&scene, false);
	lab_assert(lab_array_has(lab_get(lab_element(scene.state, "check box", "Show rulers"), "states"), "checked"));
	lab_assert(lab_array_has(lab_get(lab_element(scene.state, "radio button", "Near"), "states"), "checked"));
	lab_assert(!lab_array_has(lab_get(lab_element(scene.state, "radio button", "Far"), "states"), "checked"));
	answer = try(&scene, "set_value", "check box", "Show rulers", "\"value\":true");
	lab_assert(!answer.is_error);
	lab_assert_str(lab_str(answer.structured, "effect"), "unverifiable");
	lab_assert_int(lab_journal_count(scene.form, mark, "kind", "state", NULL), 0);
	for (int i = 0; i < 2; i++) {
		must_land(&scene, "set_value", "check box", "Show rulers", "\"value\":false", "rulers", "false");
		answer = try(&scene, "set_value", "check box", "Show rulers", "\"value\":false");
		lab_assert_str(lab_harness_value(scene.form, "rulers"), "false");
		must_land(&scene, "set_value", "check box", "Show rulers", "\"value\":true", "rulers", "true");
		answer = try(&scene, "set_value", "check box", "Show rulers", "\"value\":true");
		lab_assert_str(lab_harness_value(scene.form, "rulers"), "true");
	}
	mark = lab_journal_mark(scene.form);
	answer = try(&scene, "set_value", "radio button", "Far", "\"value\":true");
	lab_assert(lab_bool(answer.structured, "verified"));
	lab_assert(lab_journal_find(scene.form, mark, 10000, "kind", "state", "label", "zoom", "value", "far", NULL));
	look(&scene, false);
	lab_assert(lab_array_has(lab_get(lab_element(scene.state, "radio button", "Far"), "states"), "checked"));
	lab_assert(!lab_array_has(lab_get(lab_element(scene.state, "radio button", "Near"), "states"), "checked"));
	/* One that says that it is on whenever it is looked at, and does nothing. */
	g_usleep(1200000);
	for (int i = 0; i < 3; i++) {
		answer = try(&scene, "click", "check box", "Idle", NULL);
		lab_assert(!lab_bool(answer.structured, "verified"));
	}
}

static const struct lab_test tests[] = {
	{ .name = "climbs", .run = climbs, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm",
	  .timeout = 120,
	  .about = "Where an element has no verb for a click the session's own pointer clicks it." },
	{ .name = "yields", .run = yields, .servers = LAB_XVFB, .wms = "openbox",
	  .timeout = 120,
	  .about = "While the user types in the window the agent does nothing there." },
	{ .name = "locked", .run = locked, .servers = LAB_XVFB, .wms = "openbox", .needs = "i3lock",
	  .timeout = 120,
	  .about = "Behind a locked screen nothing is done." },
	{ .name = "refused", .run = refused, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm",
	  .timeout = 120,
	  .about = "What no action stands for is refused, says what to try, and nothing happens." },
	{ .name = "keys", .run = keys, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Keys do what they stand for: press, activate, move a value, a selection, a command." },
	{ .name = "pressed", .run = pressed, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm",
	  .timeout = 120, .about = "Keys that no action stands for come from the session's own keyboard." },
	{ .name = "named", .run = named, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "Actions by the caller's words and the toolkit's." },
	{ .name = "translated", .run = translated, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "localedef", .timeout = 120,
	  .about = "Verbs are found in an application that speaks German." },
	{ .name = "pages", .run = pages, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "GTK 4: what is on a page that is not shown is not clicked at the place it had." },
	{ .name = "caret", .run = caret, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Keys for an element go to where its caret is, not where a click would put it." },
	{ .name = "dropped", .run = dropped, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm", .timeout = 120,
	  .about = "GTK 4: an item of an open drop-down is not said to be chosen when it is selected; keys choose it." },
	{ .name = "spins", .run = spins, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "GTK: what is written into a spin button and is no number is taken, or said not to be." },
	{ .name = "lines", .run = lines, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "GTK 3: the item of a combo box that is named is chosen, also behind a separator." },
	{ .name = "enters", .run = enters, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "A line that is typed into a field of one line is entered." },
	{ .name = "shown", .run = shown, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "The answer says that a field of a tool bar may be taken only with Enter." },
	{ .name = "application", .run = application, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "GTK 3: a window whose children count themselves otherwise than it does can be operated." },
	{ .name = "put_away", .run = put_away, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "Qt 5: neither an item of a closed combo box nor the scroll bar of a hidden page is taken for what is seen." },
	{ .name = "unheard", .run = unheard, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "Qt 5: the selection alone of a row of a minimised window proves no click." },
	{ .name = "several", .run = several, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm", .timeout = 120,
	  .about = "GTK 3: Ctrl and Shift select several rows in a window without the focus." },
	{ .name = "popover", .run = popover, .servers = LAB_XVFB, .wms = "openbox", .needs = "xterm", .timeout = 120,
	  .about = "GTK 3: an entry of a popover that is on is told to be on, and not turned off by set_value true." },
	{ .name = "opens", .run = opens, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "GTK 3: a row of a minimised window is opened, and not the one that was selected." },
	{ .name = "blocked", .run = blocked, .servers = LAB_XVFB, .wms = "openbox xfwm4", .timeout = 120,
	  .about = "Keys for a window that waits for a modal dialog are refused, and the dialog is not answered." },
	{ .name = "points", .run = points, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "A point means the thing that does something there, not the word on it." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
