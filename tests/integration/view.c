/* SPDX-License-Identifier: MIT */
/*
 * When a window is looked at again: what it painted is seen, what it did not paint costs nothing, and
 * what cannot be seen is said to be old.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle.h"

#define RED 0xd02020
#define BLUE 0x2020d0
#define GREEN 0x20a020

/* Fills a part of a window of ours; when this returns, the server has done it. */
static void fill(struct lab_desk *desk, xcb_window_t window, uint32_t colour, xcb_rectangle_t at)
{
	xcb_gcontext_t gc = xcb_generate_id(desk->x);

	xcb_create_gc(desk->x, gc, window, XCB_GC_FOREGROUND, &colour);
	xcb_poly_fill_rectangle(desk->x, window, gc, 1, &at);
	xcb_free_gc(desk->x, gc);
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
}

static const char *image_of(const struct lab_answer *answer)
{
	return lab_str(lab_pick_str(lab_array(answer->result, "content"), "type", "image"), "data");
}

static bool spared(const struct lab_answer *answer)
{
	return json_number_value(lab_get(answer->structured, "timing/capture_ms")) == 0
		&& json_number_value(lab_get(answer->structured, "timing/encode_ms")) == 0;
}

static struct lab_answer shoot(struct lab_driver *driver, xcb_window_t window)
{
	return lab_call_ok(driver, "screenshot", "{\"window_id\":%u}", window);
}

/* A window that no window manager touches: it paints when the test does, and never else. */
static xcb_window_t open_still(struct lab_desk *desk, int x, int y, int width, int height)
{
	return lab_window_open(desk, &(struct lab_window){ .title = "still", .override_redirect = true,
		.x = x, .y = y, .width = width, .height = height });
}

/* Looks until nothing has to be done; window managers may still arrange a new window. */
static struct lab_answer shoot_spared(struct lab_driver *driver, xcb_window_t window)
{
	gint64 deadline = lab_deadline(20000);
	struct lab_answer before = shoot(driver, window);

	for (;;) {
		struct lab_answer answer = shoot(driver, window);
		if (spared(&answer)) {
			lab_assert_str(image_of(&answer), image_of(&before));
			return answer;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("a window that paints nothing was captured again and again");
		}
		before = answer;
	}
}

static void assert_shows(struct lab_driver *driver, xcb_window_t window, int x, int y, uint32_t colour)
{
	struct lab_answer answer = shoot(driver, window);
	struct lab_pixels pixels = lab_pixels_of(&answer);

	if (lab_pixel(&pixels, x, y) != colour) {
		lab_fail("the pixel at %d,%d is %06x, not %06x; %s", x, y, lab_pixel(&pixels, x, y), colour,
			spared(&answer) ? "it was not captured again" : "it was captured");
	}
	lab_assert(!spared(&answer));
}

static void unchanged(struct lab_desk *desk)
{
	xcb_window_t window = open_still(desk, 100, 100, 300, 200);
	struct lab_driver *driver = lab_driver_start(desk);

	fill(desk, window, RED, (xcb_rectangle_t){ 10, 10, 50, 50 });
	assert_shows(driver, window, 20, 20, RED);
	struct lab_answer kept = shoot_spared(driver, window);
	lab_assert_int(lab_int(kept.structured, "screenshot_width"), 300);
	/* A single pixel is enough to be looked at again. */
	fill(desk, window, BLUE, (xcb_rectangle_t){ 299, 199, 1, 1 });
	assert_shows(driver, window, 299, 199, BLUE);
	/* Both tools share what is kept, and the tree is read all the same. */
	gint64 deadline = lab_deadline(20000);
	struct lab_answer state;
	do {
		/* A compositor may have painted it anew in between. */
		shoot_spared(driver, window);
		state = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", window);
	} while (!spared(&state) && lab_left(deadline) > 0);
	lab_assert(spared(&state));
	lab_str(state.structured, "snapshot_id");
	lab_object(state.structured, "timing");
	/* A smaller picture of the same is another picture, made from the window. */
	struct lab_answer small = lab_call_ok(driver, "screenshot",
		"{\"window_id\":%u,\"max_image_dimension\":100}", window);
	lab_assert(!spared(&small));
	lab_assert_int(lab_picture_of(&small).width, 100);
}

