/* SPDX-License-Identifier: MIT */
/* What takes more than one call, or another window, or an element that has no verb for it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "pointer.h"

#define SOON 15000

/* Such an event at that pixel of the window, once. */
static void comes(struct scene *scene, const char *type, const char *detail, xcb_window_t window, int x, int y)
{
	struct lab_rect bounds = lab_x_bounds(scene->desk, window);
	json_t *line = lab_journal_find(scene->harness, scene->mark, SOON, "kind", "event", "type", type, "detail",
		detail, NULL);

	if (!line || labs((long)lab_int(line, "x") - bounds.x - x) > 1 ||
		labs((long)lab_int(line, "y") - bounds.y - y) > 1) {
		lab_journal_note(scene->harness, 12);
		lab_fail("no %s at %d,%d: %s", type, bounds.x + x, bounds.y + y, line ? lab_json(line) : "none came");
	}
	lab_assert_int(lab_journal_count(scene->harness, scene->mark, "kind", "event", "type", type, NULL), 1);
}

static void must_hold(struct scene *scene)
{
	lab_sentinel_types(scene->sentinel, 6);
	struct lab_verdict verdict = lab_sentinel_stop(scene->sentinel);
	if (!verdict.held) {
		lab_journal_note(lab_sentinel_journal(scene->sentinel), 30);
		lab_fail("the user noticed: %s", verdict.text);
	}
	scene->mark = lab_journal_mark(scene->harness);
}

static void ask(struct scene *scene, const char *tool, int x, int y)
{
	struct lab_answer answer = lab_call_ok(scene->driver, tool, "{\"window_id\":%u,\"x\":%d,\"y\":%d}",
		scene->harness->window, x, y);

	lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
	lab_assert(lab_undisturbed(&answer));
}

/* Down here, up there, and nothing before that; then a drag that ends in another window. */
static void hold_and_drag(struct scene *scene)
{
	xcb_window_t window = scene->harness->window;

	lab_sentinel_start(scene->sentinel);
	lab_call_refused(scene->driver, "invalid_arguments", "mouse_button_up",
		"{\"window_id\":%u,\"x\":90,\"y\":90}", window);
	ask(scene, "mouse_button_down", 90, 80);
	comes(scene, "button_press", "1", window, 90, 80);
	lab_call_refused(scene->driver, "invalid_arguments", "mouse_button_down",
		"{\"window_id\":%u,\"x\":95,\"y\":80}", window);
	lab_sentinel_types(scene->sentinel, 4);
	lab_assert_int(lab_journal_count(scene->harness, scene->mark, "kind", "event", "type", "button_release", NULL),
		0);
	ask(scene, "mouse_button_up", 240, 130);
	comes(scene, "button_release", "1", window, 240, 130);
	must_hold(scene);

	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}", scene->sibling);
	lab_sentinel_start(scene->sentinel);
	struct lab_answer answer = lab_call_ok(scene->driver, "drag", "{\"window_id\":%u,\"from_x\":100,\"from_y\":90,"
		"\"to_window_id\":%u,\"to_x\":50,\"to_y\":40,\"duration_ms\":100,\"steps\":5}", window, scene->sibling);
	lab_assert_int(lab_int(answer.structured, "delivered/steps"), 5);
	comes(scene, "button_press", "1", window, 100, 90);
	comes(scene, "button_release", "1", scene->sibling, 50, 40);
	must_hold(scene);
}

/* A session that ends lets go. */
static void end_holding(struct scene *scene)
{
	xcb_window_t window = scene->harness->window;

	lab_sentinel_start(scene->sentinel);
	lab_call_ok(scene->driver, "start_session", "{\"session\":\"holder\"}");
	lab_call_ok(scene->driver, "screenshot", "{\"session\":\"holder\",\"window_id\":%u,\"max_image_dimension\":0}",
		window);
	lab_call_ok(scene->driver, "mouse_button_down", "{\"session\":\"holder\",\"window_id\":%u,\"x\":70,\"y\":60}",
		window);
	comes(scene, "button_press", "1", window, 70, 60);
	lab_call_ok(scene->driver, "end_session", "{\"session\":\"holder\"}");
	comes(scene, "button_release", "1", window, 70, 60);
	must_hold(scene);
}

