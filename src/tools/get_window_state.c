/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/markdown.h"
#include "core/png.h"
#include "core/token.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "include_screenshot", .type = PARAM_BOOL, .preset = "true",
	  .about = "false leaves the picture out, which is faster." },
	{ "screenshot_out_file", .type = PARAM_STRING,
	  .about = "Write the picture to this .png file instead of returning it. A leading ~ is the home "
		   "folder." },
	{ "max_image_dimension", .type = PARAM_INT, .min = 0, .max = 16384, .preset = "1568",
	  .about = "The picture is scaled down until no side is longer; 0 keeps its size." },
	{ "max_elements", .type = PARAM_INT, .min = 1, .max = 50000, .preset = "5000",
	  .about = "How many nodes of the tree are read at most." },
	{ "max_depth", .type = PARAM_INT, .min = 1, .max = 400,
	  .about = "How many levels of the tree are read at most." },
	{ "capture_mode", .type = PARAM_STRING,
	  .about = "Accepted for older callers and ignored: tree and picture always come together." },
	{ NULL }
};

/* The picture of the window, encoded, and how it lies on the screen. */
struct shot {
	GBytes *png;
	struct frame frame;
	char *problem;       /* why there is none */
	gint64 capture_us, encode_us;
};

static void shot_clear(struct shot *shot)
{
	g_clear_pointer(&shot->png, g_bytes_unref);
	g_free(shot->problem);
}

static void take_shot(struct call *call, struct shot *shot)
{
	g_autoptr(GError) error = NULL;
	int limit = (int)args_int(call->args, "max_image_dimension"), width, height;
	gint64 started = g_get_monotonic_time();
	struct picture *picture = call->platform->impl->capture(call->platform, call->window,
		call->deadline, &error);
	shot->capture_us = g_get_monotonic_time() - started;
	if (picture == NULL) {
		shot->problem = g_strdup(error->message);
		return;
	}
	/* The picture is what was there when it was taken, whatever size was listed before. */
	shot->frame.window.width = picture->width;
	shot->frame.window.height = picture->height;
	frame_fit(picture->width, picture->height, limit, &width, &height);
	started = g_get_monotonic_time();
	if (width != picture->width || height != picture->height) {
		struct picture *scaled = picture_scale(picture, width, height);
		picture_free(picture);
		picture = scaled;
	}
	shot->png = png_encode(picture);
	shot->encode_us = g_get_monotonic_time() - started;
	shot->frame.shot_width = width;
	shot->frame.shot_height = height;
	picture_free(picture);
}

/* The path with ~ expanded; NULL and a failed answer if it cannot be meant. */
static char *out_file(struct call *call)
{
	const char *path = args_string(call->args, "screenshot_out_file");
	if (!g_str_has_suffix(path, ".png")) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"screenshot_out_file takes a path that ends in .png, not '%.100s'", path);
		answer_string(call->answer, "argument", "screenshot_out_file");
		return NULL;
	}
	return path[0] == '~' && path[1] == '/' ? g_build_filename(g_get_home_dir(), path + 2, NULL)
		: g_strdup(path);
}

/* Returns false with a failed answer. */
static bool answer_shot(struct call *call, const struct shot *shot)
{
	struct answer *answer = call->answer;
	answer_bool(answer, "has_screenshot", shot->png != NULL);
	if (shot->png == NULL) {
		if (shot->problem != NULL) {
			answer_string(answer, "screenshot_error", shot->problem);
			answer_text(answer, "No screenshot: %s.\n", shot->problem);
		}
		return true;
	}
	answer_int(answer, "screenshot_width", shot->frame.shot_width);
	answer_int(answer, "screenshot_height", shot->frame.shot_height);
	answer_number(answer, "screenshot_scale_factor",
		(double)shot->frame.shot_width / shot->frame.window.width);
	answer_string(answer, "screenshot_mime_type", "image/png");
	if (!args_has(call->args, "screenshot_out_file")) {
		answer_image(answer, shot->png, "image/png");
		return true;
	}
	g_autoptr(GError) error = NULL;
	gsize length;
	const char *bytes = g_bytes_get_data(shot->png, &length);
	g_autofree char *path = out_file(call);
	if (path == NULL) {
		return false;
	}
	if (!g_file_set_contents(path, bytes, (gssize)length, &error)) {
		answer_fail(answer, ERROR_FILE_NOT_WRITTEN, "%s", error->message);
		return false;
	}
	answer_string(answer, "screenshot_file_path", path);
	answer_text(answer, "Screenshot: %s\n", path);
	return true;
}

