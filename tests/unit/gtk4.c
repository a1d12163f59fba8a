/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/coords.h"

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

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gtk4/compositor", with_the_shadow_of_a_compositor);
	g_test_add_func("/gtk4/no-compositor", without_a_compositor);
	g_test_add_func("/gtk4/outwards", never_outwards);
	return g_test_run();
}