void gestures_held(struct lab_desk *desk)
{
	struct scene scene;

	scene_open(&scene, desk, target_named("canvas"), false);
	scene_cover(&scene, COVER_OTHER);
	hold_and_drag(&scene);
	end_holding(&scene);
	scene_close(&scene);
}

static json_int_t index_of(const json_t *state, const char *id)
{
	json_t *element = lab_pick_str(lab_array(state, "elements"), "label", lab_control_label(id));

	lab_assert(element);
	return lab_int(element, "element_index");
}

/* The pointer goes to the middle of what accessibility has no verb for. */
void gestures_elements(struct lab_desk *desk)
{
	struct scene scene;

	scene_open(&scene, desk, target_named("gtk3"), false);
	scene_cover(&scene, COVER_OTHER);
	json_t *state = lab_call_ok(scene.driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		scene.harness->window).structured;
	static const struct {
		const char *tool, *id, *more, *button, *label, *value;
	} calls[] = {
		{ "double_click", "btn-target", "", "1", "last_action", "double_click" },
		{ "right_click", "btn-target", "", "3", "last_action", "right_click" },
		{ "click", "btn-counter", ",\"modifier\":[\"ctrl\"]", "1", "counter", "1" },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
		lab_sentinel_start(scene.sentinel);
		struct lab_answer answer = lab_call_ok(scene.driver, calls[i].tool,
			"{\"window_id\":%u,\"element_index\":%lld%s}", scene.harness->window,
			(long long)index_of(state, calls[i].id), calls[i].more);
		lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
		lab_journal_wait_state(scene.harness, calls[i].label, calls[i].value, SOON);
		lab_assert(lab_journal_find(scene.harness, scene.mark, SOON, "kind", "event", "type", "button_press",
			"control", calls[i].id, "detail", calls[i].button, NULL));
		must_hold(&scene);
	}
	scene_close(&scene);
}

/* The window of the menu that is open, by the server's own word. */
struct menu {
	pid_t pid;
	xcb_window_t window;
};

static bool has_menu(struct lab_desk *desk, void *data)
{
	struct menu *menu = data;
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
		xcb_query_tree(desk->x, desk->root), NULL);

	menu->window = XCB_NONE;
	for (int i = tree ? xcb_query_tree_children_length(tree) : 0; i-- > 0;) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		g_autofree xcb_get_window_attributes_reply_t *is = xcb_get_window_attributes_reply(desk->x,
			xcb_get_window_attributes(desk->x, window), NULL);

		if (is && is->override_redirect && is->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT &&
			is->map_state == XCB_MAP_STATE_VIEWABLE && lab_x_pid(desk, window) == menu->pid) {
			menu->window = window;
		}
	}
	return menu->window != XCB_NONE;
}

static bool has_no_menu(struct lab_desk *desk, void *data)
{
	return !has_menu(desk, data);
}

