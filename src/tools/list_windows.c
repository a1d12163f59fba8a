/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/answers.h"
#include "tools/tools.h"

static const struct param params[] = {
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32,
	  .about = "Only windows of this process." },
	{ "on_screen_only", .type = PARAM_BOOL, .preset = "false",
	  .about = "Leave out windows that are minimised, hidden or on another workspace." },
	{ NULL }
};

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	pid_t pid = (pid_t)args_int(call->args, "pid");
	bool on_screen_only = args_bool(call->args, "on_screen_only");
	g_autoptr(GPtrArray) windows = call->platform->impl->windows(call->platform, call->deadline,
		&error);
	if (windows == NULL) {
		answer_fail_error(answer, error);
		return;
	}
	g_autoptr(GPtrArray) wanted = window_list_new();
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if ((pid == 0 || window->pid == pid) && (!on_screen_only || window->on_screen)) {
			g_ptr_array_add(wanted, window_copy(window));
		}
	}
	answer_windows(answer, wanted);
	answer_limitation(answer, call->platform);
}

const struct tool tool_list_windows = {
	.name = "list_windows", .title = "List windows", .effect = TOOL_READS, .params = params, .run = run,
	.about = "All windows, front to back, with the window_id and pid that the other tools take. Menus, "
		 "popups and untitled windows are listed, too. limitation tells what of this desktop cannot "
		 "be seen.",
};
