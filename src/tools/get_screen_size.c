/* SPDX-License-Identifier: MIT */
#include "config.h"

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
	answer_int(answer, "width", screen.width);
	answer_int(answer, "height", screen.height);
	answer_number(answer, "scale_factor", screen.scale);
	answer_open_array(answer, "monitors");
	for (guint i = 0; i < screen.monitors->len; i++) {
		const struct monitor *monitor = screen.monitors->pdata[i];
		answer_open_object(answer, NULL);
		answer_string(answer, "name", monitor->name);
		answer_rect(answer, "bounds", monitor->bounds);
		answer_bool(answer, "primary", monitor->primary);
		answer_close_object(answer);
	}
	answer_close_array(answer);
	answer_text(answer, "The screen is %d×%d pixels on %u monitor%s, scale %g.", screen.width,
		screen.height, screen.monitors->len, screen.monitors->len == 1 ? "" : "s", screen.scale);
	screen_clear(&screen);
}

const struct tool tool_get_screen_size = {
	.name = "get_screen_size", .title = "Screen size", .effect = TOOL_READS, .run = run,
	.about = "Size in pixels of the whole screen, the span of all monitors, with its scale and where "
		 "each monitor is.",
};
