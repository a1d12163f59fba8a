/* SPDX-License-Identifier: MIT */
/* Several monitors, and how dense they are; the picture of them all is in true pixels. */
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"

static void run(struct lab_desk *desk, const char *const *argv, const char *input)
{
	struct lab_run result = lab_run(desk->env, argv, input, 20000);

	if (result.code != 0) {
		lab_fail("%s: exit code %d: %s", argv[0], result.code, result.err);
	}
}

static void fill(struct lab_desk *desk, xcb_window_t window, uint32_t colour)
{
	xcb_change_window_attributes(desk->x, window, XCB_CW_BACK_PIXEL, &colour);
	xcb_clear_area(desk->x, 0, window, 0, 0, 0, 0);
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
}

static xcb_window_t open_at(struct lab_desk *desk, int x, int y, int width, uint32_t colour)
{
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "coloured",
		.override_redirect = true, .x = x, .y = y, .width = width, .height = 60 });

	fill(desk, window, colour);
	return window;
}

static void assert_monitor(json_t *monitors, const char *name, struct lab_rect bounds)
{
	json_t *monitor = lab_pick_str(monitors, "name", name);

	lab_assert(monitor != NULL);
	lab_assert_int(lab_int(monitor, "bounds/x"), bounds.x);
	lab_assert_int(lab_int(monitor, "bounds/y"), bounds.y);
	lab_assert_int(lab_int(monitor, "bounds/width"), bounds.width);
	lab_assert_int(lab_int(monitor, "bounds/height"), bounds.height);
}

static const char *monitor_of(json_t *windows, json_t *monitors, xcb_window_t window)
{
	json_t *entry = lab_pick_int(windows, "window_id", window);

	return lab_str(json_array_get(monitors, (size_t)lab_int(entry, "monitor")), "name");
}

static void monitors(struct lab_desk *desk)
{
	/* Two of different height, so that some of the span is on none. */
	run(desk, LAB_ARGV("xrandr", "--setmonitor", "left", "640/160x800/200+0+0", "screen"), NULL);
	run(desk, LAB_ARGV("xrandr", "--setmonitor", "right", "640/160x600/150+640+100", "none"), NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t left = open_at(desk, 100, 300, 200, 0xd02020);
	xcb_window_t right = open_at(desk, 900, 300, 200, 0x2020d0);
	/* Across the border, more of it on the right. */
	xcb_window_t across = open_at(desk, 600, 500, 200, 0x20a020);

	struct lab_answer answer = lab_call_ok(driver, "get_desktop_state", "{}");
	json_t *told = lab_array(answer.structured, "monitors");
	lab_assert_int(json_array_size(told), 2);
	assert_monitor(told, "left", (struct lab_rect){ 0, 0, 640, 800 });
	assert_monitor(told, "right", (struct lab_rect){ 640, 100, 640, 600 });
	lab_assert_int(lab_int(answer.structured, "width"), 1280);
	lab_assert_int(lab_int(answer.structured, "height"), 800);
	/* A pixel of the picture is a pixel of the screen. */
	struct lab_pixels pixels = lab_pixels_of(&answer);
	lab_assert_int(pixels.width, 1280);
	lab_assert_int(pixels.height, 800);
	lab_assert_int(lab_pixel(&pixels, 110, 310), 0xd02020);
	lab_assert_int(lab_pixel(&pixels, 910, 310), 0x2020d0);
	lab_assert_int(lab_pixel(&pixels, 610, 510), 0x20a020);
	lab_assert_int(lab_pixel(&pixels, 790, 550), 0x20a020);

	json_t *windows = lab_array(lab_call_ok(driver, "list_windows", "{}").structured, "windows");
	lab_assert_str(monitor_of(windows, told, left), "left");
	lab_assert_str(monitor_of(windows, told, right), "right");
	lab_assert_str(monitor_of(windows, told, across), "right");
	/* A window across two monitors is one picture. */
	answer = lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", across);
	pixels = lab_pixels_of(&answer);
	lab_assert_int(pixels.width, 200);
	lab_assert_int(lab_pixel(&pixels, 10, 10), 0x20a020);
	lab_assert_int(lab_pixel(&pixels, 190, 10), 0x20a020);
}

/* What desktops publish for toolkits, by xrdb. */
static void density(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);

	struct lab_answer answer = lab_call_ok(driver, "get_screen_size", "{}");
	lab_assert(json_number_value(lab_get(answer.structured, "scale_factor")) == 1.0);
	run(desk, LAB_ARGV("xrdb", "-merge", "-nocpp"), "Xft.dpi:\t192\n");
	answer = lab_call_ok(driver, "get_screen_size", "{}");
	lab_assert(json_number_value(lab_get(answer.structured, "scale_factor")) == 2.0);
	/* True pixels all the same. */
	answer = lab_call_ok(driver, "get_desktop_state", "{}");
	lab_assert_int(lab_picture_of(&answer).width, 1280);
	lab_assert_int(lab_int(answer.structured, "screenshot_width"), 1280);
}

static const struct lab_test tests[] = {
	{ .name = "monitors", .run = monitors, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "xrandr", .about = "Two monitors: where they are, what is on which, one picture of both." },
	{ .name = "density", .run = density, .servers = LAB_XVFB, .wms = "openbox", .needs = "xrdb",
	  .about = "The factor desktops draw with is told, and changes no pixel." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
