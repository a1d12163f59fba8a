/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/lens.h"
#include "core/shot.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "x1", .type = PARAM_INT, .min = 0, .max = 65535, .required = true,
	  .about = "Left edge, in pixels of the last screenshot of this window." },
	{ "y1", .type = PARAM_INT, .min = 0, .max = 65535, .required = true, .about = "Top edge." },
	{ "x2", .type = PARAM_INT, .min = 1, .max = 65536, .required = true,
	  .about = "Right edge, not included." },
	{ "y2", .type = PARAM_INT, .min = 1, .max = 65536, .required = true,
	  .about = "Bottom edge, not included." },
	PARAMS_SHOT,
	{ NULL }
};

/* The part of the window that is asked for, on the screen now; false with a failed answer. */
static bool find_part(struct call *call, struct screen_rect *part)
{
	int x1 = (int)args_int(call->args, "x1"), y1 = (int)args_int(call->args, "y1");
	int x2 = (int)args_int(call->args, "x2"), y2 = (int)args_int(call->args, "y2");
	struct screen_rect window = call->window->bounds;
	struct frame frame = { 0 };
	if (x2 <= x1 || y2 <= y1) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"Nothing is between (%d, %d) and (%d, %d): x2 and y2 must be greater", x1, y1, x2, y2);
		answer_string(call->answer, "argument", x2 <= x1 ? "x2" : "y2");
		return false;
	}
	struct window_px corner;
	if (!lens_resolve(call, LENS_PICTURE, (struct shot_px){ x1, y1 }, &corner)
		|| !lens_resolve(call, LENS_PICTURE, (struct shot_px){ x2 - 1, y2 - 1 }, &corner)) {
		return false;
	}
	lens_find(call, LENS_PICTURE, &frame);
	*part = frame_shot_rect(&frame, x1, y1, x2, y2);
	part->x += window.x - frame.window.x;
	part->y += window.y - frame.window.y;
	return true;
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	struct shot shot = { 0 };
	struct screen_rect part;
	if (!shot_check_file(call) || !find_part(call, &part)) {
		return;
	}
	if (!shot_take_part(call, part, &shot, &error)) {
		answer_fail_error(answer, error);
		return;
	}
	answer_int(answer, "pid", call->window->pid);
	answer_int(answer, "window_id", (gint64)call->window->id);
	answer_rect(answer, "zoom_bounds", shot.frame.window);
	answer_text(answer, "%d×%d pixels of window_id %" G_GUINT64_FORMAT ". To act on a pixel of this "
		"picture pass from_zoom: true with x and y.\n", shot.frame.shot_width,
		shot.frame.shot_height, call->window->id);
	if (shot_answer(call, &shot, false)) {
		answer_open_object(answer, "timing");
		shot_answer_timing(answer, &shot);
		answer_close_object(answer);
	}
	shot_clear(&shot);
}

const struct tool tool_zoom = {
	.name = "zoom", .title = "Zoom into a window", .effect = TOOL_READS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "A part of a window in its true resolution, as JPEG, where the screenshot was scaled down or "
		 "is hard to read. Acting tools take pixels of it with from_zoom: true, until the next "
		 "screenshot of the window.",
};
