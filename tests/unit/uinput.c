/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>

#include "x11/uinput.h"

static void test_probe(void)
{
	g_assert_cmpint(uinput_probe("/nonexistent/uinput", true), ==, UINPUT_NO_NODE);
	g_assert_cmpint(uinput_probe("/dev/null", true), ==, UINPUT_READY);
	g_assert_cmpint(uinput_probe("/dev/null", false), ==, UINPUT_NOT_TAKEN);
	for (int i = UINPUT_READY; i <= UINPUT_NOT_TAKEN; i++) {
		g_assert_nonnull(uinput_text((enum uinput)i));
	}
	g_assert_null(uinput_advice(UINPUT_READY));
	g_assert_nonnull(uinput_advice(UINPUT_NO_NODE));
}

static void test_describe(void)
{
	struct libevdev *device = uinput_describe("a pointer", 1920, 1080);
	g_assert_cmpstr(libevdev_get_name(device), ==, "a pointer");
	g_assert_cmpint(libevdev_get_abs_maximum(device, ABS_X), ==, 1919);
	g_assert_cmpint(libevdev_get_abs_maximum(device, ABS_Y), ==, 1079);
	g_assert_true(libevdev_has_event_code(device, EV_KEY, BTN_RIGHT));
	g_assert_true(libevdev_has_event_code(device, EV_REL, REL_HWHEEL));
	/* What is touched is another kind of device to X servers. */
	g_assert_false(libevdev_has_event_code(device, EV_KEY, BTN_TOUCH));
	libevdev_free(device);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/uinput/probe", test_probe);
	g_test_add_func("/uinput/describe", test_describe);
	return g_test_run();
}
