/* SPDX-License-Identifier: MIT */
/*
 * The pixel an agent is told to click is the pixel of that control. Every control is painted in a colour
 * of its own by the application, so no coordinate code is needed to check it.
 */
#include "lab/oracle.h"

/* The controls that are one element each in every toolkit with accessibility. */
static const char *const controls[] = {
	"chk-agree", "btn-target", "sld-value", "txt-input", "btn-counter", "btn-modal", "btn-popup",
	"txt-password", "btn-second",
};

static void check(struct lab_harness *harness, struct lab_driver *driver, int limit)
{
	struct lab_answer answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_image_dimension\":%d}", harness->window, limit);
	struct lab_pixels pixels = lab_pixels_of(&answer);

	for (gsize i = 0; i < G_N_ELEMENTS(controls); i++) {
		json_t *element = lab_element(answer.structured, NULL, lab_control_label(controls[i]));
		json_t *at = json_object_get(element, "at");

		if (!json_is_object(at)) {
			lab_fail("%s has no place in the picture", controls[i]);
		}
		int x = (int)lab_int(at, "x"), y = (int)lab_int(at, "y");
		uint32_t colour = lab_pixel(&pixels, x, y);
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
