/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/shot.h"
#include "tools/answers.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_SHOT,
	{ NULL }
};

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	struct screen screen = { 0 };
	struct shot shot = { 0 };
	if (!shot_check_file(call)) {
		return;
	}
	struct picture *picture = NULL;
	if (call->platform->impl->screen(call->platform, call->deadline, &screen, &error)) {
		picture = call->platform->impl->capture_screen(call->platform, call->deadline, &error);
	}
	if (picture == NULL) {
		answer_fail_error(answer, error);
	} else {
		/* True pixels: a point of this picture is a point of the screen. */
		shot_make(&shot, picture, (struct screen_rect){ 0, 0, screen.width, screen.height }, 0, NULL);
		answer_screen(answer, &screen);
		shot_answer(call, &shot);
	}
	screen_clear(&screen);
	shot_clear(&shot);
}

const struct tool tool_get_desktop_state = {
	.name = "get_desktop_state", .title = "Desktop state", .effect = TOOL_READS, .params = params,
	.run = run,
	.about = "A picture of the whole screen, the span of all monitors, as the user sees it, in true "
		 "pixels, with where each monitor is.",
};
