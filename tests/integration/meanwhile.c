/* SPDX-License-Identifier: MIT */
/*
 * What happens to windows between two actions. The driver keeps what it knows of them for as long as nothing is told of
 * a change, so each test acts several times, changes one thing and acts at once, as soon as the X server has the change:
 * a click by pixel comes to where that pixel is now, as the window itself sees it, and what the user did is nobody's
 * disturbance.
 */
#include <poll.h>
#include <stdlib.h>
#include <xcb/xtest.h>

#include "lab/lab.h"
#include "lab/oracle.h"

#define PATIENCE 10000
/* Until all that can be known is known, and once more. */
#define TIMES 4
/* The pixel that is clicked. */
#define X 40
#define Y 30

/* A window that says where it was pressed. */
struct pad {
	struct lab_desk *desk;
	struct lab_driver *driver;
	xcb_connection_t *ear;
	xcb_window_t window;
	xcb_window_t user, other;  /* two of the user's, side by side, away from it */
};

static void click(struct pad *pad, const char *when)
{
	gint64 deadline = lab_deadline(PATIENCE);
	struct lab_answer answer = lab_call_ok(pad->driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", pad->window, X, Y);
	int presses = 0;

	if (!lab_undisturbed(&answer)) {
		lab_fail("%s: %s", when, lab_json(answer.structured));
	}
	while (presses == 0) {
		for (xcb_generic_event_t *event; (event = xcb_poll_for_event(pad->ear)) != NULL; free(event)) {
			const xcb_button_press_event_t *press = (void *)event;

			if ((event->response_type & 0x7f) == XCB_BUTTON_PRESS) {
				presses++;
				if (press->event_x != X || press->event_y != Y) {
					lab_fail("%s: pressed at %d,%d", when, press->event_x, press->event_y);
				}
			}
		}
		if (presses == 0 && !lab_readable(xcb_get_file_descriptor(pad->ear), deadline)) {
			lab_fail("%s: no press came", when);
		}
	}
}

static void click_often(struct pad *pad, const char *when)
{
	for (int i = 0; i < TIMES; i++) {
		click(pad, when);
	}
}

static void open_pad(struct lab_desk *desk, struct pad *pad)
{
	const uint32_t mask = XCB_EVENT_MASK_BUTTON_PRESS;

	*pad = (struct pad){ .desk = desk, .driver = lab_driver_start(desk), .ear = xcb_connect(desk->display, NULL) };
	pad->user = lab_window_open(desk, &(struct lab_window){ .title = "user", .x = 700, .y = 60 });
	pad->other = lab_window_open(desk, &(struct lab_window){ .title = "other", .x = 700, .y = 400 });
	/* Another application's than the user's windows. */
	pad->window = lab_window_open(desk, &(struct lab_window){
		.title = "pad", .client = pad->ear, .x = 60, .y = 60 });
	xcb_change_window_attributes(pad->ear, pad->window, XCB_CW_EVENT_MASK, &mask);
	free(xcb_get_input_focus_reply(pad->ear, xcb_get_input_focus(pad->ear), NULL));
	if (lab_desk_has_wm(desk)) {
		lab_user_works_in(desk, pad->user);
	}
	lab_call_ok(pad->driver, "screenshot", "{\"window_id\":%u}", pad->window);
	click_often(pad, "at first");
}

struct place {
	xcb_window_t window;
	int x, y;
};

static bool is_elsewhere(struct lab_desk *desk, void *data)
{
	const struct place *before = data;
	struct lab_rect now = lab_x_bounds(desk, before->window);

	return now.x != before->x || now.y != before->y;
}

static void move_to(struct pad *pad, int x, int y, bool pager)
{
	const uint32_t values[] = { (uint32_t)x, (uint32_t)y };
	struct lab_rect bounds = lab_x_bounds(pad->desk, pad->window);
	struct place before = { pad->window, bounds.x, bounds.y };

	if (pager) {
		/* Both coordinates, by static gravity, as a pager. */
		lab_x_request(pad->desk, pad->window, "_NET_MOVERESIZE_WINDOW", 2 << 12 | 3 << 8 | 10, values[0], values[1]);
	} else {
		xcb_configure_window(pad->desk->x, pad->window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, values);
	}
	lab_x_until(pad->desk, is_elsewhere, &before, PATIENCE, "moving the window");
}

static void moved(struct lab_desk *desk)
{
	struct pad pad;

	open_pad(desk, &pad);
	for (int i = 1; i <= TIMES; i++) {
		move_to(&pad, 60 + 35 * i, 60 + 20 * i, false);
		click(&pad, "moved by itself");
	}
	click_often(&pad, "where it is now");
	for (int i = 1; i <= TIMES && lab_desk_has_wm(desk); i++) {
		move_to(&pad, 200 - 35 * i, 160 - 20 * i, true);
		click(&pad, "moved by the window manager");
	}
}

static bool is_shown(struct lab_desk *desk, void *data)
{
	return !lab_x_is_iconic(desk, data) && lab_x_viewable(desk, *(xcb_window_t *)data);
}

static void minimised(struct lab_desk *desk)
{
	struct pad pad;

	open_pad(desk, &pad);
	for (int i = 0; i < 2; i++) {
		lab_x_request(desk, pad.window, "WM_CHANGE_STATE", 3, 0, 0);
		lab_x_until(desk, lab_x_is_iconic, &pad.window, PATIENCE, "minimising");
		struct lab_answer answer = lab_call(pad.driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", pad.window, X, Y);
		if (!answer.is_error) {
			lab_fail("a click by pixel in a minimised window: %s", lab_json(answer.structured));
		}
		lab_x_request(desk, pad.window, "_NET_ACTIVE_WINDOW", 2, 0, 0);
		lab_x_until(desk, is_shown, &pad.window, PATIENCE, "restoring");
		lab_user_works_in(desk, pad.user);
		click_often(&pad, "restored");
	}
}

static void closed(struct lab_desk *desk)
{
	struct pad pad;

	open_pad(desk, &pad);
	lab_window_close(desk, pad.window);
	lab_call_refused(pad.driver, "window_not_found", "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", pad.window, X, Y);
	/* The id is that of a window, in turn. */
	const uint32_t white = desk->screen->white_pixel;
	xcb_create_window(pad.ear, XCB_COPY_FROM_PARENT, pad.window, desk->root, 300, 300, 200, 100, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, desk->screen->root_visual, XCB_CW_BACK_PIXEL, &white);
	xcb_map_window(pad.ear, pad.window);
	xcb_flush(pad.ear);
	lab_x_until(desk, is_shown, &pad.window, PATIENCE, "showing it again");
	const uint32_t mask = XCB_EVENT_MASK_BUTTON_PRESS;
	xcb_change_window_attributes(pad.ear, pad.window, XCB_CW_EVENT_MASK, &mask);
	free(xcb_get_input_focus_reply(pad.ear, xcb_get_input_focus(pad.ear), NULL));
	lab_x_quiet(desk, 200);
	if (lab_desk_has_wm(desk)) {
		lab_user_works_in(desk, pad.user);
	}
	lab_call_ok(pad.driver, "screenshot", "{\"window_id\":%u}", pad.window);
	click_often(&pad, "another one of that id");
	move_to(&pad, 340, 330, false);
	click(&pad, "another one of that id, moved");
}

/* In another window, which then moves: nobody tells the window itself. */
static void put_elsewhere(struct lab_desk *desk)
{
	const uint32_t place[] = { 420, 330 };
	struct pad pad;

	open_pad(desk, &pad);
	xcb_window_t holder = lab_window_open(desk, &(struct lab_window){ .title = "holder", .x = 300, .y = 300,
		.width = 300, .height = 200 });
	struct place before = { pad.window, 60, 60 };
	xcb_reparent_window(desk->x, pad.window, holder, 20, 20);
	lab_x_until(desk, is_elsewhere, &before, PATIENCE, "putting it into another window");
	/* It is no window of the user's any more. */
	lab_call_refused(pad.driver, "window_not_found", "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", pad.window, X, Y);
	xcb_reparent_window(desk->x, pad.window, desk->root, 60, 60);
	before = (struct place){ pad.window, 320, 320 };
	lab_x_until(desk, is_elsewhere, &before, PATIENCE, "taking it out");
	click_often(&pad, "taken out");
	xcb_configure_window(desk->x, holder, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
	click(&pad, "another one moved");
}

/* The user goes from one window to the other, and puts one above the other. */
static void user_went(struct lab_desk *desk)
{
	struct pad pad;

	open_pad(desk, &pad);
	for (int i = 0; i < TIMES; i++) {
		lab_user_works_in(desk, i % 2 == 0 ? pad.other : pad.user);
		struct lab_user before = lab_user_read(desk);
		click(&pad, "the user went to another window");
		struct lab_user after = lab_user_read(desk);
		lab_user_assert_same(&before, &after);
	}
}

struct order {
	xcb_window_t above, below;
};

static bool is_above(struct lab_desk *desk, void *data)
{
	const struct order *order = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);
	bool seen = false;

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);

		if (window == order->above) {
			return seen;
		}
		seen = seen || window == order->below;
	}
	return false;
}

