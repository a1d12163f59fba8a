/* SPDX-License-Identifier: MIT */
/* The laboratory calibrates itself: an instrument that misses what we do on purpose is void. */
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"

/* Asserts that the change since `before` is seen, and seen as what it is. */
static void must_notice(struct lab_desk *desk, const struct lab_user *before, const char *what)
{
	struct lab_user after = lab_user_read(desk);

	lab_assert_contains(lab_user_difference(before, &after), what);
}

static void calibrate_user(struct lab_desk *desk)
{
	xcb_window_t back = lab_window_open(desk, &(struct lab_window){ .title = "back" });
	xcb_window_t front = lab_window_open(desk, &(struct lab_window){ .title = "front", .x = 60 });
	struct lab_user before, after;

	lab_user_works_in(desk, front);
	before = lab_user_read(desk);
	after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
	lab_assert(!before.keyboard_grabbed && !before.pointer_grabbed);

	xcb_warp_pointer(desk->x, XCB_NONE, desk->root, 0, 0, 0, 0, 700, 500);
	must_notice(desk, &before, "pointer");

	before = lab_user_read(desk);
	lab_user_works_in(desk, back);
	must_notice(desk, &before, "focus");
	must_notice(desk, &before, "stacking");
	if (lab_desk_has_wm(desk)) {
		must_notice(desk, &before, "active window");
	}

	/* Grabs of another client: the lab's own connection would be let through. */
	before = lab_user_read(desk);
	xcb_connection_t *thief = xcb_connect(desk->display, NULL);
	g_autofree xcb_grab_keyboard_reply_t *keyboard = xcb_grab_keyboard_reply(thief,
		xcb_grab_keyboard(thief, 0, desk->root, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC,
			XCB_GRAB_MODE_ASYNC), NULL);
	lab_assert(keyboard && keyboard->status == XCB_GRAB_STATUS_SUCCESS);
	must_notice(desk, &before, "keyboard grab");
	xcb_ungrab_keyboard(thief, XCB_CURRENT_TIME);
	g_autofree xcb_grab_pointer_reply_t *pointer = xcb_grab_pointer_reply(thief,
		xcb_grab_pointer(thief, 0, desk->root, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
			XCB_NONE, XCB_NONE, XCB_CURRENT_TIME), NULL);
	lab_assert(pointer && pointer->status == XCB_GRAB_STATUS_SUCCESS);
	must_notice(desk, &before, "pointer grab");
	xcb_disconnect(thief);
}

static void calibrate_reader(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);

	lab_assert(lab_x_pid(desk, app.window) == app.pid);
	lab_assert(lab_atspi_find(desk, app.pid, "toggle button", "7").path);
	lab_assert(!lab_atspi_find(desk, app.pid, "toggle button", "no such button").path);
	lab_galculator_shows(desk, &app, "0");
	/* Decimal numbers have no digit A: a key that is there and cannot be pressed. */
	struct lab_node disabled = lab_atspi_find(desk, app.pid, "toggle button", "A");
	struct lab_node enabled = lab_atspi_find(desk, app.pid, "toggle button", "8");
	lab_assert(disabled.path && !lab_atspi_has_state(desk, &disabled, LAB_ATSPI_SENSITIVE));
	lab_assert(enabled.path && lab_atspi_has_state(desk, &enabled, LAB_ATSPI_SENSITIVE));
}

static const struct lab_test tests[] = {
	{ .name = "calibrate_user", .run = calibrate_user, .servers = LAB_BOTH, .wms = "* none",
	  .about = "A warp, a focus change, a raise and both grabs are noticed for what they are." },
	{ .name = "calibrate_reader", .run = calibrate_reader, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator",
	  .about = "The independent accessibility reader finds what is there and nothing else." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
