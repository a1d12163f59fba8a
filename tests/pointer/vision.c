/* SPDX-License-Identifier: MIT */
/*
 * A pixel read from the returned picture is the pixel that is clicked. A control is painted in one colour; where it is
 * on the screen the laboratory reads from the server, where it is in the picture from the PNG, and where the press
 * came the application says. None of the three knows of the driver's arithmetic.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pointer.h"

#define SOON 15000

static bool is_near(uint32_t a, uint32_t b)
{
	return abs((int)(a >> 16) - (int)(b >> 16)) < 12 && abs((int)(a >> 8 & 255) - (int)(b >> 8 & 255)) < 12 &&
		abs((int)(a & 255) - (int)(b & 255)) < 12;
}

/* The box of a colour in a picture; its edge may be blended where the picture is smaller than the window. */
static struct lab_rect find_colour(const struct lab_pixels *pixels, uint32_t colour)
{
	int left = pixels->width, top = pixels->height, right = -1, bottom = -1;

	for (int y = 0; y < pixels->height; y++) {
		for (int x = 0; x < pixels->width; x++) {
			if (is_near(pixels->rgb[y * pixels->width + x], colour)) {
				left = MIN(left, x);
				right = MAX(right, x);
				top = MIN(top, y);
				bottom = MAX(bottom, y);
			}
		}
	}
	lab_assert(right > left && bottom > top);
	return (struct lab_rect){ left, top, right - left + 1, bottom - top + 1 };
}

struct move {
	xcb_window_t window;
	struct lab_rect from;
};

static bool has_moved(struct lab_desk *desk, void *data)
{
	const struct move *move = data;
	struct lab_rect now = lab_x_bounds(desk, move->window);

	return now.x != move->from.x && now.y != move->from.y;
}

static bool has_grown(struct lab_desk *desk, void *data)
{
	const struct move *move = data;

	return lab_x_bounds(desk, move->window).width > move->from.width;
}

struct look {
	struct lab_harness *harness;
	struct lab_driver *driver;
	int unit;                    /* pixels of the screen in one of the application's */
};

/* Where a control is seen that was seen there while its window was there. A compositor shows it some time later. */
static struct lab_rect follow(struct lab_harness *harness, struct lab_rect was, struct lab_rect bounds)
{
	gint64 deadline = lab_deadline(SOON);
	struct lab_rect now, at;

	do {
		now = lab_x_bounds(harness->desk, harness->window);
		at = lab_harness_colour(harness, "win-child", SOON);
		if (lab_left(deadline) == 0) {
			lab_fail("%s is not shown where it was moved to", harness->name);
		}
	} while (at.x - was.x != now.x - bounds.x || at.y - was.y != now.y - bounds.y);
	return at;
}

/*
 * Presses pixels of the picture in the control and asks where they came. `limit` is the picture's largest side,
 * 0: the window's own; `dx` and `dy` is how far the window moves after the picture was taken.
 */
static void look(struct look *look, int limit, int dx, int dy)
{
	struct lab_harness *harness = look->harness;
	struct lab_desk *desk = harness->desk;
	struct lab_answer answer = lab_call_ok(look->driver, "screenshot",
		"{\"window_id\":%u,\"max_image_dimension\":%d}", harness->window, limit);
	struct lab_pixels pixels = lab_pixels_of(&answer);
	struct lab_rect shown = find_colour(&pixels, lab_control_colour("win-child"));
	struct lab_rect bounds = lab_x_bounds(desk, harness->window);
	double scale = MAX(1.0, bounds.width / (double)pixels.width);

	struct lab_rect real = lab_harness_colour(harness, "win-child", SOON);
	if (dx != 0 || dy != 0) {
		window_place(desk, harness->window, (struct lab_rect){ bounds.x + dx, bounds.y + dy,
			bounds.width, bounds.height });
		lab_x_until(desk, has_moved, &(struct move){ harness->window, bounds }, SOON, "a window to move");
		lab_x_quiet(desk, 300);
		real = follow(harness, real, bounds);
	}
	const double parts[] = { 0.02, 0.31, 0.5, 0.77, 0.98 };
	for (gsize i = 0; i < G_N_ELEMENTS(parts) * G_N_ELEMENTS(parts); i += 3) {
		int x = shown.x + (int)(shown.width * parts[i % 5]), y = shown.y + (int)(shown.height * parts[i / 5]);
		/* The middle of that pixel, in those of the screen. */
		double wanted_x = real.x + (x - shown.x + 0.5) * real.width / shown.width - 0.5;
		double wanted_y = real.y + (y - shown.y + 0.5) * real.height / shown.height - 0.5;
		guint mark = lab_journal_mark(harness);

		lab_call_ok(look->driver, "click", "{\"window_id\":%u,\"x\":%d,\"y\":%d}", harness->window, x, y);
		json_t *line = lab_journal_find(harness, mark, SOON, "kind", "event", "type", "button_press",
			"control", "win-child", NULL);
		if (!line) {
			lab_journal_note(harness, 10);
			lab_fail("the press on %d,%d of a picture of %d×%d did not come", x, y, pixels.width,
				pixels.height);
		}
		/* An application that counts in larger units tells the first pixel of one. */
		double off_x = lab_int(line, "x") * look->unit + (look->unit - 1) / 2.0 - wanted_x;
		double off_y = lab_int(line, "y") * look->unit + (look->unit - 1) / 2.0 - wanted_y;
		double allowed = MAX(scale, look->unit);
		if (fabs(off_x) > allowed || fabs(off_y) > allowed) {
			lab_fail("%s, limit %d, moved by %d,%d: pixel %d,%d is %.1f,%.1f on the screen and came %.1f,%.1f "
				"beside it", harness->name, limit, dx, dy, x, y, wanted_x, wanted_y, off_x, off_y);
		}
	}
}