static void subwindows(struct lab_desk *desk)
{
	xcb_window_t window = open_still(desk, 100, 100, 300, 200);
	xcb_window_t child = xcb_generate_id(desk->x), inner = xcb_generate_id(desk->x);
	struct lab_driver *driver = lab_driver_start(desk);
	uint32_t red = RED, green = GREEN;

	shoot_spared(driver, window);
	xcb_create_window(desk->x, XCB_COPY_FROM_PARENT, child, window, 100, 100, 80, 60, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, desk->screen->root_visual, XCB_CW_BACK_PIXEL, &red);
	xcb_create_window(desk->x, XCB_COPY_FROM_PARENT, inner, child, 10, 10, 20, 20, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, desk->screen->root_visual, XCB_CW_BACK_PIXEL, &green);
	xcb_map_window(desk->x, inner);
	xcb_map_window(desk->x, child);
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
	assert_shows(driver, window, 105, 105, RED);
	shoot_spared(driver, window);
	/* A window in a window in the window. */
	fill(desk, inner, BLUE, (xcb_rectangle_t){ 0, 0, 20, 20 });
	assert_shows(driver, window, 115, 115, BLUE);
	/* Moved, and gone: the parent shows what was under it. */
	shoot_spared(driver, window);
	xcb_configure_window(desk->x, child, XCB_CONFIG_WINDOW_X, &(uint32_t){ 10 });
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
	assert_shows(driver, window, 15, 105, RED);
	shoot_spared(driver, window);
	xcb_destroy_window(desk->x, child);
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
	assert_shows(driver, window, 15, 105, 0xffffff);
	/* Resized: what is kept is of another size. */
	shoot_spared(driver, window);
	xcb_configure_window(desk->x, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
		(const uint32_t[]){ 260, 220 });
	free(xcb_get_input_focus_reply(desk->x, xcb_get_input_focus(desk->x), NULL));
	struct lab_answer answer = shoot(driver, window);
	lab_assert_int(lab_picture_of(&answer).width, 260);
	lab_assert_int(lab_picture_of(&answer).height, 220);
}

static bool is_hidden(struct lab_desk *desk, void *data)
{
	return !lab_x_viewable(desk, *(xcb_window_t *)data);
}

static bool is_shown(struct lab_desk *desk, void *data)
{
	return lab_x_viewable(desk, *(xcb_window_t *)data);
}

static void minimised(struct lab_desk *desk)
{
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "seen",
		.width = 300, .height = 200 });
	xcb_window_t other = lab_window_open(desk, &(struct lab_window){ .title = "unseen" });
	struct lab_driver *driver = lab_driver_start(desk);

	fill(desk, window, RED, (xcb_rectangle_t){ 0, 0, 300, 200 });
	struct lab_answer before = shoot_spared(driver, window);
	lab_assert(lab_get(before.structured, "screenshot_stale") == NULL);
	lab_x_request(desk, window, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, is_hidden, &window, 20000, "minimising");
	struct lab_answer after = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", window);
	lab_assert(lab_bool(after.structured, "screenshot_stale"));
	lab_assert(lab_bool(after.structured, "has_screenshot"));
	lab_assert_str(image_of(&after), image_of(&before));
	lab_assert_contains(after.text, "last one before");
	/* One that was never seen has nothing to show, and says so; the tree is not lost. */
	lab_x_request(desk, other, "WM_CHANGE_STATE", 3, 0, 0);
	lab_x_until(desk, is_hidden, &other, 20000, "minimising");
	after = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", other);
	lab_assert(!lab_bool(after.structured, "has_screenshot"));
	lab_assert_contains(lab_str(after.structured, "screenshot_error"), "minimised");
	lab_str(after.structured, "snapshot_id");
	lab_call_refused(driver, "no_picture", "screenshot", "{\"window_id\":%u}", other);
	/* Restored, it is looked at again. */
	lab_x_request(desk, window, "_NET_ACTIVE_WINDOW", 2, 0, 0);
	lab_x_until(desk, is_shown, &window, 20000, "restoring");
	struct lab_pixels pixels;
	gint64 deadline = lab_deadline(20000);
	/* The window manager may be busy with it for a while, and clear it. */
	do {
		fill(desk, window, BLUE, (xcb_rectangle_t){ 0, 0, 300, 200 });
		after = shoot(driver, window);
		lab_assert(lab_get(after.structured, "screenshot_stale") == NULL);
		pixels = lab_pixels_of(&after);
	} while (lab_pixel(&pixels, 5, 5) != BLUE && lab_left(deadline) > 0);
	lab_assert_int(lab_pixel(&pixels, 5, 5), BLUE);
}

