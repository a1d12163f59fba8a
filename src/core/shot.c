/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/shot.h"

#include "core/jpeg.h"
#include "core/lens.h"
#include "core/png.h"

#define PNG "image/png"
#define JPEG "image/jpeg"

static bool is_jpeg(const char *path)
{
	g_autofree char *lower = g_ascii_strdown(path, -1);
	return g_str_has_suffix(lower, ".jpg") || g_str_has_suffix(lower, ".jpeg");
}

/* What the file's name asks for; `otherwise` if there is none. */
static const char *wanted_type(struct call *call, const char *otherwise)
{
	const char *path = args_string(call->args, "screenshot_out_file");
	return path == NULL ? otherwise : is_jpeg(path) ? JPEG : PNG;
}

/*
 * Encodes the picture, which it takes over, scaled down until no side is longer than `limit`, with the
 * numbers of a tree's elements if there is one.
 */
static void encode(struct shot *shot, struct picture *picture, int limit, const char *type,
	const struct tree *tree)
{
	int width, height;
	gint64 started = g_get_monotonic_time();
	/* The picture is what was there when it was taken, whatever size was listed before. */
	shot->frame.window.width = picture->width;
	shot->frame.window.height = picture->height;
	frame_fit(picture->width, picture->height, limit, &width, &height);
	if (width != picture->width || height != picture->height) {
		struct picture *scaled = picture_scale(picture, width, height);
		picture_free(picture);
		picture = scaled;
	}
	shot->frame.shot_width = width;
	shot->frame.shot_height = height;
	if (tree != NULL) {
		shot->marks = marks_draw(picture, &shot->frame, tree);
		shot->marked = true;
	}
	shot->type = type;
	shot->bytes = g_str_equal(type, JPEG) ? jpeg_encode(picture) : png_encode(picture);
	shot->encode_us = g_get_monotonic_time() - started;
	picture_free(picture);
}

/* Takes the picture kept for the window as this one's. */
static void take_kept(struct shot *shot, const struct window *window, struct gallery_picture *kept)
{
	shot->bytes = g_steal_pointer(&kept->png);
	shot->type = PNG;
	shot->frame = kept->frame;
	/* The window may have been moved meanwhile. */
	shot->frame.window.x = window->bounds.x;
	shot->frame.window.y = window->bounds.y;
}

void shot_take(struct call *call, struct shot *shot, GError **error)
{
	shot_take_marked(call, NULL, shot, error);
}

void shot_take_marked(struct call *call, const struct tree *tree, struct shot *shot, GError **error)
{
	g_autoptr(GError) problem = NULL;
	const struct window *window = call->window;
	const char *type = wanted_type(call, PNG);
	/* Only what is the window and nothing else is kept. */
	bool plain = g_str_equal(type, PNG) && tree == NULL;
	int limit = (int)(args_has(call->args, "max_image_dimension")
		? args_int(call->args, "max_image_dimension")
		: settings_int(call->settings, call->session, "max_image_dimension"));
	struct gallery_picture kept = { 0 };
	bool found = gallery_find(call->gallery, window, &kept);
	struct capture capture = {
		.version = found && plain && kept.limit == limit ? kept.version : 0,
	};
	gint64 started = g_get_monotonic_time();

	shot->frame.window = window->bounds;
	bool taken = call->platform->impl->capture(call->platform, window, &capture, call->deadline,
		&problem);
	if (taken && capture.picture != NULL) {
		shot->capture_us = g_get_monotonic_time() - started;
		encode(shot, capture.picture, limit, type, tree);
		if (plain) {
			gallery_keep(call->gallery, window, &(struct gallery_picture){ capture.version, limit,
				shot->frame, shot->bytes });
		}
	} else if (taken) {
		take_kept(shot, window, &kept);
	} else if (found && g_str_equal(type, PNG) && problem->code == ERROR_NO_PICTURE) {
		take_kept(shot, window, &kept);
		shot->stale = true;
	} else {
		shot->problem = g_strdup(problem->message);
		g_propagate_error(error, g_steal_pointer(&problem));
	}
	if (shot->bytes != NULL) {
		lens_keep(call, LENS_PICTURE, &shot->frame, shot->frame.window);
	}
	g_clear_pointer(&kept.png, g_bytes_unref);
}