/* A menu that the session's pointer opened is operated by it, and the user types on. */
void gestures_menu(struct lab_desk *desk)
{
	struct scene scene;

	scene_open(&scene, desk, target_named("gtk3"), false);
	struct lab_rect bounds = lab_x_bounds(desk, scene.harness->window);
	struct lab_rect at = lab_harness_see(scene.harness, NULL, lab_control_label("btn-context"), SOON).frame;
	struct menu menu = { .pid = scene.harness->pid };
	for (int entry = 0; entry < 2; entry++) {
		scene_cover(&scene, entry == 0 ? COVER_NONE : COVER_OTHER);
		lab_sentinel_start(scene.sentinel);
		struct lab_answer answer = lab_call_ok(scene.driver, "right_click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}",
			scene.harness->window, at.x - bounds.x + at.width / 2, at.y - bounds.y + at.height / 2);
		lab_assert_str(lab_str(answer.structured, "path"), "x11_pixel");
		lab_x_until(desk, has_menu, &menu, SOON, "a menu");
		struct lab_rect size = lab_x_bounds(desk, menu.window);
		/* Where the click was, not where our pointer went afterwards. */
		int off_x = size.x - (at.x + at.width / 2), off_y = size.y - (at.y + at.height / 2);
		if (abs(off_x) > 20 + size.width || abs(off_y) > 20 + size.height) {
			lab_fail("the menu is at %d,%d, and the click was %d,%d away", size.x, size.y, off_x, off_y);
		}
		lab_call_ok(scene.driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}", menu.window);
		lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", menu.window, size.width / 2,
			size.height * (1 + 2 * entry) / 4);
		lab_journal_wait_state(scene.harness, "menu_action",
			json_string_value(json_array_get(lab_array(lab_scenarios(), "context"), (size_t)entry)), SOON);
		lab_x_until(desk, has_no_menu, &menu, SOON, "the end of a menu");
		must_hold(&scene);
	}
	scene_close(&scene);
}

/* A browser that hangs would take the user's pointer whenever it comes to the press: it gets none. */
void gestures_hung(struct lab_desk *desk)
{
	struct scene scene;

	scene_open(&scene, desk, target_named("web"), false);
	scene_cover(&scene, COVER_OTHER);
	const struct lab_app browser = { scene.harness->pid, scene.harness->window };
	int x = scene.press.x + scene.press.width / 2, y = scene.press.y + scene.press.height / 2;
	lab_sentinel_start(scene.sentinel);
	lab_app_stop(desk, &browser);
	struct lab_answer answer = lab_call_refused(scene.driver, "app_unresponsive", "click",
		"{\"window_id\":%u,\"x\":%d,\"y\":%d}", browser.window, x, y);
	kill(browser.pid, SIGCONT);
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	/* What is asked for now comes after whatever might have come before. */
	ask(&scene, "click", x, y);
	comes(&scene, "button_press", "1", browser.window, x, y);
	must_hold(&scene);
	scene_close(&scene);
}

/* Where the display takes no devices of the kernel, who asks for one is told so, and nobody else does it instead. */
void gestures_kernel(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *arguments;
	} calls[] = {
		{ "click", "\"x\":90,\"y\":80" },
		{ "double_click", "\"x\":90,\"y\":80" },
		{ "right_click", "\"x\":90,\"y\":80,\"allow_grab\":true" },
		{ "drag", "\"from_x\":90,\"from_y\":80,\"to_x\":120,\"to_y\":90" },
		{ "scroll", "\"x\":90,\"y\":80,\"direction\":\"down\"" },
		{ "move_cursor", "\"x\":90,\"y\":80" },
		{ "mouse_button_down", "\"x\":90,\"y\":80" },
	};
	struct scene scene;

	scene_open(&scene, desk, target_named("gtk3"), false);
	scene_cover(&scene, COVER_OTHER);
	xcb_window_t window = scene.harness->window;
	json_t *state = lab_call_ok(scene.driver, "get_window_state", "{\"window_id\":%u}", window).structured;
	char *before = lab_traces_read(desk);
	lab_sentinel_start(scene.sentinel);
	scene.mark = lab_journal_mark(scene.harness);
	for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
		struct lab_answer answer = lab_call_refused(scene.driver, "no_input_device", calls[i].tool,
			"{\"window_id\":%u,%s,\"device\":\"uinput\"}", window, calls[i].arguments);
		lab_assert_str(lab_str(answer.structured, "delivery"), "none");
		lab_assert_str(lab_str(answer.structured, "retry"), "safe");
		lab_assert_contains(lab_str(answer.structured, "message"), "Leave device out");
	}
	/* An element's own action is no device of the kernel's either. */
	json_int_t counter = index_of(state, "btn-counter");
	lab_call_refused(scene.driver, "no_input_device", "click",
		"{\"window_id\":%u,\"element_index\":%lld,\"device\":\"uinput\"}", window, (long long)counter);
	lab_call_refused(scene.driver, "invalid_arguments", "click",
		"{\"window_id\":%u,\"x\":90,\"y\":80,\"device\":\"uinput\",\"delivery_mode\":\"foreground\"}", window);
	lab_call_refused(scene.driver, "invalid_arguments", "click",
		"{\"window_id\":%u,\"x\":90,\"y\":80,\"device\":\"pen\"}", window);
	/* Not even a pair of devices was made for it. */
	lab_traces_until(desk, before, "nothing was made");
	lab_assert_int(lab_journal_count(scene.harness, scene.mark, "kind", "event", NULL), 0);
	/* What is asked for now comes after whatever might have come before. */
	lab_call_ok(scene.driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"modifier\":[\"ctrl\"],"
		"\"device\":\"own\"}", window, (long long)counter);
	lab_journal_wait_state(scene.harness, "counter", "1", SOON);
	lab_assert_int(lab_journal_count(scene.harness, scene.mark, "kind", "event", "type", "button_press", NULL), 1);
	must_hold(&scene);
	scene_close(&scene);
}

