/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/lens.h"
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
	if (!call->platform->impl->screen(call->platform, call->deadline, &screen, &error)
		|| !shot_take_screen(call, &shot, &error)) {
		answer_fail_error(answer, error);
	} else {
		lens_keep_screen(call, shot.frame.shot_width, shot.frame.shot_height);
		answer_screen(answer, &screen);
		shot_answer(call, &shot, false);
	}
	screen_clear(&screen);
	shot_clear(&shot);
}

const struct tool tool_get_desktop_state = {
	.name = "get_desktop_state", .title = "Desktop state", .effect = TOOL_READS, .params = params,
	.run = run,
	.about = "A picture of the whole screen, the span of all monitors, as the user sees it, in true "
		 "pixels, with where each monitor is. In desktop scope (set_config capture_scope=desktop) its x and y "
		 "are those of actions without a window.",
};
