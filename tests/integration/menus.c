/* SPDX-License-Identifier: MIT */
/* Menus by their labels, without opening them: nobody's keyboard is taken. The journal decides. */
#include <string.h>

#include "lab/oracle.h"

#define SETTLE "\"settle_ms\":3000"

static void invoke(struct lab_driver *driver, struct lab_harness *form, const char *path,
	const char *state, const char *value)
{
	guint mark = lab_journal_mark(form);
	struct lab_answer answer = lab_call(driver, "invoke_menu", "{\"window_id\":%u," SETTLE ",\"path\":%s}",
		form->window, path);

	if (answer.is_error || !lab_journal_find(form, mark, 10000, "kind", "state", "label", state, "value",
		value, NULL)) {
		lab_fail("%s: %s is not %s: %s", path, state, value, lab_json(answer.structured));
	}
}

static bool lists(const json_t *items, const char *label)
{
	size_t i;
	json_t *item;

	json_array_foreach(items, i, item) {
		if (g_strcmp0(json_string_value(item), label) == 0) {
			return true;
		}
	}
	return false;
}

static struct lab_answer refuse(struct lab_driver *driver, struct lab_harness *form, const char *path,
	const char *code)
{
	guint mark = lab_journal_mark(form);
	struct lab_answer answer = lab_call_refused(driver, code, "invoke_menu",
		"{\"window_id\":%u," SETTLE ",\"path\":%s}", form->window, path);

	lab_assert_int(lab_journal_count(form, mark, "kind", "state", NULL), 0);
	return answer;
}

static void walk(struct lab_desk *desk, const char *name)
{
	struct lab_harness *form = lab_harness_start(desk, name, NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);

	lab_sentinel_start(sentinel);
	invoke(driver, form, "[\"file\",\"OPEN THING...\"]", "menu", "Open thing…");
	invoke(driver, form, "[\"_File\",\"More\",\"Deep thing\"]", "menu", "Deep thing");
	invoke(driver, form, "[\"View\",\"Show grid\"]", "grid", "true");
	invoke(driver, form, "[\"View\",\"Show grid\"]", "grid", "false");
	struct lab_answer answer = refuse(driver, form, "[\"File\",\"Close thing\"]", "item_not_found");
	json_t *items = lab_array(answer.structured, "items");
	lab_assert(lists(items, "Open thing…") && lists(items, "More") && !lists(items, "Deep thing"));
	answer = refuse(driver, form, "[\"Edit\",\"Open thing\"]", "item_not_found");
	lab_assert(lists(lab_array(answer.structured, "items"), "View"));
	refuse(driver, form, "[\"File\",\"Grey thing\"]", "element_disabled");
	refuse(driver, form, "[]", "invalid_arguments");
	/* A menu that is the end of the path would have to be opened. */
	refuse(driver, form, "[\"File\",\"More\"]", "popup_grabs_user");
	lab_sentinel_types(sentinel, 4);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!verdict.held) {
		lab_fail("the user noticed: %s", verdict.text);
	}
}

static void walk_gtk3(struct lab_desk *desk)
{
	walk(desk, "form-gtk3");
}

static void walk_qt5(struct lab_desk *desk)
{
	walk(desk, "form-qt5");
}

