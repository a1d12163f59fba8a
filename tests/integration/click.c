/* SPDX-License-Identifier: MIT */
/* click by element: it lands in the application, and the user does not notice. */
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"

static json_t *snapshot(struct lab_driver *driver, const struct lab_app *app)
{
	return lab_call_ok(driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u,\"include_screenshot\":false}", app->pid,
		app->window).structured;
}

static json_int_t index_of(const json_t *state, const char *label)
{
	return lab_int(lab_element(state, NULL, label), "element_index");
}

static struct lab_answer press(struct lab_driver *driver, const struct lab_app *app,
	const json_t *state, const char *label)
{
	return lab_call_ok(driver, "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":%lld,\"settle_ms\":2000}", app->pid,
		app->window, (long long)index_of(state, label));
}

/* The user sits in an xterm in front, the pointer over it. */
static struct lab_app seat_user(struct lab_desk *desk)
{
	struct lab_app user = lab_xterm(desk, "the user's");

	xcb_warp_pointer(desk->x, XCB_NONE, user.window, 0, 0, 0, 0, 30, 30);
	lab_user_works_in(desk, user.window);
	return user;
}

static void background(struct lab_desk *desk)
{
	static const char *const keys[] = { "7", "*", "8", "=" };
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	seat_user(desk);
	struct lab_user before = lab_user_read(desk);
	json_t *state = snapshot(driver, &app);
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct lab_answer answer = press(driver, &app, state, keys[i]);
		const char *effect = lab_str(answer.structured, "effect");

		lab_assert_str(lab_str(answer.structured, "path"), "x11_atspi");
		lab_assert_int(json_array_size(lab_array(answer.structured, "disturbed")), 0);
		/* It may not be sure, but it never doubts what happened and never claims a mere echo. */
		lab_assert(strcmp(effect, "suspected_noop") != 0);
		lab_assert(lab_bool(answer.structured, "verified") == g_str_equal(effect, "confirmed"));
		lab_int(answer.structured, "elapsed_ms");
		lab_bool(answer.structured, "settled");
	}
	lab_galculator_shows(desk, &app, "56");
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
}

static void minimised(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = snapshot(driver, &app);

	seat_user(desk);
	lab_x_request(desk, app.window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, lab_x_is_iconic, &app.window, 5000, "minimising");
	lab_x_quiet(desk, 100);
	struct lab_user before = lab_user_read(desk);
	press(driver, &app, state, "4");
	press(driver, &app, state, "2");
	lab_galculator_shows(desk, &app, "42");
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
	lab_assert(lab_x_is_iconic(desk, &app.window));
}

static void toggle(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_node truth = lab_atspi_find(desk, app.pid, "toggle button", "hyp");
	json_t *state = snapshot(driver, &app);

	for (int on = 1; on >= 0; on--) {
		struct lab_answer answer = press(driver, &app, state, "hyp");

		lab_assert(lab_atspi_has_state(desk, &truth, LAB_ATSPI_CHECKED) == on);
		lab_assert_str(lab_str(answer.structured, "effect"), "confirmed");
		lab_assert(lab_bool(answer.structured, "verified"));
		lab_assert_str(lab_str(answer.structured, "evidence/0/kind"), "state");
		lab_assert_str(lab_str(answer.structured, "evidence/0/before"), on ? "false" : "true");
		lab_assert_str(lab_str(answer.structured, "evidence/0/after"), on ? "true" : "false");
	}
}

static void tokens(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = snapshot(driver, &app);
	const char *token = lab_str(lab_element(state, NULL, "6"), "element_token");

	/* A token names its own snapshot, also after a newer one, and needs no window. */
	snapshot(driver, &app);
	lab_call_ok(driver, "click", "{\"element_token\":\"%s\"}", token);
	lab_galculator_shows(desk, &app, "6");
	struct lab_answer answer = lab_call(driver, "click", "{\"element_token\":\"sdeadbeef:1\"}");
	lab_assert(answer.is_error);
	lab_assert(!g_strcmp0(answer.code, "no_cached_state") ||
		!g_strcmp0(answer.code, "stale_element"));
	lab_call_refused(driver, "invalid_arguments", "click", "{\"element_token\":\"nonsense\"}");
	lab_galculator_shows(desk, &app, "6");
}