static bool is_withdrawn(struct lab_desk *desk, void *window)
{
	return lab_x_number(desk, *(xcb_window_t *)window, "WM_STATE", 0) == 0;
}

static bool is_normal(struct lab_desk *desk, void *window)
{
	return lab_x_number(desk, *(xcb_window_t *)window, "WM_STATE", 0) == 1;
}

/* No pointer comes to a window that is not there: it says so, and what would help, and helps. */
void gestures_minimised(struct lab_desk *desk)
{
	static const struct {
		const char *tool, *more;
	} calls[] = { { "click", "" }, { "double_click", "" }, { "scroll", ",\"direction\":\"down\"" },
		{ "move_cursor", "" }, { "mouse_button_down", "" } };
	struct scene scene;

	scene_open(&scene, desk, target_named("canvas"), false);
	scene_cover(&scene, COVER_NONE);
	xcb_window_t window = scene.harness->window;
	lab_x_request(desk, window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, lab_x_is_iconic, &window, SOON, "minimising");
	lab_sentinel_start(scene.sentinel);
	scene.mark = lab_journal_mark(scene.harness);
	for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
		struct lab_answer answer = lab_call_refused(scene.driver, "window_minimized", calls[i].tool,
			"{\"window_id\":%u,\"x\":90,\"y\":80%s}", window, calls[i].more);
		lab_assert_str(lab_str(answer.structured, "delivery"), "none");
		lab_assert_str(lab_str(answer.structured, "escalation/recommended"), "foreground");
		lab_assert_contains(lab_str(answer.structured, "escalation/reason"), "bring_to_front");
	}
	lab_assert(lab_x_is_iconic(desk, &window));
	lab_assert_int(lab_journal_count(scene.harness, scene.mark, "kind", "event", "type", "button_press", NULL), 0);
	must_hold(&scene);
	/* Doing what it says. */
	lab_call_ok(scene.driver, "bring_to_front", "{\"window_id\":%u}", window);
	ask(&scene, "click", 90, 80);
	comes(&scene, "button_press", "1", window, 90, 80);
	/* Hidden and shown again it has another frame. */
	xcb_unmap_window(desk->x, window);
	lab_x_until(desk, is_withdrawn, &window, SOON, "being hidden");
	xcb_map_window(desk->x, window);
	lab_x_until(desk, is_normal, &window, SOON, "being shown again");
	lab_user_works_in(desk, lab_sentinel_window(scene.sentinel));
	scene.mark = lab_journal_mark(scene.harness);
	ask(&scene, "click", 90, 80);
	comes(&scene, "button_press", "1", window, 90, 80);
	scene_close(&scene);
}
