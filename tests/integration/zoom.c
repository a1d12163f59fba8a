/* SPDX-License-Identifier: MIT */
/*
 * zoom shows the part that was asked for in true pixels, and pixels of it can be clicked. Every control
 * is painted in a colour of its own by the application; the zoom is decoded by ImageMagick.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

/* The pixels of a picture file of any kind, by ImageMagick. */
static struct lab_pixels decode(struct lab_desk *desk, const char *path)
{
	struct lab_run run = lab_run(desk->env, LAB_ARGV("convert", path, "png:-"), NULL, 30000);

	if (run.code != 0) {
		lab_fail("ImageMagick cannot read %s: %s", path, run.err);
	}
	return lab_pixels_of_bytes(run.out, run.out_size);
}

static struct lab_pixels zoom(struct lab_desk *desk, struct lab_driver *driver, xcb_window_t window,
	struct lab_rect at)
{
	struct lab_answer answer = lab_call_ok(driver, "zoom",
		"{\"window_id\":%u,\"x1\":%d,\"y1\":%d,\"x2\":%d,\"y2\":%d}", window, at.x, at.y,
		at.x + at.width, at.y + at.height);
	json_t *image = lab_pick_str(lab_array(answer.result, "content"), "type", "image");
	gsize size;
	g_autofree guchar *bytes = g_base64_decode(lab_str(image, "data"), &size);
	g_autofree char *path = g_strdup_printf("%s/zoom-%d.jpg", g_get_tmp_dir(), (int)getpid());

	lab_assert_str(lab_str(image, "mimeType"), "image/jpeg");
	lab_assert_str(lab_str(answer.structured, "screenshot_mime_type"), "image/jpeg");
	lab_assert(size > 3 && bytes[0] == 0xff && bytes[1] == 0xd8);
	lab_assert(g_file_set_contents(path, (char *)bytes, (gssize)size, NULL));
	struct lab_pixels pixels = decode(desk, path);
	unlink(path);
	lab_assert_int(lab_int(answer.structured, "screenshot_width"), pixels.width);
	lab_assert_int(lab_int(answer.structured, "screenshot_height"), pixels.height);
	return pixels;
}

/* JPEG changes colours a little. */
static bool alike(uint32_t a, uint32_t b)
{
	for (int shift = 0; shift < 24; shift += 8) {
		if (abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff)) > 12) {
			return false;
		}
	}
	return true;
}

static void zooming(struct lab_desk *desk)
{
	static const char *const controls[] = { "chk-agree", "btn-counter", "sld-value" };
	struct lab_harness *harness = lab_harness_start(desk, "gtk3",
		(const char *const[]){ "--colours", NULL });
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect bounds = lab_x_bounds(desk, harness->window);

	/* Without a picture pixels mean nothing. */
	lab_call_refused(driver, "no_cached_state", "zoom",
		"{\"window_id\":%u,\"x1\":0,\"y1\":0,\"x2\":10,\"y2\":10}", harness->window);
	/* A third of its size, so that a pixel of the picture is several of the window. */
	struct lab_answer state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_image_dimension\":%d}", harness->window,
		MAX(bounds.width, bounds.height) / 3);
	for (gsize i = 0; i < G_N_ELEMENTS(controls); i++) {
		json_t *element = lab_element(state.structured, NULL, lab_control_label(controls[i]));
		struct lab_rect at = { (int)lab_int(element, "at/x") - 2, (int)lab_int(element, "at/y") - 2,
			5, 5 };
		struct lab_pixels pixels = zoom(desk, driver, harness->window, at);
		lab_assert(pixels.width >= 15 && pixels.width <= 17);
		lab_assert(pixels.height >= 15 && pixels.height <= 17);
		uint32_t pixel = lab_pixel(&pixels, pixels.width / 2, pixels.height / 2);
		if (!alike(pixel, lab_control_colour(controls[i]))) {
			lab_fail("the middle of the zoom into %s is %06x, its colour %06x", controls[i], pixel,
				lab_control_colour(controls[i]));
		}
	}
	/* Outside, and nothing between. */
	lab_call_refused(driver, "point_outside_window", "zoom",
		"{\"window_id\":%u,\"x1\":0,\"y1\":0,\"x2\":5000,\"y2\":10}", harness->window);
	lab_call_refused(driver, "invalid_arguments", "zoom",
		"{\"window_id\":%u,\"x1\":9,\"y1\":0,\"x2\":9,\"y2\":10}", harness->window);
}

