/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/shot.h"

#include "core/png.h"

/* Encodes the picture, which it takes over, scaled down until no side is longer than `limit`. */
static void encode(struct shot *shot, struct picture *picture, int limit)
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
	shot->png = png_encode(picture);
	shot->frame.shot_width = width;
	shot->frame.shot_height = height;
	shot->encode_us = g_get_monotonic_time() - started;
	picture_free(picture);
}

/* Takes the picture kept for the window as this one's. */
static void take_kept(struct shot *shot, const struct window *window, struct gallery_picture *kept)
{
	shot->png = g_steal_pointer(&kept->png);
	shot->frame = kept->frame;
	/* The window may have been moved meanwhile. */
	shot->frame.window.x = window->bounds.x;
	shot->frame.window.y = window->bounds.y;
}

void shot_take(struct call *call, struct shot *shot, GError **error)
{
	g_autoptr(GError) problem = NULL;
	const struct window *window = call->window;
	int limit = (int)args_int(call->args, "max_image_dimension");
	struct gallery_picture kept = { 0 };
	bool found = gallery_find(call->gallery, window, &kept);
	struct capture capture = { .version = found && kept.limit == limit ? kept.version : 0 };
	gint64 started = g_get_monotonic_time();

	shot->frame.window = window->bounds;
	bool taken = call->platform->impl->capture(call->platform, window, &capture, call->deadline,
		&problem);
	if (taken && capture.picture != NULL) {
		shot->capture_us = g_get_monotonic_time() - started;
		encode(shot, capture.picture, limit);
		gallery_keep(call->gallery, window, &(struct gallery_picture){ capture.version, limit,
			shot->frame, shot->png });
	} else if (taken) {
		take_kept(shot, window, &kept);
	} else if (found && problem->code == ERROR_NO_PICTURE) {
		take_kept(shot, window, &kept);
		shot->stale = true;
	} else {
		shot->problem = g_strdup(problem->message);
		g_propagate_error(error, g_steal_pointer(&problem));
	}
	g_clear_pointer(&kept.png, g_bytes_unref);
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
	encode(shot, picture, 0);
	return true;
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
	if (shot->stale) {
		answer_bool(answer, "screenshot_stale", true);
		answer_text(answer, "The screenshot is the last one before the window was minimised.\n");
	}
	if (args_has(call->args, "screenshot_out_file")) {
		return write_file(call, shot->png);
	}
	answer_image(answer, shot->png, "image/png");
	return true;
}

void shot_answer_timing(struct answer *answer, const struct shot *shot)
{
	answer_number(answer, "capture_ms", (double)shot->capture_us / 1000);
	answer_number(answer, "encode_ms", (double)shot->encode_us / 1000);
}
