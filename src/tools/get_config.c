/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/answers.h"
#include "tools/tools.h"

static void run(struct call *call)
{
	struct answer *answer = call->answer;
	answer_open_object(answer, "config");
	for (const struct param *setting = settings_table; setting->name != NULL; setting++) {
		g_autofree char *text = settings_get(call->settings, call->session, setting->name);
		answer_setting(answer, setting, text);
		answer_text(answer, "%s: %s\n", setting->name, text != NULL ? text : "not set");
	}
	answer_close_object(answer);
	answer_string(answer, "path", settings_path(call->settings));
	g_autofree char *problem = settings_problem(call->settings);
	if (problem != NULL) {
		answer_string(answer, "problem", problem);
		answer_text(answer, "%s\n", problem);
	}
}

const struct tool tool_get_config = {
	.name = "get_config", .title = "Show the settings", .effect = TOOL_READS, .target = TARGET_DRIVER,
	.run = run,
	.about = "The settings in force in this session: its own, else the defaults of the configuration "
		 "file.",
};