/* More windows than are kept: each is still seen right, and what they were redirected for goes. */
static void many(struct lab_desk *desk)
{
	xcb_window_t windows[12];
	struct lab_driver *driver = lab_driver_start(desk);

	for (guint i = 0; i < G_N_ELEMENTS(windows); i++) {
		windows[i] = open_still(desk, (int)(i % 4) * 220, (int)(i / 4) * 120, 200, 100);
	}
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < G_N_ELEMENTS(windows); i++) {
			fill(desk, windows[i], round << 16 | (i + 1), (xcb_rectangle_t){ 0, 0, 200, 100 });
		}
		for (uint32_t i = 0; i < G_N_ELEMENTS(windows); i++) {
			struct lab_answer answer = shoot(driver, windows[i]);
			struct lab_pixels pixels = lab_pixels_of(&answer);
			lab_assert_int(lab_pixel(&pixels, 50, 50), round << 16 | (i + 1));
		}
	}
}

/* Every control of the harness has its colour in the picture; false if one has not. */
static bool shows_colours(const struct lab_answer *answer)
{
	static const char *const controls[] = { "chk-agree", "btn-target", "sld-value", "btn-counter",
		"btn-modal" };
	struct lab_pixels pixels = lab_pixels_of(answer);

	for (gsize i = 0; i < G_N_ELEMENTS(controls); i++) {
		json_t *element = lab_element(answer->structured, NULL, lab_control_label(controls[i]));
		uint32_t pixel = lab_pixel(&pixels, (int)lab_int(element, "at/x"),
			(int)lab_int(element, "at/y"));
		if (pixel != lab_control_colour(controls[i])) {
			lab_note("%s is %06x", controls[i], pixel);
			return false;
		}
	}
	return true;
}

/*
 * Covered since before anybody looked: it has to paint itself first. A driver that does not know it
 * yet must wait for that; a machine that is busy may need more than one.
 */
static void covered(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk3",
		(const char *const[]){ "--colours", NULL });
	xcb_window_t cover = lab_window_open(desk, &(struct lab_window){ .title = "cover",
		.width = 1270, .height = 760 });

	lab_user_works_in(desk, cover);
	for (int try = 0; try < 5; try++) {
		struct lab_driver *driver = lab_driver_start(desk);
		struct lab_answer answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}",
			harness->window);
		bool painted = shows_colours(&answer);
		lab_driver_stop(driver);
		if (painted) {
			return;
		}
	}
	lab_fail("the first picture of a covered window never was that of the window");
}

/* Room for a number beside a small element. */
#define BESIDE 34

static bool is_around(const json_t *element, struct lab_rect bounds, int x, int y)
{
	int left = (int)lab_int(element, "frame/x") - bounds.x, top = (int)lab_int(element, "frame/y") - bounds.y;

	return x >= left - BESIDE && x < left + (int)lab_int(element, "frame/w") + BESIDE
		&& y >= top - BESIDE && y < top + (int)lab_int(element, "frame/h") + BESIDE;
}

