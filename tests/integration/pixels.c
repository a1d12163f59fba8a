/* SPDX-License-Identifier: MIT */
/*
 * The picture of a window is the window, to the last pixel: as xwd and ImageMagick see it while nothing
 * is in front, and the same when it is covered or half off the screen.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"

static struct lab_pixels reference(struct lab_desk *desk, xcb_window_t window)
{
	g_autofree char *command = g_strdup_printf(
		"xwd -silent -nobdrs -id %u | convert xwd:- -alpha off png24:-", window);
	struct lab_run run = lab_run(desk->env, LAB_ARGV("sh", "-c", command), NULL, 30000);

	if (run.code != 0 || run.out_size == 0) {
		lab_fail("xwd or ImageMagick failed: %s", run.err);
	}
	return lab_pixels_of_bytes(run.out, run.out_size);
}

static struct lab_pixels ours(struct lab_driver *driver, xcb_window_t window)
{
	struct lab_answer answer = lab_call_ok(driver, "screenshot",
		"{\"window_id\":%u,\"max_image_dimension\":0}", window);

	return lab_pixels_of(&answer);
}

/* Where they differ first, in words; NULL if they do not. */
static char *difference(const struct lab_pixels *a, const struct lab_pixels *b)
{
	if (a->width != b->width || a->height != b->height) {
		return g_strdup_printf("%d×%d and %d×%d", a->width, a->height, b->width, b->height);
	}
	int count = 0, first = -1;
	for (int i = 0; i < a->width * a->height; i++) {
		if (a->rgb[i] != b->rgb[i]) {
			first = first < 0 ? i : first;
			count++;
		}
	}
	return first < 0 ? NULL : g_strdup_printf("%d pixels differ; at %d,%d ours is %06x, not %06x", count,
		first % a->width, first / a->width, a->rgb[first], b->rgb[first]);
}

/* The window as it looks once it has stopped to change, by the reference alone. */
static struct lab_pixels settled(struct lab_desk *desk, xcb_window_t window)
{
	gint64 deadline = lab_deadline(30000);
	struct lab_pixels before = reference(desk, window);

	for (;;) {
		lab_x_quiet(desk, 500);
		struct lab_pixels after = reference(desk, window);
		if (difference(&before, &after) == NULL) {
			return after;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("the window never stopped to change");
		}
		before = after;
	}
}

/* Ours becomes the reference and is not just late: a window may still have to paint. */
static void assert_same(struct lab_desk *desk, struct lab_driver *driver, xcb_window_t window,
	const struct lab_pixels *reference, const char *when)
{
	gint64 deadline = lab_deadline(20000);

	for (;;) {
		struct lab_pixels pixels = ours(driver, window);
		char *wrong = difference(&pixels, reference);
		if (wrong == NULL) {
			return;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("%s: %s", when, wrong);
		}
		lab_x_quiet(desk, 500);
	}
}

struct spot {
	xcb_window_t window;
	int x, y;
};

static bool is_there(struct lab_desk *desk, void *data)
{
	const struct spot *spot = data;
	struct lab_rect bounds = lab_x_bounds(desk, spot->window);

	return abs(bounds.x - spot->x) < 80 && abs(bounds.y - spot->y) < 80;
}

static void move(struct lab_desk *desk, xcb_window_t window, int x, int y)
{
	struct spot spot = { window, x, y };

	xcb_configure_window(desk->x, window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y,
		(const uint32_t[]){ (uint32_t)x, (uint32_t)y });
	xcb_flush(desk->x);
	lab_x_until(desk, is_there, &spot, 20000, "moving a window");
}

/*
 * The user works in a window of their own all the time, so that the application is inactive in all
 * pictures: an active one looks different, and its caret blinks.
 */
static void compare(struct lab_desk *desk, const char *const *argv)
{
	/* Nothing lights up under the pointer. */
	xcb_warp_pointer(desk->x, XCB_NONE, desk->root, 0, 0, 0, 0, 2, 798);
	struct lab_app app = lab_app_start(desk, argv);
	xcb_window_t user = lab_window_open(desk, &(struct lab_window){ .title = "user", .width = 700,
		.height = 500 });

	move(desk, app.window, 40, 60);
	move(desk, user, 1100, 60);
	lab_user_works_in(desk, user);
	struct lab_pixels reference = settled(desk, app.window);
	lab_note("%d×%d", reference.width, reference.height);
	struct lab_driver *driver = lab_driver_start(desk);
	assert_same(desk, driver, app.window, &reference, "uncovered");
	move(desk, user, 20, 40);
	assert_same(desk, driver, app.window, &reference, "covered");
	/* A driver that never saw it uncovered. */
	struct lab_driver *late = lab_driver_start(desk);
	assert_same(desk, late, app.window, &reference, "covered from the beginning");
	lab_driver_stop(late);
	move(desk, user, 1100, 60);
	move(desk, app.window, 1280 - reference.width / 2, 200);
	assert_same(desk, driver, app.window, &reference, "half off the screen");
	late = lab_driver_start(desk);
	assert_same(desk, late, app.window, &reference, "half off the screen from the beginning");
}

static void galculator(struct lab_desk *desk)
{
	compare(desk, LAB_ARGV("galculator"));
}

static void gnome_calculator(struct lab_desk *desk)
{
	compare(desk, LAB_ARGV("gnome-calculator"));
}

static void kcalc(struct lab_desk *desk)
{
	compare(desk, LAB_ARGV("kcalc"));
}

static void xcalc(struct lab_desk *desk)
{
	compare(desk, LAB_ARGV("xcalc"));
}

static const struct lab_test tests[] = {
	{ .name = "galculator", .run = galculator, .servers = LAB_XVFB, .wms = "openbox xfwm4",
	  .needs = "galculator xwd convert", .timeout = 150,
	  .about = "GTK3, pixel for pixel as xwd: uncovered, covered, half off the screen." },
	{ .name = "gnome-calculator", .run = gnome_calculator, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "gnome-calculator xwd convert", .timeout = 150,
	  .about = "GTK4, pixel for pixel as xwd: uncovered, covered, half off the screen." },
	{ .name = "kcalc", .run = kcalc, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "kcalc xwd convert", .timeout = 150,
	  .about = "Qt5, pixel for pixel as xwd: uncovered, covered, half off the screen." },
	{ .name = "xcalc", .run = xcalc, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "xcalc xwd convert", .timeout = 150,
	  .about = "Windows in windows, pixel for pixel as xwd: uncovered, covered, half off the screen." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
