/* SPDX-License-Identifier: MIT */
/* Where the windows are: the target, the user's, and what covers it. */
#include <string.h>
#include <xcb/shape.h>
#include <xcb/xinput.h>

#include "pointer.h"

#define SOON 15000

const char *const cover_names[COVERS] = { "visible", "other", "sibling" };

static xcb_window_t top_of(struct lab_desk *desk, xcb_window_t window)
{
	for (;;) {
		g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
			xcb_query_tree(desk->x, window), NULL);

		if (!tree || tree->parent == desk->root || tree->parent == XCB_NONE) {
			return window;
		}
		window = tree->parent;
	}
}

/* Whom a pointer would meet there. */
static xcb_window_t top_at(struct lab_desk *desk, int x, int y)
{
	g_autofree xcb_translate_coordinates_reply_t *reply = xcb_translate_coordinates_reply(desk->x,
		xcb_translate_coordinates(desk->x, desk->root, desk->root, (int16_t)x, (int16_t)y), NULL);

	return reply ? reply->child : XCB_NONE;
}

/* As near as its window manager and its own size hints let it. */
void window_place(struct lab_desk *desk, xcb_window_t window, struct lab_rect at)
{
	const uint32_t values[] = { (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.width, (uint32_t)at.height };

	xcb_configure_window(desk->x, window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y |
		XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, values);
	xcb_flush(desk->x);
	lab_x_quiet(desk, 150);
}

struct meeting {
	struct scene *scene;
	xcb_window_t who;
};

/* At all places that are used. */
static bool meets(struct lab_desk *desk, void *data)
{
	const struct meeting *meeting = data;
	const struct scene *scene = meeting->scene;
	const struct lab_rect bounds = lab_x_bounds(desk, scene->harness->window);
	const struct lab_rect spots[] = { scene->press, scene->twice, scene->slide, scene->wheel };
	xcb_window_t wanted = top_of(desk, meeting->who);

	for (gsize i = 0; i < G_N_ELEMENTS(spots); i++) {
		struct lab_rect at = spots[i];
		int y = bounds.y + at.y + at.height / 2;

		if (top_at(desk, bounds.x + at.x, y) != wanted ||
			top_at(desk, bounds.x + at.x + at.width - 1, y) != wanted) {
			return false;
		}
	}
	return true;
}

/* Window managers differ in whom they let raise what, and may let a request go by. */
static void bring(struct meeting *meeting)
{
	struct lab_desk *desk = meeting->scene->desk;
	const uint32_t above = XCB_STACK_MODE_ABOVE;
	gint64 deadline = lab_deadline(SOON);

	for (int i = 0; !meets(desk, meeting); i++) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s cannot be brought to where it should be", meeting->scene->target->name);
		}
		if (i % 2 == 0) {
			lab_x_request(desk, meeting->who, "_NET_ACTIVE_WINDOW", 2, XCB_CURRENT_TIME, 0);
		} else {
			xcb_configure_window(desk->x, meeting->who, XCB_CONFIG_WINDOW_STACK_MODE, &above);
			xcb_flush(desk->x);
		}
		lab_x_quiet(desk, 300);
	}
}

void scene_cover(struct scene *scene, enum cover cover)
{
	struct lab_desk *desk = scene->desk;
	struct lab_rect main = lab_x_bounds(desk, scene->harness->window);
	struct lab_rect over = { main.x - 8, main.y - 8, main.width + 16, main.height + 16 };
	xcb_window_t user = lab_sentinel_window(scene->sentinel);
	struct meeting meeting = { scene, cover == COVER_NONE ? scene->harness->window
		: cover == COVER_OTHER ? user : scene->sibling };

	window_place(desk, user, cover == COVER_OTHER ? over : (struct lab_rect){ 1120, 60, 320, 200 });
	window_place(desk, scene->sibling, cover == COVER_SIBLING ? over
		: (struct lab_rect){ 1120, 400, 300, 150 });
	bring(&meeting);
	lab_call_ok(scene->driver, "screenshot", "{\"window_id\":%u,\"max_image_dimension\":0}",
		scene->harness->window);
}

/* --- What is where -------------------------------------------------------------------------------- */

/* `row`: a place for it where there are no controls. */
static struct lab_rect see(struct scene *scene, const char *id, int row)
{
	const char *name = scene->target->name;
	struct lab_rect bounds = lab_x_bounds(scene->desk, scene->harness->window);
	struct lab_rect at;