/* Everything that `marks` changed is at an element that can be seen, and each of those has some of it. */
static void assert_marked(const struct lab_answer *answer, const struct lab_pixels *plain,
	const struct lab_pixels *marked, struct lab_rect bounds)
{
	json_t *elements = lab_array(answer->structured, "elements"), *element;
	g_autofree int *changed = g_new0(int, json_array_size(elements));
	int visible = 0;
	size_t k;

	for (int i = 0; i < plain->width * plain->height; i++) {
		bool explained = false;
		if (plain->rgb[i] == marked->rgb[i]) {
			continue;
		}
		json_array_foreach(elements, k, element) {
			if (json_is_object(json_object_get(element, "at"))
				&& is_around(element, bounds, i % plain->width, i / plain->width)) {
				changed[k]++;
				explained = true;
			}
		}
		if (!explained) {
			lab_fail("something is drawn at %d,%d, where no element is", i % plain->width,
				i / plain->width);
		}
	}
	json_array_foreach(elements, k, element) {
		if (!json_is_object(json_object_get(element, "at"))) {
			continue;
		}
		visible++;
		/* A number has more than 100 pixels; some may look like what was there. */
		if (changed[k] < 60) {
			lab_fail("[%d] \"%s\" has no number", (int)k, lab_str(element, "label"));
		}
	}
	lab_assert(visible > 8);
	lab_assert_int(lab_int(answer->structured, "marks_drawn"), visible);
	lab_assert_int(lab_int(answer->structured, "marks_left_out"), 0);
}

/* Two plain pictures that are the same, around a marked one: what differs is what was drawn. */
static void numbers(struct lab_desk *desk)
{
	struct lab_harness *harness = lab_harness_start(desk, "gtk3",
		(const char *const[]){ "--colours", NULL });
	xcb_window_t user = lab_window_open(desk, &(struct lab_window){ .title = "user" });
	struct lab_driver *driver = lab_driver_start(desk);
	gint64 deadline = lab_deadline(30000);

	lab_user_works_in(desk, user);
	for (;;) {
		struct lab_rect bounds = lab_x_bounds(desk, harness->window);
		struct lab_answer before = shoot(driver, harness->window);
		struct lab_answer answer = lab_call_ok(driver, "get_window_state",
			"{\"window_id\":%u,\"marks\":true}", harness->window);
		struct lab_answer after = shoot(driver, harness->window);
		struct lab_rect still = lab_x_bounds(desk, harness->window);
		if (strcmp(image_of(&before), image_of(&after)) == 0 && bounds.x == still.x
			&& bounds.y == still.y && bounds.width == still.width) {
			struct lab_pixels plain = lab_pixels_of(&before), marked = lab_pixels_of(&answer);
			lab_assert(lab_get(after.structured, "marks_drawn") == NULL);
			assert_marked(&answer, &plain, &marked, bounds);
			break;
		}
		if (lab_left(deadline) == 0) {
			lab_fail("the window never stopped to change");
		}
	}
	/* The picture alone can have them, too; they are the indices of the snapshot it names. */
	struct lab_answer alone = lab_call_ok(driver, "screenshot", "{\"window_id\":%u,\"marks\":true}",
		harness->window);
	lab_assert(lab_int(alone.structured, "marks_drawn") > 8);
	lab_str(alone.structured, "snapshot_id");
}

static const struct lab_test tests[] = {
	{ .name = "unchanged", .run = unchanged, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .about = "A window that painted nothing is neither captured nor encoded again." },
	{ .name = "subwindows", .run = subwindows, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .about = "What windows inside a window paint is seen." },
	{ .name = "minimised", .run = minimised, .servers = LAB_XVFB, .wms = "openbox xfwm4",
	  .about = "A minimised window shows its last picture, said to be old, or says why not." },
	{ .name = "many", .run = many, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "More windows than are kept redirected." },
	{ .name = "covered", .run = covered, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .about = "The first picture of a covered window." },
	{ .name = "numbers", .run = numbers, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .about = "Every element that can be seen has its number on the picture, and nothing else has." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
