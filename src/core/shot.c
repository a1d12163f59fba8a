/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/shot.h"

#include "core/png.h"

void shot_make(struct shot *shot, struct picture *picture, struct screen_rect window, int limit,
	const GError *problem)
{
	shot->frame.window = window;
	if (picture == NULL) {
		shot->problem = g_strdup(problem->message);
		return;
	}
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
	shot->png = png_encode(picture);
	shot->frame.shot_width = width;
	shot->frame.shot_height = height;
	shot->encode_us = g_get_monotonic_time() - started;
	picture_free(picture);
}

void shot_clear(struct shot *shot)
{
	g_clear_pointer(&shot->png, g_bytes_unref);
	g_free(shot->problem);
}

bool shot_check_file(struct call *call)
{
	const char *path = args_string(call->args, "screenshot_out_file");
	if (path == NULL || g_str_has_suffix(path, ".png")) {
		return true;
	}
	answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
		"screenshot_out_file takes a path that ends in .png, not '%.100s'", path);
	answer_string(call->answer, "argument", "screenshot_out_file");
	return false;
}

static bool write_file(struct call *call, GBytes *png)
{
	g_autoptr(GError) error = NULL;
	const char *given = args_string(call->args, "screenshot_out_file");
	g_autofree char *path = g_str_has_prefix(given, "~/")
		? g_build_filename(g_get_home_dir(), given + 2, NULL) : g_strdup(given);
	gsize length;
	const char *bytes = g_bytes_get_data(png, &length);
	if (!g_file_set_contents(path, bytes, (gssize)length, &error)) {
		answer_fail(call->answer, ERROR_FILE_NOT_WRITTEN, "%s", error->message);
		return false;
	}
	answer_string(call->answer, "screenshot_file_path", path);
	answer_text(call->answer, "Screenshot: %s\n", path);
	return true;
}

bool shot_answer(struct call *call, const struct shot *shot)
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
	if (args_has(call->args, "screenshot_out_file")) {
		return write_file(call, shot->png);
	}
	answer_image(answer, shot->png, "image/png");
	return true;
}