	if (g_str_equal(id, "terminal") || g_str_equal(name, "canvas")) {
		return (struct lab_rect){ 200, 100 + row * 60, 260, 40 };
	}
	at = scene->target->option ? lab_harness_colour(scene->harness, id, SOON)
		: lab_harness_see(scene->harness, NULL, lab_control_label(id), SOON).frame;
	at.x -= bounds.x;
	at.y -= bounds.y;
	return at;
}

struct family {
	pid_t pid;
	xcb_window_t self, other;
};

static bool has_sibling(struct lab_desk *desk, void *data)
{
	struct family *family = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);

		if (window != family->self && lab_x_viewable(desk, window) &&
			lab_x_pid(desk, window) == family->pid) {
			family->other = window;
			return true;
		}
	}
	return false;
}

/* The control that opens it is clicked as a person would; some open it by themselves. */
static void open_sibling(struct scene *scene)
{
	struct family family = { scene->harness->pid, scene->harness->window, XCB_NONE };

	if (scene->target->says) {
		struct lab_rect bounds = lab_x_bounds(scene->desk, scene->harness->window);
		struct lab_rect at = see(scene, "btn-second", 0);
		g_autofree char *x = g_strdup_printf("%d", bounds.x + at.x + at.width / 2);
		g_autofree char *y = g_strdup_printf("%d", bounds.y + at.y + at.height / 2);
		g_autofree char *beside = g_strdup_printf("%d", bounds.x + at.x + at.width / 2 - 2);

		lab_assert_int(lab_run(scene->desk->env, LAB_ARGV("xdotool", "mousemove", beside, y, "mousemove",
			x, y, "click", "1"), NULL, 10000).code, 0);
	}
	lab_x_until(scene->desk, has_sibling, &family, SOON, "a second window");
	scene->sibling = family.other;
}

/* --- What a driver may leave ----------------------------------------------------------------------- */

static int count_masters(struct lab_desk *desk)
{
	g_autofree xcb_input_xi_query_version_reply_t *version = xcb_input_xi_query_version_reply(desk->x,
		xcb_input_xi_query_version(desk->x, 2, 2), NULL);
	g_autofree xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(desk->x,
		xcb_input_xi_query_device(desk->x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);

	lab_assert(version && reply);
	return reply->num_infos;
}

/* Every window with an input shape of several rectangles, and how many; a hole makes at least four. */
static char *shapes(struct lab_desk *desk)
{
	g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x,
		xcb_query_tree(desk->x, desk->root), NULL);
	GString *text = g_string_new(NULL);

	for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++) {
		xcb_window_t window = xcb_query_tree_children(tree)[i];
		g_autofree xcb_shape_get_rectangles_reply_t *shape = xcb_shape_get_rectangles_reply(desk->x,
			xcb_shape_get_rectangles(desk->x, window, XCB_SHAPE_SK_INPUT), NULL);
		int count = shape ? xcb_shape_get_rectangles_rectangles_length(shape) : 1;

		if (count > 1) {
			g_string_append_printf(text, " 0x%x:%d", window, count);
		}
	}
	return g_string_free(text, FALSE);
}

void scene_close(struct scene *scene)
{
	lab_driver_stop(scene->driver);
	lab_assert_int(count_masters(scene->desk), 2);
	lab_assert_str(shapes(scene->desk), scene->shapes);
	lab_assert(lab_harness_lives(scene->harness));
}

void scene_open(struct scene *scene, struct lab_desk *desk, const struct target *target, bool calibrate)
{
	*scene = (struct scene){ .desk = desk, .target = target };
	lab_assert_int(count_masters(desk), 2);
	scene->harness = lab_harness_start(desk, target->name,
		target->option ? LAB_ARGV(target->option) : NULL);
	/* Its size is its own; it only has to be where there is room beside it. */
	struct lab_rect main = lab_x_bounds(desk, scene->harness->window);
	window_place(desk, scene->harness->window, (struct lab_rect){ 60, 60, main.width, main.height });
	lab_user_works_in(desk, scene->harness->window);
	scene->press = see(scene, target->press, 0);
	scene->twice = see(scene, target->twice, 1);
	scene->slide = see(scene, target->slide, 2);
	scene->wheel = see(scene, target->wheel, 3);
	open_sibling(scene);
	scene->sentinel = lab_sentinel_open(desk, "320x200+1120+60");
	if (calibrate) {
		lab_sentinel_calibrate(scene->sentinel, LAB_FIVE);
	}
	/* Some window managers have round corners. */
	scene->shapes = shapes(desk);
	scene->driver = lab_driver_start(desk);
	scene->mark = lab_journal_mark(scene->harness);
}