static void clicking(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk3",
		(const char *const[]){ "--colours", NULL });
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_image_dimension\":300}", harness->window);
	json_t *counter = lab_element(state.structured, NULL, lab_control_label("btn-counter"));
	int x = (int)lab_int(counter, "at/x"), y = (int)lab_int(counter, "at/y");

	/* No zoom yet, and a new screenshot ends the zooms into the one before. */
	lab_call_refused(driver, "no_cached_state", "click",
		"{\"window_id\":%u,\"x\":1,\"y\":1,\"from_zoom\":true}", harness->window);
	zoom(desk, driver, harness->window, (struct lab_rect){ x - 2, y - 2, 5, 5 });
	lab_call_ok(driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":300}",
		harness->window);
	lab_call_refused(driver, "no_cached_state", "click",
		"{\"window_id\":%u,\"x\":1,\"y\":1,\"from_zoom\":true}", harness->window);
	/* Where the control's colour is in the zoom, a click lands on the control. */
	struct lab_rect around = { MAX(0, x - 12), MAX(0, y - 6), 24, 12 };
	struct lab_pixels pixels = zoom(desk, driver, harness->window, around);
	int found = -1;
	for (int i = 0; i < pixels.width * pixels.height && found < 0; i++) {
		int right = i % pixels.width + 4, below = i / pixels.width + 4;
		if (right < pixels.width && below < pixels.height
			&& alike(pixels.rgb[i], lab_control_colour("btn-counter"))
			&& alike(lab_pixel(&pixels, right, below), lab_control_colour("btn-counter"))) {
			found = i;
		}
	}
	lab_assert(found >= 0);
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d,\"from_zoom\":true}",
		harness->window, found % pixels.width + 2, found / pixels.width + 2);
	lab_journal_wait_state(harness, "counter", "1", 20000);
	lab_call_refused(driver, "point_outside_window", "click",
		"{\"window_id\":%u,\"x\":%d,\"y\":0,\"from_zoom\":true}", harness->window, pixels.width);
}

/* .jpg asks for JPEG, .png for PNG, also of the whole screen; a leading ~ is the home folder. */
static void files(struct lab_desk *desk)
{
	g_autofree char *home = g_dir_make_tmp("zoom-XXXXXX", NULL);
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "white",
		.override_redirect = true, .x = 10, .y = 10, .width = 120, .height = 80 });

	desk->env = g_environ_setenv(desk->env, "HOME", home, TRUE);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "screenshot",
		"{\"window_id\":%u,\"screenshot_out_file\":\"~/window.jpg\"}", window);
	g_autofree char *jpeg = g_build_filename(home, "window.jpg", NULL);
	lab_assert_str(lab_str(answer.structured, "screenshot_file_path"), jpeg);
	lab_assert_str(lab_str(answer.structured, "screenshot_mime_type"), "image/jpeg");
	struct lab_run kind = lab_run(desk->env, LAB_ARGV("file", "-b", jpeg), NULL, 10000);
	lab_assert(g_str_has_prefix(kind.out, "JPEG"));
	struct lab_pixels pixels = decode(desk, jpeg);
	lab_assert_int(pixels.width, 120);
	lab_assert(alike(lab_pixel(&pixels, 60, 40), 0xffffff));

	answer = lab_call_ok(driver, "zoom", "{\"window_id\":%u,\"x1\":10,\"y1\":10,\"x2\":50,\"y2\":30,"
		"\"screenshot_out_file\":\"~/part.png\"}", window);
	g_autofree char *png = g_build_filename(home, "part.png", NULL);
	lab_assert_str(lab_str(answer.structured, "screenshot_mime_type"), "image/png");
	lab_assert_int(lab_picture_of_file(png).width, 40);
	lab_assert_int(lab_picture_of_file(png).height, 20);
	lab_assert_int(lab_int(answer.structured, "zoom_bounds/x"), 20);

	g_autofree char *desktop = g_build_filename(home, "desktop.jpeg", NULL);
	lab_call_ok(driver, "get_desktop_state", "{\"screenshot_out_file\":\"%s\"}", desktop);
	pixels = decode(desk, desktop);
	lab_assert_int(pixels.width, desk->screen->width_in_pixels);
	lab_assert(alike(lab_pixel(&pixels, 60, 40), 0xffffff));
	lab_call_refused(driver, "invalid_arguments", "screenshot",
		"{\"window_id\":%u,\"screenshot_out_file\":\"~/window.gif\"}", window);
	lab_run(NULL, LAB_ARGV("rm", "-r", home), NULL, 10000);
}

static const struct lab_test tests[] = {
	{ .name = "zooming", .run = zooming, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .needs = "convert", .about = "A zoom shows the true pixels of the part that was asked for." },
	{ .name = "clicking", .run = clicking, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "convert", .about = "A pixel of a zoom can be clicked." },
	{ .name = "files", .run = files, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "convert file", .about = "Pictures are written to files as their names say." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
