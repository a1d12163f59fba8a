/* SPDX-License-Identifier: MIT */
/*
 * The pixel an agent is told to click is the pixel of that control. Every control is painted in a colour
 * of its own by the application, so no coordinate code is needed to check it.
 */
#include <png.h>
#include <string.h>

#include "lab/oracle.h"

/* The controls that are one element each in every toolkit with accessibility. */
static const char *const controls[] = {
	"chk-agree", "btn-target", "sld-value", "txt-input", "btn-counter", "btn-modal", "btn-popup",
	"txt-password", "btn-second",
};

static uint32_t pixel_of(const struct lab_answer *answer, int x, int y)
{
	json_t *block = lab_pick_str(lab_array(answer->result, "content"), "type", "image");
	png_image image = { .version = PNG_IMAGE_VERSION };
	gsize size;
	g_autofree guchar *bytes = g_base64_decode(lab_str(block, "data"), &size);

	lab_assert(png_image_begin_read_from_memory(&image, bytes, size));
	image.format = PNG_FORMAT_RGB;
	g_autofree uint8_t *rgb = g_malloc(PNG_IMAGE_SIZE(image));
	lab_assert(png_image_finish_read(&image, NULL, rgb, 0, NULL));
	lab_assert(x >= 0 && y >= 0 && x < (int)image.width && y < (int)image.height);
	const uint8_t *at = rgb + ((gsize)y * image.width + (gsize)x) * 3;
	return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static void check(struct lab_harness *harness, struct lab_driver *driver, int limit)
{
	struct lab_answer answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_image_dimension\":%d}", harness->window, limit);

	for (gsize i = 0; i < G_N_ELEMENTS(controls); i++) {
		json_t *element = lab_element(answer.structured, NULL, lab_control_label(controls[i]));
		json_t *at = json_object_get(element, "at");

		if (!json_is_object(at)) {
			lab_fail("%s has no place in the picture", controls[i]);
		}
		int x = (int)lab_int(at, "x"), y = (int)lab_int(at, "y");
		uint32_t colour = pixel_of(&answer, x, y);
		if (colour != lab_control_colour(controls[i])) {
			lab_fail("%s (%s) at %d,%d with a limit of %d: the pixel there is %06x, its colour %06x",
				controls[i], lab_str(element, "role"), x, y, limit, colour,
				lab_control_colour(controls[i]));
		}
	}
}

static void see(struct lab_desk *desk, const char *toolkit)
{
	struct lab_harness *harness = lab_harness_start(desk, toolkit,
		(const char *const[]){ "--colours", NULL });
	struct lab_driver *driver = lab_driver_start(desk);

	check(harness, driver, 0);
	check(harness, driver, 500);
}

static void gtk3(struct lab_desk *desk)
{
	see(desk, "gtk3");
}

static void gtk4(struct lab_desk *desk)
{
	see(desk, "gtk4");
}

static void qt5(struct lab_desk *desk)
{
	see(desk, "qt5");
}

static void web(struct lab_desk *desk)
{
	see(desk, "web");
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = gtk3, .servers = LAB_XVFB, .wms = "*",
	  .about = "Every control's own pixel, GTK3." },
	{ .name = "gtk4", .run = gtk4, .servers = LAB_XVFB, .wms = "*",
	  .about = "Every control's own pixel, GTK4, with and without shadows of its own." },
	{ .name = "qt5", .run = qt5, .servers = LAB_XVFB, .wms = "*",
	  .about = "Every control's own pixel, Qt5." },
	{ .name = "web", .run = web, .servers = LAB_XVFB, .wms = "openbox xfwm4",
	  .needs = "chromium", .about = "Every control's own pixel, a page in Chromium." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
