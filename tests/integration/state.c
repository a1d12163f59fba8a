/* SPDX-License-Identifier: MIT */
/* get_window_state: tree and picture of one window, together and of that window only. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"

static void assert_element(const json_t *state, const char *label)
{
	json_t *element = lab_element(state, NULL, label);
	g_autofree char *mark = g_strdup_printf("[%lld]", (long long)lab_int(element, "element_index"));

	lab_str(element, "element_token");
	lab_assert(json_array_size(lab_array(element, "actions")) > 0);
	lab_assert(lab_array_has(lab_array(element, "states"), "enabled"));
	lab_assert_contains(lab_str(state, "tree_markdown"), mark);
	/* Its centre is a pixel of the picture that came with it. */
	lab_assert(lab_int(element, "at/x") > 0);
	lab_assert(lab_int(element, "at/y") > 0);
	lab_assert(lab_int(element, "at/x") < lab_int(state, "screenshot_width"));
	lab_assert(lab_int(element, "at/y") < lab_int(state, "screenshot_height"));
}

static void assert_whole(struct lab_desk *desk, const struct lab_app *app,
	const struct lab_answer *answer)
{
	struct lab_rect bounds = lab_x_bounds(desk, app->window);
	struct lab_picture picture = lab_picture_of(answer);
	json_t *state = answer->structured;

	lab_assert(lab_bool(state, "complete"));
	lab_assert(lab_bool(state, "has_screenshot"));
	lab_assert_int(picture.width, bounds.width);
	lab_assert_int(picture.height, bounds.height);
	lab_assert_int(lab_int(state, "screenshot_width"), picture.width);
	lab_assert_int(lab_int(state, "screenshot_height"), picture.height);
	lab_assert_str(lab_str(state, "screenshot_mime_type"), "image/png");
	/* Painted, not a blank sheet. */
	lab_assert(picture.colors > 8);
	lab_assert_int(lab_int(state, "window_bounds/x"), bounds.x);
	lab_assert_int(lab_int(state, "window_bounds/y"), bounds.y);
	lab_assert_int(lab_int(state, "element_count"),
		json_array_size(lab_array(state, "elements")));
	assert_element(state, "7");
	assert_element(state, "8");
	assert_element(state, "=");
	lab_str(state, "snapshot_id");
	lab_object(state, "timing");
	lab_assert_contains(answer->text, "[");
	/* Closed menus are not unrolled. */
	lab_assert(!strstr(lab_str(state, "tree_markdown"), "Preferences"));
}

static void tree_and_picture(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "get_window_state",
		"{\"pid\":%d,\"window_id\":%u}", app.pid, app.window);

	assert_whole(desk, &app, &answer);
	/* window_id alone is enough, and so is the pid of a process with one window. */
	answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", app.window);
	assert_whole(desk, &app, &answer);
	answer = lab_call_ok(driver, "get_window_state", "{\"pid\":%d}", app.pid);
	assert_whole(desk, &app, &answer);
	/* Covered by what the user works in, it looks as if nothing covered it. */
	xcb_window_t cover = lab_window_open(desk, &(struct lab_window){ .title = "cover",
		.width = 1270, .height = 760 });
	lab_user_works_in(desk, cover);
	struct lab_user before = lab_user_read(desk);
	answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", app.window);
	assert_whole(desk, &app, &answer);
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
}

/* Indices: parents before children, tokens of one snapshot, frames inside the window. */
static void elements(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}",
		app.window);
	struct lab_rect bounds = lab_x_bounds(desk, app.window);
	json_t *elements = lab_array(answer.structured, "elements"), *element;
	const char *snapshot = lab_str(answer.structured, "snapshot_id");
	size_t i;

	lab_assert(json_array_size(elements) > 50);
	json_array_foreach(elements, i, element) {
		json_t *at = json_object_get(element, "at");

		lab_assert_int(lab_int(element, "element_index"), i);
		g_autofree char *token = g_strdup_printf("%s:%zu", snapshot, i);
		lab_assert_str(lab_str(element, "element_token"), token);
		json_t *parent = json_object_get(element, "parent_index");
		lab_assert(!json_is_integer(parent) || json_integer_value(parent) < (json_int_t)i);
		if (json_is_object(at)) {
			lab_assert(lab_int(element, "frame/x") >= bounds.x);
			lab_assert(lab_int(element, "frame/y") >= bounds.y);
			lab_assert(lab_int(element, "frame/x") + lab_int(element, "frame/w") <=
				bounds.x + bounds.width);
			lab_assert_int(lab_int(at, "x"), lab_int(element, "frame/x") +
				lab_int(element, "frame/w") / 2 - bounds.x);
		}
	}
	/* What cannot be pressed is listed and says so. */
	element = lab_element(answer.structured, NULL, "A");
	lab_assert(!lab_array_has(lab_array(element, "states"), "enabled"));
	/* A second snapshot has another name. */
	struct lab_answer second = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}",
		app.window);
	lab_assert(strcmp(lab_str(second.structured, "snapshot_id"), snapshot) != 0);
}

