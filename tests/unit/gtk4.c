/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/coords.h"
#include "gtk4-coords/scale.h"

#include <glib.h>

/* Measured on gnome-calculator under mutter: button "7". */
static void with_the_shadow_of_a_compositor(void)
{
	const struct screen_rect window = { 55, 27, 477, 610 };
	struct window_px inset = gtk4_inset((struct gtk4_extents){ true, 61, 61, 55, 67 }, window, 355, 488);
	struct screen_rect seven = gtk4_to_screen(window, inset, (struct screen_rect){ 16, 293, 60, 40 });
	g_assert_cmpint(inset.x, ==, 61);
	g_assert_cmpint(inset.y, ==, 55);
	g_assert_cmpint(seven.x, ==, 132);
	g_assert_cmpint(seven.y, ==, 375);
	g_assert_cmpint(seven.width, ==, 60);
}

/* Measured without one: no property, an X window of 365×498 around a frame of 355×488. */
static void without_a_compositor(void)
{
	const struct screen_rect window = { 100, 200, 365, 498 };
	struct window_px inset = gtk4_inset((struct gtk4_extents){ .known = false }, window, 355, 488);
	g_assert_cmpint(inset.x, ==, 5);
	g_assert_cmpint(inset.y, ==, 5);
}

static void never_outwards(void)
{
	const struct screen_rect window = { 0, 0, 300, 300 };
	struct window_px inset = gtk4_inset((struct gtk4_extents){ .known = false }, window, 400, 300);
	g_assert_cmpint(inset.x, ==, 0);
	g_assert_cmpint(inset.y, ==, 0);
}

static const struct gtk4_extents unknown;

static void assert_place(enum units units, struct screen_rect window, struct screen_rect frame,
	double scale, struct screen_rect told, struct screen_rect pixels)
{
	g_assert_cmpfloat(scale_of(units, window, unknown, frame), ==, scale);
	struct screen_rect is = scale_place(units, scale, window, frame, told);
	g_assert_cmpint(is.x, ==, pixels.x);
	g_assert_cmpint(is.y, ==, pixels.y);
	g_assert_cmpint(is.width, ==, pixels.width);
	g_assert_cmpint(is.height, ==, pixels.height);
}

/* Measured with GDK_SCALE=2 and QT_SCALE_FACTOR=2 and 1.5: a button at 10,90 of 260×40 units. */
static void with_larger_units(void)
{
	const struct screen_rect openbox = { 400, 147, 1760, 1320 }, mutter = { 399, 117, 1760, 1320 };
	/* GTK3 tells the window manager's frame as its own, and drops half pixels. */
	assert_place(UNITS_GTK3, openbox, (struct screen_rect){ 199, 63, 882, 673 }, 2,
		(struct screen_rect){ 210, 163, 260, 40 }, (struct screen_rect){ 420, 327, 520, 80 });
	assert_place(UNITS_GTK3, mutter, (struct screen_rect){ 199, 40, 881, 679 }, 2,
		(struct screen_rect){ 209, 148, 260, 40 }, (struct screen_rect){ 419, 297, 520, 80 });
	/* Qt5 tells its own place rounded. */
	assert_place(UNITS_OTHER, openbox, (struct screen_rect){ 200, 74, 880, 660 }, 2,
		(struct screen_rect){ 210, 164, 260, 40 }, (struct screen_rect){ 420, 327, 520, 80 });
	assert_place(UNITS_OTHER, (struct screen_rect){ 618, 226, 1323, 993 },
		(struct screen_rect){ 412, 151, 882, 662 }, 1.5,
		(struct screen_rect){ 422, 241, 260, 40 }, (struct screen_rect){ 633, 361, 390, 60 });
	/* GTK4 counts from its content. */
	assert_place(UNITS_GTK4, openbox, (struct screen_rect){ 0, 0, 880, 660 }, 2,
		(struct screen_rect){ 26, 94, 228, 32 }, (struct screen_rect){ 52, 188, 456, 64 });
}

static void with_units_of_one_pixel(void)
{
	const struct screen_rect button = { 850, 567, 260, 40 };
	assert_place(UNITS_GTK3, (struct screen_rect){ 840, 477, 880, 660 },
		(struct screen_rect){ 839, 457, 882, 685 }, 1, button, button);
	assert_place(UNITS_GTK3, (struct screen_rect){ 399, 105, 880, 660 },
		(struct screen_rect){ 399, 68, 880, 697 }, 1, button, button);
	assert_place(UNITS_GTK4, (struct screen_rect){ 100, 200, 365, 498 },
		(struct screen_rect){ 0, 0, 355, 488 }, 1, button, button);
	/* With the shadow taken off. */
	g_assert_cmpfloat(scale_of(UNITS_GTK4, (struct screen_rect){ 55, 27, 477, 610 },
		(struct gtk4_extents){ true, 61, 61, 55, 67 }, (struct screen_rect){ 0, 0, 355, 488 }), ==, 1);
	/* A frame that is of another window explains nothing. */
	g_assert_cmpfloat(scale_of(UNITS_OTHER, (struct screen_rect){ 0, 0, 800, 600 }, unknown,
		(struct screen_rect){ 0, 0, 400, 500 }), ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gtk4/compositor", with_the_shadow_of_a_compositor);
	g_test_add_func("/gtk4/no-compositor", without_a_compositor);
	g_test_add_func("/gtk4/outwards", never_outwards);
	g_test_add_func("/gtk4/larger-units", with_larger_units);
	g_test_add_func("/gtk4/pixel-units", with_units_of_one_pixel);
	return g_test_run();
}