/* Each way a picture can differ from what is on the screen. */
static void look_all(struct lab_desk *desk, const char *name, int unit)
{
	struct look at = { lab_harness_start(desk, name, LAB_ARGV("--colours")), lab_driver_start(desk), unit };
	struct lab_rect bounds = lab_x_bounds(desk, at.harness->window);

	window_place(desk, at.harness->window, (struct lab_rect){ 120, 90, bounds.width, bounds.height });
	lab_user_works_in(desk, at.harness->window);
	look(&at, 0, 0, 0);
	look(&at, 300, 0, 0);
	look(&at, 0, 77, 53);
	look(&at, 450, -41, 36);
	lab_driver_stop(at.driver);
	lab_harness_stop(at.harness);
}

static void look_with(struct lab_desk *desk, const char *name, const char *variable, const char *value, int unit)
{
	char **plain = g_strdupv(desk->env);

	desk->env = g_environ_setenv(desk->env, variable, value, TRUE);
	look_all(desk, name, unit);
	desk->env = plain;
}

void vision_plain(struct lab_desk *desk)
{
	look_all(desk, "canvas", 1);
}

void vision_decorated(struct lab_desk *desk)
{
	look_with(desk, "gtk3", "GTK_CSD", "1", 1);
	look_with(desk, "gtk4", "GTK_CSD", "1", 1);
}

void vision_dense(struct lab_desk *desk)
{
	static const char resources[] = "Xft.dpi:\t192\n";

	look_with(desk, "gtk3", "GDK_SCALE", "2", 2);
	/* A bare window does not know of it and tells every pixel, on a screen that says it is twice as dense. */
	lab_x_set(desk, desk->root, "RESOURCE_MANAGER", "STRING", resources, 8, sizeof resources - 1);
	look_with(desk, "canvas", "GDK_SCALE", "2", 1);
}

void vision_refused(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk3", NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect bounds = lab_x_bounds(desk, harness->window);

	lab_call_ok(driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}", harness->window);
	guint mark = lab_journal_mark(harness);
	const int outside[][2] = { { bounds.width, 5 }, { 5, bounds.height }, { 60000, 60000 } };
	for (gsize i = 0; i < G_N_ELEMENTS(outside); i++) {
		struct lab_answer answer = lab_call_refused(driver, "point_outside_window", "click",
			"{\"window_id\":%u,\"x\":%d,\"y\":%d}", harness->window, outside[i][0], outside[i][1]);

		lab_assert_str(lab_str(answer.structured, "delivery"), "none");
		lab_call_refused(driver, "point_outside_window", "drag", "{\"window_id\":%u,\"from_x\":5,\"from_y\":5,"
			"\"to_x\":%d,\"to_y\":%d}", harness->window, outside[i][0], outside[i][1]);
	}
	window_place(desk, harness->window, (struct lab_rect){ bounds.x, bounds.y, bounds.width + 90,
		bounds.height + 40 });
	lab_x_until(desk, has_grown, &(struct move){ harness->window, bounds }, SOON, "a window to grow");
	lab_call_refused(driver, "stale_frame", "click", "{\"window_id\":%u,\"x\":50,\"y\":60}", harness->window);
	lab_call_refused(driver, "stale_frame", "scroll", "{\"window_id\":%u,\"x\":50,\"y\":60,"
		"\"direction\":\"down\"}", harness->window);
	static const char *const tools[] = { "double_click", "right_click", "move_cursor", "mouse_button_down" };
	for (gsize i = 0; i < G_N_ELEMENTS(tools); i++) {
		lab_call_refused(driver, "stale_frame", tools[i], "{\"window_id\":%u,\"x\":50,\"y\":60}",
			harness->window);
	}
	lab_call_refused(driver, "stale_frame", "drag", "{\"window_id\":%u,\"from_x\":50,\"from_y\":60,\"to_x\":70,"
		"\"to_y\":60}", harness->window);
	/* What is asked for now comes after whatever might have come before. */
	lab_call_ok(driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}", harness->window);
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"x\":50,\"y\":60}", harness->window);
	lab_assert(lab_journal_find(harness, mark, SOON, "kind", "event", "type", "button_press", NULL));
	lab_assert_int(lab_journal_count(harness, mark, "kind", "event", "type", "button_press", NULL), 1);
	lab_assert_int(lab_journal_count(harness, mark, "kind", "event", "type", "scroll", NULL), 0);
	lab_driver_stop(driver);
}
