/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>

#include "apps/ending.h"
#include "tools/tools.h"

static const struct param params[] = {
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32, .required = true,
	  .about = "The process, from launch_app, list_apps or list_windows." },
	{ "timeout_ms", .type = PARAM_INT, .min = 0, .max = 30000, .preset = "3000",
	  .about = "How long it may take to end by itself before it is killed." },
	{ NULL }
};

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	pid_t pid = (pid_t)args_int(call->args, "pid");
	int patience = (int)args_int(call->args, "timeout_ms");
	struct ending ending;
	gint64 started = g_get_monotonic_time();
	call_status(call, patience / 1000.0, "waiting for the process to end");
	if (!ending_run(pid, patience, deadline_in(patience + 1000, call->deadline.cancel), &ending, &error)) {
		answer_fail_error(answer, error);
	} else {
		const char *signal = ending.signal == SIGKILL ? "SIGKILL" : "SIGTERM";
		answer_int(answer, "pid", pid);
		answer_string(answer, "name", ending.name);
		answer_bool(answer, "ended", true);
		answer_string(answer, "signal", signal);
		answer_int(answer, "elapsed_ms", (g_get_monotonic_time() - started) / 1000);
		answer_text(answer, ending.signal == SIGKILL
			? "%s (pid %d) did not end when asked to and was killed (%s).\n"
			: "%s (pid %d) has ended (%s).\n", ending.name, (int)pid, signal);
	}
	g_free(ending.name);
}

const struct tool tool_kill_app = {
	.name = "kill_app", .title = "End an application", .effect = TOOL_ACTS, .target = TARGET_DRIVER,
	.params = params, .run = run,
	.about = "End a process: it is asked to (SIGTERM), and killed (SIGKILL) if it is still there after "
		 "timeout_ms. What it had not saved is lost; where the application can be closed by its own "
		 "menu, prefer that. Refused: the driver, what it runs under, processes of others, and a pid that "
		 "belongs to another process than when it was told.",
};