static void pictures(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_rect bounds = lab_x_bounds(desk, app.window);
	g_autofree char *folder = g_dir_make_tmp("lab-shot-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(folder, "shot.png", NULL);
	struct lab_answer answer;

	answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"screenshot_out_file\":\"%s\"}", app.window, file);
	lab_assert(!lab_pick_str(lab_array(answer.result, "content"), "type", "image"));
	lab_assert_str(lab_str(answer.structured, "screenshot_file_path"), file);
	struct lab_picture picture = lab_picture_of_file(file);
	unlink(file);
	rmdir(folder);
	lab_assert_int(picture.width, bounds.width);
	lab_assert_int(picture.height, bounds.height);

	answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", app.window);
	lab_assert(!lab_pick_str(lab_array(answer.result, "content"), "type", "image"));
	lab_assert(!lab_bool(answer.structured, "has_screenshot"));
	lab_element(answer.structured, NULL, "7");

	answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_image_dimension\":200}", app.window);
	picture = lab_picture_of(&answer);
	lab_assert_int(MAX(picture.width, picture.height), 200);
	json_t *at = lab_object(lab_element(answer.structured, NULL, "="), "at");
	lab_assert(lab_int(at, "x") < picture.width && lab_int(at, "y") < picture.height);

	/* A file that cannot be written does not lose the tree, or is refused; never silence. */
	answer = lab_call(driver, "get_window_state",
		"{\"window_id\":%u,\"screenshot_out_file\":\"/no/such/folder/x.png\"}", app.window);
	lab_assert(g_strcmp0(answer.code, "file_not_written") == 0 ||
		json_is_string(json_object_get(answer.structured, "screenshot_error")));
}

static void wrong_targets(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	xcb_window_t first = lab_window_open(desk, &(struct lab_window){ .title = "first of two" });
	xcb_window_t second = lab_window_open(desk, &(struct lab_window){ .title = "second of two" });
	struct lab_answer answer;

	answer = lab_call_refused(driver, "window_owner_mismatch", "get_window_state",
		"{\"pid\":%d,\"window_id\":%u}", getpid(), app.window);
	lab_assert_int(lab_int(answer.structured, "owner_pid"), app.pid);
	answer = lab_call_refused(driver, "ambiguous_window_target", "get_window_state",
		"{\"pid\":%d}", getpid());
	json_t *candidates = lab_array(answer.structured, "candidates");
	lab_assert_int(json_array_size(candidates), 2);
	lab_assert(lab_pick_int(candidates, "window_id", first));
	lab_assert(lab_pick_int(candidates, "window_id", second));
	lab_call_refused(driver, "window_not_found", "get_window_state", "{\"window_id\":%u}",
		desk->root + 0x7fffff);
	lab_call_refused(driver, "window_not_found", "get_window_state", "{\"pid\":%d}", 1);
	lab_window_close(desk, second);
	lab_call_refused(driver, "window_not_found", "get_window_state", "{\"window_id\":%u}", second);
	lab_app_kill(&app);
	lab_call_refused(driver, "window_not_found", "get_window_state", "{\"window_id\":%u}",
		app.window);
}

static void without_accessibility(struct lab_desk *desk)
{
	struct lab_app app = lab_xterm(desk, "plain");
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}",
		app.window);
	struct lab_picture picture = lab_picture_of(&answer);
	struct lab_rect bounds = lab_x_bounds(desk, app.window);

	lab_assert(lab_bool(answer.structured, "degraded"));
	lab_assert(*lab_str(answer.structured, "degraded_reason"));
	lab_assert_str(lab_str(answer.structured, "tree"), "none");
	lab_assert_int(lab_int(answer.structured, "element_count"), 0);
	lab_assert_int(picture.width, bounds.width);
	lab_assert_int(picture.height, bounds.height);
}

/* Two processes of one program: each window has its own tree. */
static void only_that_window(struct lab_desk *desk)
{
	struct lab_app basic = lab_galculator(desk, false), scientific = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer;

	answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", basic.window);
	lab_assert(!lab_pick_str(lab_array(answer.structured, "elements"), "label", "cos"));
	answer = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", scientific.window);
	lab_element(answer.structured, NULL, "cos");
	answer = lab_call_ok(driver, "get_accessibility_tree", "{}");
	lab_assert_contains(answer.text, "galculator");
	answer = lab_call_ok(driver, "get_accessibility_tree", "{\"pid\":%d}", scientific.pid);
	lab_assert_contains(answer.text, "cos");
	lab_call_refused(driver, "app_not_found", "get_accessibility_tree", "{\"pid\":2000000000}");
}

static void limits(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, true);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_elements\":20,\"include_screenshot\":false}", app.window);

	lab_assert(!lab_bool(answer.structured, "complete"));
	lab_assert(lab_get(answer.structured, "truncated"));
	lab_assert(lab_int(answer.structured, "element_count") <= 20);
	answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"max_depth\":2,\"include_screenshot\":false}", app.window);
	lab_assert(!lab_bool(answer.structured, "complete"));
}

static const struct lab_test tests[] = {
	{ .name = "tree_and_picture", .run = tree_and_picture, .servers = LAB_BOTH, .wms = "*",
	  .needs = "galculator",
	  .about = "Tree and picture of a window come together, whole, also when it is covered." },
	{ .name = "elements", .run = elements, .servers = LAB_XVFB, .wms = "openbox mutter",
	  .needs = "galculator",
	  .about = "Elements are numbered in order and lie where the picture shows them." },
	{ .name = "pictures", .run = pictures, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "The picture goes to a file, is scaled, or is left out." },
	{ .name = "wrong_targets", .run = wrong_targets, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator",
	  .about = "A wrong, ambiguous or vanished target is refused with what helps to find it." },
	{ .name = "without_accessibility", .run = without_accessibility, .servers = LAB_XVFB,
	  .wms = "openbox none", .needs = "xterm",
	  .about = "A program without accessibility still gives its picture, and says what lacks." },
	{ .name = "only_that_window", .run = only_that_window, .servers = LAB_XVFB,
	  .wms = "openbox", .needs = "galculator",
	  .about = "The tree is that of the named window, never another one's." },
	{ .name = "limits", .run = limits, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .about = "A tree that was cut says so." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