bool shot_take_part(struct call *call, struct screen_rect part, struct shot *shot, GError **error)
{
	struct capture capture = { 0 };
	gint64 started = g_get_monotonic_time();
	if (!call->platform->impl->capture(call->platform, call->window, &capture, call->deadline,
		error)) {
		return false;
	}
	shot->capture_us = g_get_monotonic_time() - started;
	struct screen_rect window = call->window->bounds;
	window.width = capture.picture->width;
	window.height = capture.picture->height;
	part = screen_rect_intersect(part, window);
	if (screen_rect_empty(part)) {
		picture_free(capture.picture);
		g_set_error(error, CUA_ERROR, ERROR_STALE_FRAME, "The window has become smaller");
		return false;
	}
	struct picture *cut = picture_crop(capture.picture, part.x - window.x, part.y - window.y,
		part.width, part.height);
	picture_free(capture.picture);
	shot->frame.window = part;
	encode(shot, cut, 0, wanted_type(call, JPEG), NULL);
	lens_keep(call, LENS_ZOOM, &shot->frame, window);
	return true;
}

bool shot_take_screen(struct call *call, struct shot *shot, GError **error)
{
	gint64 started = g_get_monotonic_time();
	struct picture *picture = call->platform->impl->capture_screen(call->platform, call->deadline,
		error);
	if (picture == NULL) {
		return false;
	}
	shot->capture_us = g_get_monotonic_time() - started;
	encode(shot, picture, 0, wanted_type(call, PNG), NULL);
	return true;
}

void shot_clear(struct shot *shot)
{
	g_clear_pointer(&shot->bytes, g_bytes_unref);
	g_free(shot->problem);
}

bool shot_check_file(struct call *call)
{
	const char *path = args_string(call->args, "screenshot_out_file");
	if (path == NULL || g_str_has_suffix(path, ".png") || is_jpeg(path)) {
		return true;
	}
	answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
		"screenshot_out_file takes a path that ends in .png or .jpg, not \"%.100s\"", path);
	answer_string(call->answer, "argument", "screenshot_out_file");
	return false;
}

char *shot_write(const char *given, GBytes *picture, GError **error)
{
	g_autofree char *path = g_str_has_prefix(given, "~/")
		? g_build_filename(g_get_home_dir(), given + 2, NULL) : g_strdup(given);
	gsize length;
	const char *bytes = g_bytes_get_data(picture, &length);
	return g_file_set_contents(path, bytes, (gssize)length, error) ? g_steal_pointer(&path) : NULL;
}

static bool write_file(struct call *call, GBytes *picture, bool more)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = shot_write(args_string(call->args, "screenshot_out_file"), picture, &error);
	if (path == NULL && !more) {
		answer_fail(call->answer, ERROR_FILE_NOT_WRITTEN,
			"The file was not written: \"%s\"", error->message);
		return false;
	}
	if (path == NULL) {
		/* What else was looked for is there, and the picture is no reason to lose it. */
		answer_string(call->answer, "screenshot_error", error->message);
		answer_text(
			call->answer, "The screenshot was not written: \"%s\".\n", error->message);
		return true;
	}
	answer_string(call->answer, "screenshot_file_path", path);
	answer_text(call->answer, "Screenshot: \"%.4096s\"\n", path);
	return true;
}

bool shot_answer(struct call *call, const struct shot *shot, bool more)
{
	struct answer *answer = call->answer;
	answer_bool(answer, "has_screenshot", shot->bytes != NULL);
	if (shot->bytes == NULL) {
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
	answer_string(answer, "screenshot_mime_type", shot->type);
	if (shot->stale) {
		answer_bool(answer, "screenshot_stale", true);
		answer_text(answer, "The screenshot is the last one before the window was minimised.\n");
	}
	if (shot->marked) {
		answer_int(answer, "marks_drawn", shot->marks.drawn);
		answer_int(answer, "marks_left_out", shot->marks.left_out);
	}
	if (args_has(call->args, "screenshot_out_file")) {
		return write_file(call, shot->bytes, more);
	}
	answer_image(answer, shot->bytes, shot->type);
	return true;
}

void shot_answer_timing(struct answer *answer, const struct shot *shot)
{
	answer_number(answer, "capture_ms", (double)shot->capture_us / 1000);
	answer_number(answer, "encode_ms", (double)shot->encode_us / 1000);
}