static void answer_element(struct answer *answer, const struct snapshot *snapshot,
	const struct element *element)
{
	const struct tree *tree = snapshot->tree;
	const struct frame *frame = &snapshot->frame;
	const struct element *parent = tree_indexed_parent(tree, element);
	g_autofree char *token = token_new(snapshot, element->index);
	int depth = 0;
	for (const struct element *up = parent; up != NULL; up = tree_indexed_parent(tree, up)) {
		depth++;
	}
	answer_open_object(answer, NULL);
	answer_int(answer, "element_index", element->index);
	answer_string(answer, "element_token", token);
	answer_string(answer, "role", element->role);
	answer_string(answer, "label", element->name);
	answer_string(answer, "value", element->value);
	if (element->description != NULL) {
		answer_string(answer, "description", element->description);
	}
	answer_open_array(answer, "states");
	for (int i = 0; i < ELEMENT_STATE_COUNT; i++) {
		if (element->states & 1u << i) {
			answer_string(answer, NULL, element_state_name(1u << i));
		}
	}
	answer_close_array(answer);
	answer_strings(answer, "actions", (const char *const *)element->actions);
	if (element->has_frame) {
		answer_open_object(answer, "frame");
		answer_int(answer, "x", element->frame.x);
		answer_int(answer, "y", element->frame.y);
		answer_int(answer, "w", element->frame.width);
		answer_int(answer, "h", element->frame.height);
		answer_close_object(answer);
	} else {
		answer_null(answer, "frame");
	}
	struct screen_rect seen = screen_rect_intersect(element->frame, frame->window);
	if (element->has_frame && !screen_rect_empty(seen) && frame->shot_width > 0
		&& screen_rect_contains(frame->window, screen_rect_center(element->frame))) {
		struct shot_px at = frame_screen_to_shot(frame, screen_rect_center(element->frame));
		answer_open_object(answer, "at");
		answer_int(answer, "x", at.x);
		answer_int(answer, "y", at.y);
		answer_close_object(answer);
	} else {
		answer_null(answer, "at");
	}
	if (parent != NULL) {
		answer_int(answer, "parent_index", parent->index);
	} else {
		answer_null(answer, "parent_index");
	}
	answer_int(answer, "depth", depth);
	if (element->in_web_content) {
		answer_bool(answer, "in_web_content", true);
	}
	answer_close_object(answer);
}

static void answer_tree(struct answer *answer, const struct snapshot *snapshot)
{
	const struct tree *tree = snapshot->tree;
	g_autofree char *markdown = markdown_tree(tree);
	answer_string(answer, "tree_markdown", markdown);
	answer_open_array(answer, "elements");
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->index >= 0) {
			answer_element(answer, snapshot, element);
		}
	}
	answer_close_array(answer);
	answer_int(answer, "element_count", tree->indexed);
	answer_bool(answer, "complete", tree->complete);
	answer_string(answer, "tree", tree->skeleton ? "skeleton" : tree->degraded ? "none" : "full");
	if (tree->truncated != NULL) {
		answer_string(answer, "truncated", tree->truncated);
		answer_text(answer, "The tree is not complete: %s.\n", tree->truncated);
	}
	if (tree->degraded != NULL) {
		answer_bool(answer, "degraded", true);
		answer_string(answer, "degraded_reason", tree->degraded);
		answer_open_object(answer, "escalation");
		answer_string(answer, "recommended", "px");
		answer_string(answer, "reason", "The elements are missing; use the picture");
		answer_close_object(answer);
		answer_text(answer, "%s: %s.\n", tree->skeleton ? "Not all elements" : "No elements",
			tree->degraded);
	}
	answer_text_raw(answer, markdown);
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	const struct window *window = call->window;
	struct tree_limits limits = {
		.max_elements = (int)args_int(call->args, "max_elements"),
		.max_depth = (int)args_int(call->args, "max_depth"),
	};
	struct shot shot = { .frame.window = window->bounds };

	if (args_has(call->args, "screenshot_out_file")) {
		g_autofree char *path = out_file(call);
		if (path == NULL) {
			return;
		}
	}
	gint64 started = g_get_monotonic_time();
	struct tree *tree = call->platform->impl->tree(call->platform, window, &limits, call->deadline,
		&error);
	gint64 tree_us = g_get_monotonic_time() - started;
	if (tree == NULL && error->code == ERROR_NO_ACCESSIBILITY) {
		/* Without accessibility there is still something to see. */
		tree = tree_new();
		tree->complete = false;
		tree->degraded = g_strdup(error->message);
		g_clear_error(&error);
	}
	if (tree == NULL) {
		answer_fail_error(answer, error);
		return;
	}
	if (args_bool(call->args, "include_screenshot")) {
		take_shot(call, &shot);
	}
	struct snapshot *snapshot = snapshot_new(window, tree, shot.frame);
	session_keep(call->session, snapshot);

	answer_string(answer, "snapshot_id", snapshot->id);
	answer_int(answer, "pid", window->pid);
	answer_int(answer, "window_id", (gint64)window->id);
	answer_rect(answer, "window_bounds", window->bounds);
	answer_text(answer, "%s \"%s\", window_id %" G_GUINT64_FORMAT ", pid %d\n", window->app_name,
		window->title, window->id, (int)window->pid);
	if (!window->on_current_space) {
		answer_bool(answer, "off_space", true);
		answer_open_array(answer, "window_space_ids");
		answer_int(answer, NULL, window->workspace);
		answer_close_array(answer);
	}
	if (answer_shot(call, &shot)) {
		answer_tree(answer, snapshot);
		answer_open_object(answer, "timing");
		answer_number(answer, "tree_ms", (double)tree_us / 1000);
		answer_number(answer, "capture_ms", (double)shot.capture_us / 1000);
		answer_number(answer, "encode_ms", (double)shot.encode_us / 1000);
		answer_int(answer, "dbus_calls", tree->requests);
		answer_close_object(answer);
	}
	snapshot_unref(snapshot);
	shot_clear(&shot);
}

const struct tool tool_get_window_state = {
	.name = "get_window_state", .title = "Window state", .effect = TOOL_READS,
	.target = TARGET_WINDOW, .params = params, .run = run,
	.about = "The accessibility tree and a screenshot of one window, together. Every element that can "
		 "be acted on has an element_index ([N] in tree_markdown) for click and the others, and "
		 "`at`: its centre in the pixels of this screenshot. Works on covered windows.",
};