static bool is_active(struct lab_desk *desk, void *data)
{
	const xcb_window_t *window = data;

	return lab_user_read(desk).active == *window;
}

static void restacked(struct lab_desk *desk)
{
	const uint32_t above = XCB_STACK_MODE_ABOVE;
	struct pad pad;

	open_pad(desk, &pad);
	for (int i = 0; i < TIMES; i++) {
		struct order order = { i % 2 == 0 ? pad.user : pad.other, i % 2 == 0 ? pad.other : pad.user };

		/* It is the user who goes to another window of that application. */
		lab_user_presses_alt(desk);
		xcb_configure_window(desk->x, order.above, XCB_CONFIG_WINDOW_STACK_MODE, &above);
		lab_x_until(desk, is_above, &order, PATIENCE, "putting one window above another");
		/* It makes active what is raised, a moment later. */
		if (g_str_equal(desk->wm, "xfwm4")) {
			lab_x_until(desk, is_active, &order.above, PATIENCE, "activating the window that was raised");
		}
		click(&pad, "restacked");
	}
}

/* While an action waits for its effect, somebody else puts one of the user's windows above the other: that is told. */
static void during(struct lab_desk *desk)
{
	const uint32_t above = XCB_STACK_MODE_ABOVE;
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_harness *harness = lab_harness_start(desk, "gtk3", LAB_ARGV("--fault", "late1000"));
	struct order order = { .below = lab_window_open(desk, &(struct lab_window){ .title = "user", .x = 700, .y = 60 }) };

	order.above = lab_window_open(desk, &(struct lab_window){ .title = "other", .x = 700, .y = 400 });
	json_t *state = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		harness->window).structured;
	json_int_t button = lab_int(lab_element(state, NULL, lab_control_label("btn-counter")), "element_index");
	for (int i = 0; i < TIMES; i++) {
		struct lab_answer answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":20}",
			harness->window, (long long)button);
		lab_assert(lab_undisturbed(&answer));
	}
	/* None of their effects is to come. */
	lab_x_quiet(desk, 1500);
	for (int i = 0; i < 2; i++) {
		order = (struct order){ order.below, order.above };
		int id = lab_send_call(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":900}",
			harness->window, (long long)button);
		lab_x_quiet(desk, 200);
		lab_assert(!lab_has_answer(driver, id, 0));
		xcb_configure_window(desk->x, order.above, XCB_CONFIG_WINDOW_STACK_MODE, &above);
		lab_x_until(desk, is_above, &order, PATIENCE, "putting one window above another");
		struct lab_answer answer = lab_answer_of(driver, lab_wait_id(driver, id, PATIENCE));
		if (!lab_array_has(lab_get(answer.structured, "disturbed"), "stacking")) {
			lab_fail("it does not say that windows were restacked: %s", lab_json(answer.structured));
		}
		lab_x_quiet(desk, 1500);
	}
}