static void hidden(struct lab_desk *desk)
{
	struct lab_harness *form = lab_harness_start(desk, "form-gtk4", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = refuse(driver, form, "[\"View\",\"Show grid\"]",
		"background_unavailable");

	/* What there is instead: the window's own commands. */
	lab_assert(lists(lab_array(answer.structured, "actions"), "form.grid"));
	json_t *state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", form->window).structured;
	lab_call_ok(driver, "click",
		"{\"window_id\":%u,\"element_index\":%lld,\"action\":\"form.grid\"}", form->window,
		(long long)lab_int(lab_element(state, "frame", "Harness form-gtk4"), "element_index"));
	lab_journal_wait_state(form, "grid", "true", 10000);
}

/* Nothing of a menu that was opened is left: whoever looks may have the keyboard. */
static void keyboard_is_free(struct lab_desk *desk)
{
	gint64 deadline = lab_deadline(10000);

	while (lab_user_read(desk).keyboard_grabbed) {
		if (lab_left(deadline) == 0) {
			lab_fail("the user's keyboard is still taken");
		}
		/* Each look is a grab itself, so not one after another without a pause. */
		lab_x_quiet(desk, 100);
	}
}

/* The user types in another window meanwhile, and nothing is noticed. */
static struct lab_answer unnoticed(struct lab_sentinel *sentinel, struct lab_driver *driver,
	xcb_window_t window, const char *path)
{
	lab_sentinel_start(sentinel);
	lab_sentinel_types(sentinel, 4);
	struct lab_answer answer = lab_call(
		driver, "invoke_menu", "{\"window_id\":%u," SETTLE ",\"path\":%s}", window, path);
	lab_sentinel_types(sentinel, 4);
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	if (!verdict.held || json_array_size(lab_array(answer.structured, "disturbed")) > 0) {
		lab_fail("the user noticed: %s, %s", verdict.text, lab_json(answer.structured));
	}
	return answer;
}

/* A menu that has to be opened: in the background, and closed again. Where the user is it is
 * refused. */
static void opened(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk4", NULL);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_user_works_in(desk, harness->window);
	refuse(driver, harness, "[\"Context menu\",\"Delete\"]", "popup_grabs_user");
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	struct lab_answer answer = unnoticed(
		sentinel, driver, harness->window, "[\"Context menu\",\"Delete\"]");
	if (answer.is_error || !lab_journal_has_state(harness, "menu_action", "Delete", 10000)) {
		lab_fail("not chosen: %s", lab_json(answer.structured));
	}
	lab_assert(json_is_true(lab_get(answer.structured, "opened")));
	keyboard_is_free(desk);

	guint mark = lab_journal_mark(harness);
	answer = unnoticed(sentinel, driver, harness->window, "[\"Context menu\",\"Close\"]");
	lab_assert_str(answer.code, "item_not_found");
	json_t *items = lab_array(answer.structured, "items");
	lab_assert(lists(items, "Rename") && lists(items, "Delete") && json_array_size(items) == 2);
	keyboard_is_free(desk);
	lab_assert_int(lab_journal_count(harness, mark, "kind", "state", NULL), 0);
}

/* A menu that is filled when it opens. */
static void filled_late(struct lab_desk *desk)
{
	struct lab_harness *form = lab_harness_start(desk, "form-gtk3", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	struct lab_answer answer = unnoticed(
		sentinel, driver, form->window, "[\"Go\",\"No thing\"]");

	lab_assert_str(answer.code, "item_not_found");
	lab_assert(lists(lab_array(answer.structured, "items"), "Late thing"));
	lab_assert(json_is_true(lab_get(answer.structured, "opened")) && lab_get(answer.structured, "left_open") == NULL);
	keyboard_is_free(desk);
	lab_harness_stop(form);

	/* It was filled by that; so another one. */
	form = lab_harness_start(desk, "form-gtk3", NULL);
	answer = unnoticed(sentinel, driver, form->window, "[\"Go\",\"Later thing\"]");
	lab_assert(!answer.is_error);
	lab_journal_wait_state(form, "menu", "Later thing", 10000);
	lab_assert(json_is_true(lab_get(answer.structured, "opened")) && lab_get(answer.structured, "left_open") == NULL);
	keyboard_is_free(desk);
}

/* A dialog that the application waits in: it has opened, which is the answer. */
static void asked(struct lab_desk *desk)
{
	struct lab_harness *form = lab_harness_start(desk, "form-qt5", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t dialog = XCB_WINDOW_NONE;
	size_t i;
	json_t *window;

	struct lab_answer answer = lab_call_ok(driver, "invoke_menu", "{\"window_id\":%u," SETTLE
		",\"path\":[\"File\",\"Ask thing\"]}", form->window);
	lab_assert(strcmp(lab_str(answer.structured, "effect"), "suspected_noop") != 0);
	lab_journal_wait_state(form, "asked", "open", 10000);
	json_t *windows = lab_call_ok(driver, "list_windows", "{\"pid\":%d}", form->pid).structured;
	json_array_foreach(lab_array(windows, "windows"), i, window) {
		if (g_str_equal(lab_str(window, "title"), "The question")) {
			dialog = (xcb_window_t)lab_int(window, "window_id");
		}
	}
	lab_assert(dialog != XCB_WINDOW_NONE);
	/* Meanwhile it can be read and operated. */
	json_t *state = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		dialog).structured;
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld," SETTLE "}", dialog,
		(long long)lab_int(lab_element(state, "push button", "OK"), "element_index"));
	lab_journal_wait_state(form, "asked", "closed", 10000);
}

static const struct lab_test tests[] = {
	{ .name = "gtk3",
		.run = walk_gtk3,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 120,
		.about = "Items of closed menus are performed by their labels; what is missing is "
			 "listed." },
	{ .name = "qt5",
		.run = walk_qt5,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 120,
		.about = "The same in Qt 5." },
	{ .name = "asked",
		.run = asked,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 120,
		.about = "Qt 5: an item that opens a dialog and waits in it is done when the "
			 "dialog is there." },
	{ .name = "hidden",
		.run = hidden,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 120,
		.about = "GTK4 hides closed menus: the refusal names what the window offers "
			 "instead." },
	{ .name = "opened",
		.run = opened,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 180,
		.about = "A GTK4 menu that has to be opened, and is closed again: nobody notices, "
			 "and where the user is it is refused." },
	{ .name = "filled_late",
		.run = filled_late,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.timeout = 180,
		.about = "A GTK3 menu that is filled when it opens: the same." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
