/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/answers.h"
#include "tools/tools.h"

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	struct screen screen = { 0 };
	if (!call->platform->impl->screen(call->platform, call->deadline, &screen, &error)) {
		answer_fail_error(answer, error);
		screen_clear(&screen);
		return;
	}
	answer_screen(answer, &screen);
	screen_clear(&screen);
}

const struct tool tool_get_screen_size = {
	.name = "get_screen_size", .title = "Screen size", .effect = TOOL_READS, .run = run,
	.about = "Size in pixels of the whole screen, the span of all monitors, with its scale and where "
		 "each monitor is.",
};
