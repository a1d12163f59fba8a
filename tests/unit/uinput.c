/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>

#include "core/error.h"
#include "x11/master.h"
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
	struct libevdev *device = uinput_describe("a pointer");
	g_assert_cmpstr(libevdev_get_name(device), ==, "a pointer");
	g_assert_cmpint(libevdev_get_abs_maximum(device, ABS_X), ==, UINPUT_RANGE - 1);
	g_assert_cmpint(libevdev_get_abs_maximum(device, ABS_Y), ==, UINPUT_RANGE - 1);
	g_assert_true(libevdev_has_event_code(device, EV_KEY, BTN_RIGHT));
	g_assert_true(libevdev_has_event_code(device, EV_REL, REL_HWHEEL));
	/* What is touched is another kind of device to X servers. */
	g_assert_false(libevdev_has_event_code(device, EV_KEY, BTN_TOUCH));
	libevdev_free(device);
}

/* What the server makes of an axis: the device's range, as libinput passes it on, over the screen's. */
static int pixel_by_libinput(int axis, int size)
{
	return (int)((double)axis * 0xffff / UINPUT_RANGE * size / 0x10000);
}

static int pixel_by_evdev(int axis, int size)
{
	return (int)((double)axis * size / UINPUT_RANGE);
}

/* Every pixel of every screen comes back as itself, whichever driver the server has. */
static void test_axis(void)
{
	static const int sizes[] = { 1, 2, 640, 800, 1080, 1366, 1600, 1920, 2560, 3840, 5760, 7680, 16384 };
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		for (int pixel = 0; pixel < sizes[i]; pixel++) {
			int axis = uinput_axis(pixel, sizes[i]);
			g_assert_cmpint(axis, >=, 0);
			g_assert_cmpint(axis, <, UINPUT_RANGE);
			g_assert_cmpint(pixel_by_libinput(axis, sizes[i]), ==, pixel);
			g_assert_cmpint(pixel_by_evdev(axis, sizes[i]), ==, pixel);
		}
	}
	g_assert_cmpint(uinput_axis(5, 0), ==, 0);
}

/* Where the kernel has none, nobody gets one. */
static void test_open(void)
{
	g_autoptr(GError) error = NULL;
	if (g_file_test(UINPUT_NODE, G_FILE_TEST_EXISTS)) {
		g_test_skip("the kernel has one");
		return;
	}
	g_assert_null(uinput_open("a pointer", &error));
	g_assert_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE);
	uinput_close(NULL);
}

/* Devices are told by their names: whose they are is what `doctor --repair` goes by. */
static void test_places(void)
{
	char name[MASTER_NAME];
	master_name(name, 7, 4194304);
	g_assert_cmpint(master_place(name), ==, 7);
	g_autofree char *slave = g_strconcat(name, " uinput", NULL);
	g_assert_cmpint(master_place(slave), ==, 7);
	g_assert_cmpint(master_place("cua-driver 8 1"), ==, -1);
	g_assert_cmpint(master_place("cua-driver "), ==, -1);
	g_assert_cmpint(master_place("Logitech USB Receiver"), ==, -1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/uinput/probe", test_probe);
	g_test_add_func("/uinput/describe", test_describe);
	g_test_add_func("/uinput/axis", test_axis);
	g_test_add_func("/uinput/open", test_open);
	g_test_add_func("/uinput/places", test_places);
	return g_test_run();
}