static void refusals(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer;

	lab_call_refused(driver, "no_cached_state", "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":0}", app.pid, app.window);
	json_t *state = snapshot(driver, &app);
	/* Snapshots belong to a session. */
	lab_call_refused(driver, "no_cached_state", "click",
		"{\"window_id\":%u,\"element_index\":0,\"session\":\"another\"}", app.window);
	lab_call_refused(driver, "invalid_element_index", "click",
		"{\"window_id\":%u,\"element_index\":9999}", app.window);
	lab_call_refused(driver, "invalid_arguments", "click", "{\"window_id\":%u}", app.window);
	lab_call_refused(driver, "invalid_arguments", "click", "{\"element_index\":%lld}",
		(long long)index_of(state, "7"));
	answer = lab_call_refused(driver, "action_unsupported", "click",
		"{\"window_id\":%u,\"element_index\":%lld,\"action\":\"levitate\"}", app.window,
		(long long)index_of(state, "7"));
	lab_assert(json_array_size(lab_array(answer.structured, "actions")) > 0);
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	answer = lab_call_refused(driver, "element_disabled", "click",
		"{\"window_id\":%u,\"element_index\":%lld}", app.window, (long long)index_of(state, "A"));
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	answer = lab_call_refused(driver, "window_owner_mismatch", "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":0}", getpid(), app.window);
	lab_assert_int(lab_int(answer.structured, "owner_pid"), app.pid);
	lab_galculator_shows(desk, &app, "0");
}

static void named_action(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = snapshot(driver, &app);

	/* By the word of the contract and by the toolkit's own. */
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"action\":\"press\"}",
		app.window, (long long)index_of(state, "1"));
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,\"action\":\"click\"}",
		app.window, (long long)index_of(state, "2"));
	lab_galculator_shows(desk, &app, "12");
}

static void rebuilt(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = snapshot(driver, &app);
	struct lab_node basic = lab_atspi_find(desk, app.pid, "radio menu item", "Basic Mode");

	/* The window stays and gets other buttons, as when a page is turned. */
	lab_assert(basic.path);
	lab_atspi_press(desk, &basic);
	lab_assert(!lab_atspi_find(desk, app.pid, NULL, "cos").path);
	struct lab_answer answer = lab_call_refused(driver, "stale_element", "click",
		"{\"window_id\":%u,\"element_index\":%lld}", app.window,
		(long long)index_of(state, "cos"));
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	lab_galculator_shows(desk, &app, "0");
	state = snapshot(driver, &app);
	press(driver, &app, state, "9");
	lab_galculator_shows(desk, &app, "9");
}

static void restarted(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = snapshot(driver, &app);
	const char *token = lab_str(lab_element(state, NULL, "7"), "element_token");

	lab_app_kill(&app);
	struct lab_app second = lab_galculator(desk, false);
	struct lab_answer answer = lab_call(driver, "click", "{\"element_token\":\"%s\"}", token);
	lab_assert(answer.is_error);
	lab_assert(g_str_equal(answer.code, "stale_element") ||
		g_str_equal(answer.code, "window_not_found"));
	if (second.window != app.window) {
		lab_call_refused(driver, "window_not_found", "click",
			"{\"window_id\":%u,\"element_index\":0}", app.window);
	}
	lab_call_refused(driver, "no_cached_state", "click",
		"{\"pid\":%d,\"window_id\":%u,\"element_index\":0}", second.pid, second.window);
	lab_galculator_shows(desk, &second, "0");
}

/* Two of the same program, side by side: each click reaches the one it names. */
static void twins(struct lab_desk *desk)
{
	struct lab_app a = lab_galculator(desk, false), b = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *of_a = snapshot(driver, &a), *of_b = snapshot(driver, &b);

	press(driver, &b, of_b, "3");
	lab_galculator_shows(desk, &b, "3");
	lab_galculator_shows(desk, &a, "0");
	press(driver, &a, of_a, "5");
	lab_galculator_shows(desk, &a, "5");
	lab_galculator_shows(desk, &b, "3");
}

