/* SPDX-License-Identifier: MIT */
/* set_window_frame and bring_to_front, judged by what we read from the X server ourselves. */
#include <string.h>

#include "lab/lab.h"

/* A busy window manager may take its time, and a pause in between must not look like its end. */
#define SETTLE "\"settle_ms\":10000"

static struct lab_rect told(const json_t *json, const char *name)
{
	const json_t *rect = lab_object(json, name);

	return (struct lab_rect){ (int)lab_int(rect, "x"), (int)lab_int(rect, "y"), (int)lab_int(rect, "width"),
		(int)lab_int(rect, "height") };
}

static void assert_at(struct lab_desk *desk, xcb_window_t window, struct lab_rect should)
{
	struct lab_rect is = lab_x_bounds(desk, window);

	if (!lab_rect_equal(is, should)) {
		lab_fail("the window is %d×%d at %d,%d, not %d×%d at %d,%d", is.width, is.height, is.x, is.y,
			should.width, should.height, should.x, should.y);
	}
}

/* Asks, and what is answered must be true. */
static json_t *put(struct lab_desk *desk, struct lab_driver *driver, xcb_window_t window, const char *where)
{
	struct lab_user before = lab_user_read(desk);
	struct lab_answer answer = lab_call_ok(driver, "set_window_frame", "{\"window_id\":%u,%s," SETTLE "}", window,
		where);
	struct lab_user after = lab_user_read(desk);

	assert_at(desk, window, told(answer.structured, "bounds"));
	lab_user_assert_same(&before, &after);
	/* Our own look grabs for a moment, which the driver may see. */
	static const char *const never[] = { "focus", "active_window", "stacking", "pointer" };
	for (size_t i = 0; i < G_N_ELEMENTS(never); i++) {
		lab_assert(!lab_array_has(lab_array(answer.structured, "disturbed"), never[i]));
	}
	return answer.structured;
}

static void set_rules(struct lab_desk *desk, xcb_window_t window)
{
	/* Flags for minimum, step and base; 100×80 and whole steps of 7×13 beyond. */
	const uint32_t hints[18] = { [0] = 1 << 4 | 1 << 6 | 1 << 8, [5] = 100, [6] = 80, [9] = 7, [10] = 13, [15] = 100,
		[16] = 80 };

	lab_x_set(desk, window, "WM_NORMAL_HINTS", "WM_SIZE_HINTS", hints, 32, 18);
	/* The server has it, and so whoever hears of it hears of it before anything that follows. */
	lab_x_bounds(desk, window);
}

static bool is_maximized(struct lab_desk *desk, void *data)
{
	g_autoptr(GArray) states = lab_x_list(desk, *(xcb_window_t *)data, "_NET_WM_STATE");

	for (guint i = 0; i < states->len; i++) {
		if (g_array_index(states, uint32_t, i) == lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_VERT")) {
			return true;
		}
	}
	return false;
}

static void placed(struct lab_desk *desk)
{
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "Moved", .x = 60, .y = 80 });
	xcb_window_t user = lab_window_open(desk, &(struct lab_window){ .title = "User", .x = 400, .y = 300 });
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *done;

	lab_user_works_in(desk, user);
	/* All of it first: KWin now and then gives a new window another size than it asked for. */
	put(desk, driver, window, "\"x\":280,\"y\":220,\"width\":200,\"height\":100");
	assert_at(desk, window, (struct lab_rect){ 280, 220, 200, 100 });
	done = put(desk, driver, window, "\"x\":300,\"y\":200");
	lab_assert(lab_bool(done, "as_asked"));
	assert_at(desk, window, (struct lab_rect){ 300, 200, 200, 100 });
	done = put(desk, driver, window, "\"width\":333,\"height\":222");
	assert_at(desk, window, (struct lab_rect){ 300, 200, 333, 222 });
	done = put(desk, driver, window, "\"x\":310,\"y\":190,\"width\":280,\"height\":180");
	lab_assert(lab_bool(done, "as_asked"));
	assert_at(desk, window, (struct lab_rect){ 310, 190, 280, 180 });
	lab_assert(lab_rect_equal(told(done, "before"), (struct lab_rect){ 300, 200, 333, 222 }));

	if (lab_desk_has_wm(desk)) {
		/* What the window manager adds is told, too. */
		g_autoptr(GArray) frame = lab_x_list(desk, window, "_NET_FRAME_EXTENTS");
		if (frame->len == 4) {
			lab_assert_int(told(done, "frame").y, 190 - (int)g_array_index(frame, uint32_t, 2));
			lab_assert_int(told(done, "frame").width, 280 + (int)g_array_index(frame, uint32_t, 0) +
				(int)g_array_index(frame, uint32_t, 1));
		}
		/* The window has rules: it says what it became, which is the truth (put() looks), and why. */
		set_rules(desk, window);
		struct lab_answer answer = lab_call_ok(driver, "set_window_frame",
			"{\"window_id\":%u,\"width\":50,\"height\":40,\"settle_ms\":4000}", window);
		lab_assert(!lab_bool(answer.structured, "as_asked"));
		lab_assert_contains(answer.text, "never smaller than 100×80");
		lab_assert_int(lab_int(answer.structured, "size_rules/step_width"), 7);
		struct lab_rect now = lab_x_bounds(desk, window);
		lab_assert(lab_rect_equal(now, told(answer.structured, "bounds")));
		/* To the minimum, or the first step after it. */
		lab_assert(now.width >= 100 && now.width <= 107);

		/* It is the user who maximises it: what comes to the front for that stays there. */
		lab_user_presses_alt(desk);
		lab_x_request(desk, window, "_NET_WM_STATE", 1, lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_VERT"),
			lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_HORZ"));
		lab_x_until(desk, is_maximized, &window, 10000, "maximising");
		lab_x_quiet(desk, 100);
		done = put(desk, driver, window, "\"x\":200,\"y\":150,\"width\":170,\"height\":132");
		lab_assert(lab_bool(done, "was_maximized"));
		lab_assert(lab_bool(done, "as_asked"));
		lab_assert(!is_maximized(desk, &window));
		assert_at(desk, window, (struct lab_rect){ 200, 150, 170, 132 });
	}
	lab_call_refused(driver, "invalid_arguments", "set_window_frame", "{\"window_id\":%u}", window);
	lab_call_refused(driver, "window_not_found", "set_window_frame", "{\"window_id\":1,\"x\":1,\"y\":1}");
}

