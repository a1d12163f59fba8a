/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/aimed.h"

#include "core/crosshair.h"
#include "core/png.h"
#include "core/shot.h"

static const char *wanted(const struct call *call)
{
	return args_knows(call->args, "debug_image_out") ? args_string(call->args, "debug_image_out") : NULL;
}

bool aimed_check(struct call *call)
{
	const char *path = wanted(call);
	if (path == NULL || g_str_has_suffix(path, ".png")) {
		return true;
	}
	answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
		"debug_image_out takes a path that ends in .png, not \"%.100s\"", path);
	answer_string(call->answer, "argument", "debug_image_out");
	return false;
}

void aimed_take(struct call *call, const struct aim *aim, struct aimed *aimed)
{
	g_autoptr(GError) error = NULL;
	struct capture capture = { 0 };
	const char *path = wanted(call);
	*aimed = (struct aimed){ 0 };
	if (path == NULL) {
		return;
	}
	if (call->platform->impl->capture(call->platform, call->window, &capture, call->deadline, &error)) {
		struct picture *picture = capture.picture;
		const struct frame frame = {
			.window = { call->window->bounds.x, call->window->bounds.y, picture->width, picture->height },
			.shot_width = picture->width, .shot_height = picture->height,
		};
		const struct element *element = aim->element;
		crosshair_draw(picture, &frame, element != NULL && element->has_frame ? element->frame
			: (struct screen_rect){ 0 }, aim->point);
		g_autoptr(GBytes) bytes = png_encode(picture);
		picture_free(picture);
		aimed->path = shot_write(path, bytes, &error);
	}
	if (aimed->path == NULL) {
		aimed->problem = g_strdup(error->message);
	}
}

void aimed_answer(struct call *call, struct aimed *aimed)
{
	if (aimed->path != NULL) {
		answer_string(call->answer, "debug_image_path", aimed->path);
	}
	if (aimed->problem != NULL) {
		answer_string(call->answer, "debug_image_error", aimed->problem);
	}
	g_free(aimed->path);
	g_free(aimed->problem);
}