/* The picture that shows what a click is aimed at: the element's border and a cross, and nothing else new. */
static void aimed(struct lab_desk *desk)
{
	enum { MAGENTA = 0xff00ff, BORDER = 2, ARM = 12, GAP = 3 };
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	json_t *state = snapshot(driver, &app);
	json_t *frame = lab_get(lab_element(state, "toggle button", "7"), "frame");
	json_t *window = lab_get(state, "window_bounds");
	int x = (int)(lab_int(frame, "x") - lab_int(window, "x"));
	int y = (int)(lab_int(frame, "y") - lab_int(window, "y"));
	int width = (int)lab_int(frame, "w"), height = (int)lab_int(frame, "h"), marked = 0;
	json_int_t seven = lab_int(lab_element(state, "toggle button", "7"), "element_index");
	g_autofree char *path = g_strdup_printf("%s/aimed-%d.png", g_get_tmp_dir(), (int)getpid());
	g_autofree char *bytes = NULL;
	gsize size;

	lab_call_refused(driver, "invalid_arguments", "click", "{\"window_id\":%u,\"element_index\":%lld,"
		"\"debug_image_out\":\"/tmp/aimed.bmp\"}", app.window, (long long)seven);
	struct lab_answer answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,"
		"\"debug_image_out\":\"%s\"}", app.window, (long long)seven, path);
	lab_assert_str(lab_str(answer.structured, "debug_image_path"), path);
	lab_galculator_shows(desk, &app, "7");
	lab_assert(g_file_get_contents(path, &bytes, &size, NULL));
	unlink(path);
	struct lab_pixels pixels = lab_pixels_of_bytes(bytes, size);
	lab_assert_int(pixels.width, (int)lab_int(window, "width"));
	lab_assert_int(pixels.height, (int)lab_int(window, "height"));
	for (int row = 0; row < pixels.height; row++) {
		for (int column = 0; column < pixels.width; column++) {
			marked += lab_pixel(&pixels, column, row) == MAGENTA;
		}
	}
	lab_assert_int(marked, 2 * BORDER * (width + height) - 4 * BORDER * BORDER + 4 * (ARM - GAP));
	lab_assert_int((int)lab_pixel(&pixels, x, y), MAGENTA);
	lab_assert_int((int)lab_pixel(&pixels, x + width - 1, y + height - 1), MAGENTA);
	lab_assert_int((int)lab_pixel(&pixels, x + width / 2 + ARM, y + height / 2), MAGENTA);
	/* A place that cannot be written to is said, and the click happens. */
	answer = lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%lld,"
		"\"debug_image_out\":\"/nowhere/aimed.png\"}", app.window,
		(long long)lab_int(lab_element(state, "toggle button", "8"), "element_index"));
	lab_assert(lab_get(answer.structured, "debug_image_error") != NULL);
	lab_galculator_shows(desk, &app, "78");
}

static const struct lab_test tests[] = {
	{ .name = "background", .run = background, .servers = LAB_BOTH, .wms = "*",
	  .needs = "galculator xterm",
	  .about = "7 × 8 = is 56 in a window behind, and nothing of the user's has moved." },
	{ .name = "minimised", .run = minimised, .servers = LAB_XVFB, .wms = "openbox xfwm4 mutter",
	  .needs = "galculator xterm", .about = "A minimised window is operated and stays minimised." },
	{ .name = "toggle", .run = toggle, .servers = LAB_XVFB, .wms = "openbox kwin_x11",
	  .needs = "galculator",
	  .about = "A toggle that changed is confirmed, with its state before and after." },
	{ .name = "tokens", .run = tokens, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "A token means the element of one snapshot." },
	{ .name = "refusals", .run = refusals, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator",
	  .about = "What cannot be meant or done is refused by name, and nothing is pressed." },
	{ .name = "named_action", .run = named_action, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "An action may be chosen by name." },
	{ .name = "rebuilt", .run = rebuilt, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator",
	  .about = "A button that was replaced since the snapshot is stale, not another button." },
	{ .name = "restarted", .run = restarted, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "An element of a process that ended means nothing more." },
	{ .name = "twins", .run = twins, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "Two windows that look alike are not mixed up." },
	{ .name = "aimed", .run = aimed, .servers = LAB_XVFB, .wms = "openbox", .needs = "galculator",
	  .about = "debug_image_out writes the window with the element framed and the point marked." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