static bool has_user(struct lab_desk *desk, xcb_window_t window)
{
	g_autofree xcb_get_input_focus_reply_t *focus = xcb_get_input_focus_reply(desk->x,
		xcb_get_input_focus(desk->x), NULL);
	g_autoptr(GArray) stacking = lab_x_stacking(desk);

	return focus && focus->focus == window && stacking->len > 0 &&
		g_array_index(stacking, uint32_t, stacking->len - 1) == window &&
		(!lab_desk_has_wm(desk) || lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) == window);
}

static void in_front(struct lab_desk *desk)
{
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "Behind", .x = 60, .y = 80 });
	xcb_window_t user = lab_window_open(desk, &(struct lab_window){ .title = "User", .x = 90, .y = 90 });
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer;

	lab_user_works_in(desk, user);
	/* After an action in the background its application is kept from the focus; not when that is asked for. */
	put(desk, driver, window, "\"x\":100,\"y\":100");
	answer = lab_call_ok(driver, "bring_to_front", "{\"window_id\":%u," SETTLE "}", window);
	lab_assert(has_user(desk, window));
	lab_assert(lab_bool(answer.structured, "active") && lab_bool(answer.structured, "in_front"));
	lab_assert(lab_bool(answer.structured, "focused"));
	lab_assert_int(lab_int(answer.structured, "previous_window_id"), user);
	lab_x_quiet(desk, 300);
	lab_assert(has_user(desk, window));
	/* It is there already. */
	lab_call_ok(driver, "bring_to_front", "{\"window_id\":%u," SETTLE "}", window);
	lab_assert(has_user(desk, window));

	if (lab_desk_has_wm(desk)) {
		lab_call_ok(driver, "bring_to_front", "{\"window_id\":%u," SETTLE "}", user);
		lab_x_request(desk, window, "WM_CHANGE_STATE", 3, 0, 0);
		lab_x_until(desk, lab_x_is_iconic, &window, 10000, "minimising");
		lab_x_quiet(desk, 100);
		lab_call_refused(driver, "window_minimized", "set_window_frame", "{\"window_id\":%u,\"x\":1,\"y\":1}",
			window);
		answer = lab_call_ok(driver, "bring_to_front", "{\"window_id\":%u," SETTLE "}", window);
		lab_assert(lab_bool(answer.structured, "was_minimized"));
		lab_assert(has_user(desk, window));
		lab_assert(lab_x_viewable(desk, window));
	}
}

static const struct lab_test tests[] = {
	{ .name = "placed", .run = placed, .servers = LAB_XVFB, .wms = "openbox xfwm4 mutter kwin_x11 none", .timeout = 120,
	  .about = "A window is where and as large as set_window_frame says, and nobody else noticed." },
	{ .name = "in_front", .run = in_front, .servers = LAB_XVFB, .wms = "openbox xfwm4 mutter kwin_x11 none", .timeout = 120,
	  .about = "bring_to_front makes the window the user's, restores it, and it stays there." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
