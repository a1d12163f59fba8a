/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/tools.h"

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct screen_px point;
	if (!call->platform->impl->pointer(call->platform, call->deadline, &point, &error)) {
		answer_fail_error(call->answer, error);
		return;
	}
	answer_int(call->answer, "x", point.x);
	answer_int(call->answer, "y", point.y);
	answer_text(call->answer, "The user's pointer is at %d,%d.", point.x, point.y);
}

const struct tool tool_get_cursor_position = {
	.name = "get_cursor_position", .title = "Cursor position", .effect = TOOL_READS, .run = run,
	.about = "Where the user's own pointer is, in screen pixels. Nothing of the driver moves it.",
};