/* Who types there is asked for again once the user has gone there. */
static void user_came(struct lab_desk *desk)
{
	enum { KEYCODE_A = 38, SOON_MS = 300 };
	struct pad pad;

	open_pad(desk, &pad);
	lab_user_works_in(desk, pad.window);
	xcb_test_fake_input(desk->x, XCB_KEY_PRESS, KEYCODE_A, XCB_CURRENT_TIME, desk->root, 0, 0, 0);
	xcb_test_fake_input(desk->x, XCB_KEY_RELEASE, KEYCODE_A, XCB_CURRENT_TIME, desk->root, 0, 0, 0);
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
	gint64 typed = g_get_monotonic_time();
	click(&pad, "where the user types");
	if (g_get_monotonic_time() - typed < SOON_MS * 1000) {
		lab_fail("it did not wait for the user, who types there");
	}
}

static const struct lab_test tests[] = {
	{ .name = "moved", .run = moved, .servers = LAB_BOTH, .wms = "* none",
	  .about = "The pixel that is clicked moves with its window, whoever moved it." },
	{ .name = "minimised", .run = minimised, .servers = LAB_XVFB, .wms = "*",
	  .about = "A window that was minimised is not clicked, and is again when it is restored." },
	{ .name = "closed", .run = closed, .servers = LAB_XVFB, .wms = "openbox xfwm4 none",
	  .about = "A window that is gone is not found, and another one of the same id is another one." },
	{ .name = "put_elsewhere", .run = put_elsewhere, .servers = LAB_XVFB, .wms = "none",
	  .about = "A window that was put into another one and taken out again." },
	{ .name = "user_went", .run = user_went, .servers = LAB_XVFB, .wms = "*",
	  .about = "Where the user went before an action is not its doing." },
	{ .name = "restacked", .run = restacked, .servers = LAB_XVFB, .wms = "openbox xfwm4 none",
	  .about = "Nor is the order of the user's windows." },
	{ .name = "during", .run = during, .servers = LAB_XVFB, .wms = "openbox xfwm4 none",
	  .about = "What is restacked while an action lasts is told." },
	{ .name = "user_came", .run = user_came, .servers = LAB_XVFB, .wms = "openbox metacity",
	  .about = "An action waits for the user who types in its window, also if the user was elsewhere a moment ago." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
