/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/frame.h"

#include <glib.h>

static void fits_without_enlarging(void)
{
	static const struct {
		int width, height, limit, shot_width, shot_height;
	} cases[] = {
		{ 640, 480, 1568, 640, 480 },
		{ 640, 480, 0, 640, 480 },
		{ 3136, 1568, 1568, 1568, 784 },
		{ 1000, 4000, 1000, 250, 1000 },
		{ 10000, 1, 100, 100, 1 }, /* never a side of 0 */
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		int width, height;
		frame_fit(cases[i].width, cases[i].height, cases[i].limit, &width, &height);
		g_assert_cmpint(width, ==, cases[i].shot_width);
		g_assert_cmpint(height, ==, cases[i].shot_height);
	}
}

/* A pixel of the picture leads to a screen pixel that leads back to it, at every scale down. */
static void picture_and_screen_round_trip(void)
{
	for (int limit = 0; limit <= 900; limit += 37) {
		struct frame frame = { .window = { 55, 27, 811, 637 } };
		frame_fit(811, 637, limit, &frame.shot_width, &frame.shot_height);
		for (int x = 0; x < frame.shot_width; x++) {
			struct screen_px there = frame_shot_to_screen(&frame, (struct shot_px){ x, 0 });
			g_assert_true(screen_rect_contains(frame.window, there));
			g_assert_cmpint(frame_screen_to_shot(&frame, there).x, ==, x);
		}
	}
}

static void unscaled_is_a_shift(void)
{
	const struct frame frame = { { 10, 20, 100, 50 }, 100, 50 };
	struct shot_px at = frame_screen_to_shot(&frame, (struct screen_px){ 12, 23 });
	g_assert_cmpint(at.x, ==, 2);
	g_assert_cmpint(at.y, ==, 3);
}

static void rectangles(void)
{
	struct screen_rect a = { 0, 0, 10, 10 }, b = { 8, 8, 10, 10 }, c = { 20, 0, 5, 5 };
	g_assert_cmpint(screen_rect_intersect(a, b).width, ==, 2);
	g_assert_true(screen_rect_empty(screen_rect_intersect(a, c)));
	g_assert_true(screen_rect_contains(a, (struct screen_px){ 9, 9 }));
	g_assert_false(screen_rect_contains(a, (struct screen_px){ 10, 9 }));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/frame/fit", fits_without_enlarging);
	g_test_add_func("/frame/round-trip", picture_and_screen_round_trip);
	g_test_add_func("/frame/unscaled", unscaled_is_a_shift);
	g_test_add_func("/frame/rectangles", rectangles);
	return g_test_run();
}
