/* SPDX-License-Identifier: MIT */
/*
 * GTK4 tells places in its window only. On a live gnome-calculator: a button's centre as the driver gives
 * it is the X window's origin plus the border GTK4 draws plus what GTK4 tells, each read by ourselves; and
 * a click of the core pointer there types that digit.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "lab/lab.h"

#define PATIENCE 30000
/* More than GTK4 draws around a window on both sides together. */
#define WIDEST 140

static struct lab_rect told(struct lab_desk *desk, const struct lab_node *node)
{
	struct lab_rect rect = { 0 };
	sd_bus_message *reply = NULL;

	if (sd_bus_call_method(desk->bus, node->bus, node->path, "org.a11y.atspi.Component", "GetExtents",
		NULL, &reply, "u", 1) < 0 || sd_bus_message_read(reply, "(iiii)", &rect.x, &rect.y, &rect.width,
		&rect.height) < 0) {
		lab_fail("%s \"%s\" does not tell its place", node->role, node->name);
	}
	sd_bus_message_unref(reply);
	return rect;
}

/* Waits until GTK has made the window as large as the X server has: then its places are those of now. */
static struct lab_rect await_layout(struct lab_desk *desk, const struct lab_app *app)
{
	struct lab_node frame = lab_atspi_find(desk, app->pid, NULL, "Calculator");
	gint64 deadline = lab_deadline(PATIENCE);

	for (;;) {
		struct lab_rect bounds = lab_x_bounds(desk, app->window), inner = told(desk, &frame);
		int wider = bounds.width - inner.width, higher = bounds.height - inner.height;

		if (wider >= 0 && wider <= WIDEST && abs(wider - higher) <= 2) {
			return inner;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("the window is %dx%d, its content %dx%d", bounds.width, bounds.height, inner.width,
				inner.height);
		}
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

static void type_by_place(struct lab_desk *desk, struct lab_driver *driver, const struct lab_app *app,
	GString *text, const char *digits)
{
	struct lab_rect inner = await_layout(desk, app);
	struct lab_rect bounds = lab_x_bounds(desk, app->window);
	g_autoptr(GArray) border = lab_x_list(desk, app->window, "_GTK_FRAME_EXTENTS");
	int left = border->len >= 4 ? (int)g_array_index(border, uint32_t, 0) : (bounds.width - inner.width) / 2;
	int top = border->len >= 4 ? (int)g_array_index(border, uint32_t, 2) : (bounds.height - inner.height) / 2;

	for (; *digits; digits++) {
		char digit[2] = { *digits, '\0' };
		struct lab_node node = node_of(desk, app, digit);
		struct lab_rect place;
		const json_t *key;

		/* What was laid out again while the driver looked is no place to compare. */
		do {
			place = told(desk, &node);
			key = key_of(lab_call_ok(driver, "get_window_state",
				"{\"window_id\":%u,\"include_screenshot\":false}", app->window).structured, digit);
		} while (!lab_rect_equal(place, told(desk, &node)));
		int x = (int)(lab_int(key, "frame/x") + lab_int(key, "frame/w") / 2);
		int y = (int)(lab_int(key, "frame/y") + lab_int(key, "frame/h") / 2);

		if (abs(x - (bounds.x + left + place.x + place.width / 2)) > 1 ||
			abs(y - (bounds.y + top + place.y + place.height / 2)) > 1) {
			lab_fail("key %s is at %d,%d; the window at %d,%d, its border %d,%d, the key in it at %d,%d",
				digit, x, y, bounds.x, bounds.y, left, top, place.x + place.width / 2,
				place.y + place.height / 2);
		}
		/* From beside it: GTK4 wants a motion before it believes that the pointer is there. */
		g_autofree char *line = g_strdup_printf("xdotool mousemove %d %d mousemove %d %d click 1", x - 2,
			y - 2, x, y);
		g_auto(GStrv) argv = g_strsplit(line, " ", -1);
		lab_assert_int(lab_run(desk->env, (const char *const *)argv, NULL, 10000).code, 0);
		g_string_append(text, digit);
		lab_atspi_until_text(desk, app->pid, "text", NULL, text->str, PATIENCE);
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
	struct lab_app app = lab_app_start(desk, LAB_ARGV("gnome-calculator"));
	struct lab_driver *driver = lab_driver_start(desk);
	g_autoptr(GString) text = g_string_new(NULL);

	lab_atspi_until_present(desk, app.pid, PATIENCE);
	lab_user_works_in(desk, app.window);
	type_by_place(desk, driver, &app, text, "70");
	/* Maximised there is no border. */
	struct size size = { app.window, lab_x_bounds(desk, app.window).width + 200 };
	lab_x_request(desk, app.window, "_NET_WM_STATE", 1, lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_HORZ"),
		lab_atom(desk, "_NET_WM_STATE_MAXIMIZED_VERT"));
	lab_x_until(desk, is_wider, &size, PATIENCE, "maximising");
	lab_x_quiet(desk, 300);
	type_by_place(desk, driver, &app, text, "3");
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
