/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "doctor/report.h"
#include "tools/tools.h"

static void run(struct call *call)
{
	g_autoptr(GArray) checks = report_make(&(struct patient){ .platform = call->platform,
		.settings = call->settings, .deadline = call->deadline }, false);
	report_answer(checks, call->answer);
}

const struct tool tool_health_report = {
	.name = "health_report", .title = "Health report", .effect = TOOL_READS, .target = TARGET_DISPLAY,
	.run = run,
	.about = "What `cua-driver doctor` tells, as data: where display and buses were found, what works (with a "
		 "small window of the driver's own, which takes no focus and is gone at once), what is missing and "
		 "the command that fixes it. Call it when something is not as expected.",
};
