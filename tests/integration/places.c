/* SPDX-License-Identifier: MIT */
/*
 * On a live gnome-calculator: a button's centre as the driver gives it is where the application
 * itself has it (coords/boxes.c); and a click of the core pointer there types that digit.
 */
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "coords/coords.h"

#define PATIENCE 30000

/* Where the key is by the application's own word, on the screen; waits until it says the same
 * twice. */
static struct lab_rect truth(
	struct lab_desk *desk, const struct coords_app *app, const struct lab_node *node)
{
	gint64 deadline = lab_deadline(PATIENCE);
	struct lab_rect last = { 0 };

	for (;;) {
		const struct coords_box *box = g_hash_table_lookup(coords_boxes(app), node->path);
		struct lab_rect window = lab_x_bounds(desk, app->app.window), rect = { 0 };

		if (box && box->mapped) {
			rect = (struct lab_rect){ window.x + (int)lround(box->x),
				window.y + (int)lround(box->y), (int)lround(box->width),
				(int)lround(box->height) };
		}
		if (rect.width > 0 && lab_rect_equal(rect, last)) {
			return rect;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("%s \"%s\" does not come to rest", node->role, node->name);
		}
		last = rect;
		poll(NULL, 0, 20);
	}
}

/* Named "7", or "7 7" after its label as well. */
static json_t *key_of(const json_t *state, const char *digit)
{
	g_autofree char *twice = g_strdup_printf("%s %s", digit, digit);
	json_t *elements = lab_array(state, "elements");
	json_t *key = lab_pick_str(elements, "label", twice);

	key = key ? key : lab_pick_str(elements, "label", digit);
	if (!key) {
		lab_fail("no key %s: %s", digit, lab_json(state));
	}
	return key;
}

static struct lab_node node_of(struct lab_desk *desk, const struct lab_app *app, const char *digit)
{
	g_autofree char *twice = g_strdup_printf("%s %s", digit, digit);
	struct lab_node node = lab_atspi_find(desk, app->pid, NULL, digit);

	return node.path ? node : lab_atspi_find(desk, app->pid, NULL, twice);
}

static void type_by_place(struct lab_desk *desk, struct lab_driver *driver,
	const struct coords_app *app, GString *text, const char *digits)
{
	for (; *digits; digits++) {
		char digit[2] = { *digits, '\0' };
		struct lab_node node = node_of(desk, &app->app, digit);
		struct lab_rect place;
		const json_t *key;

		/* What was laid out again while the driver looked is no place to compare. */
		do {
			place = truth(desk, app, &node);
			key = key_of(lab_call_ok(driver, "get_window_state",
					     "{\"window_id\":%u,\"include_screenshot\":false}",
					     app->app.window)
					     .structured,
				digit);
		} while (!lab_rect_equal(place, truth(desk, app, &node)));
		int x = (int)(lab_int(key, "frame/x") + lab_int(key, "frame/w") / 2);
		int y = (int)(lab_int(key, "frame/y") + lab_int(key, "frame/h") / 2);

		if (abs(x - (place.x + place.width / 2)) > 2
			|| abs(y - (place.y + place.height / 2)) > 2) {
			lab_fail("key %s is at %d,%d by the driver, at %d,%d by the application",
				digit, x, y, place.x + place.width / 2, place.y + place.height / 2);
		}
		/* From beside it: GTK4 wants a motion before it believes that the pointer is there. */
		g_autofree char *line = g_strdup_printf("xdotool mousemove %d %d mousemove %d %d click 1", x - 2,
			y - 2, x, y);
		g_auto(GStrv) argv = g_strsplit(line, " ", -1);
		lab_assert_int(lab_run(desk->env, (const char *const *)argv, NULL, 10000).code, 0);
		g_string_append(text, digit);
		lab_atspi_until_text(desk, app->app.pid, "text", NULL, text->str, PATIENCE);
	}
}

struct size {
	xcb_window_t window;
	int wider_than;
};

static bool is_wider(struct lab_desk *desk, void *data)
{
	struct size *size = data;

	return lab_x_bounds(desk, size->window).width > size->wider_than;
}

static void calculator(struct lab_desk *desk)
{
	struct coords_app started = coords_start(desk, LAB_ARGV("gnome-calculator"), NULL);
	struct lab_app app = started.app;
	struct lab_driver *driver = lab_driver_start(desk);
	g_autoptr(GString) text = g_string_new(NULL);

	lab_atspi_until_present(desk, app.pid, PATIENCE);
	lab_user_works_in(desk, app.window);
	type_by_place(desk, driver, &started, text, "70");
	/* Maximised there is no border. */
	struct size size = { app.window, lab_x_bounds(desk, app.window).width + 200 };
	lab_x_request(desk, app.window, "_NET_WM_STATE", 1, lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_HORZ"),
		lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_VERT"));
	lab_x_until(desk, is_wider, &size, PATIENCE, "maximising");
	lab_x_quiet(desk, 300);
	type_by_place(desk, driver, &started, text, "3");
}

static const struct lab_test tests[] = {
	{ .name = "calculator", .run = calculator, .servers = LAB_XVFB, .wms = "*",
	  .needs = "gnome-calculator xdotool", .timeout = 180,
	  .about = "GTK4's elements are where the driver says, also maximised." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
