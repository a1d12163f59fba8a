/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/tools.h"

static const struct param params[] = {
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32,
	  .about = "Only windows of this process." },
	{ "on_screen_only", .type = PARAM_BOOL, .preset = "false",
	  .about = "Leave out windows that are minimised, hidden or on another workspace." },
	{ NULL }
};

static void answer_window(struct answer *answer, const struct window *window)
{
	answer_open_object(answer, NULL);
	answer_int(answer, "window_id", (gint64)window->id);
	answer_int(answer, "pid", window->pid);
	answer_string(answer, "app_name", window->app_name);
	answer_string(answer, "title", window->title);
	answer_rect(answer, "bounds", window->bounds);
	if (window->z_index >= 0) {
		answer_int(answer, "z_index", window->z_index);
	} else {
		answer_null(answer, "z_index");
	}
	answer_bool(answer, "is_on_screen", window->on_screen);
	answer_bool(answer, "on_current_space", window->on_current_space);
	answer_bool(answer, "is_active", window->active);
	answer_bool(answer, "is_minimized", window->minimized);
	answer_int(answer, "workspace", window->workspace);
	answer_int(answer, "monitor", window->monitor);
	answer_string(answer, "toolkit", window->toolkit);
	answer_string(answer, "type", window->type);
	if (window->transient_for != 0) {
		answer_int(answer, "transient_for", (gint64)window->transient_for);
	}
	answer_close_object(answer);
}

static void describe_window(struct answer *answer, const struct window *window)
{
	answer_text(answer, "window_id %" G_GUINT64_FORMAT ", pid %d, %s \"%s\", %d×%d at %d,%d%s%s%s%s%s\n",
		window->id, (int)window->pid, window->app_name, window->title, window->bounds.width,
		window->bounds.height, window->bounds.x, window->bounds.y,
		g_str_equal(window->type, "normal") ? "" : ", ",
		g_str_equal(window->type, "normal") ? "" : window->type,
		window->active ? ", active" : "", window->minimized ? ", minimised" : "",
		window->on_current_space ? "" : ", on another workspace");
}

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
	/* Front first: what the user looks at is what a caller usually wants. */
	answer_open_array(answer, "windows");
	for (guint i = windows->len; i-- > 0;) {
		const struct window *window = windows->pdata[i];
		if ((pid == 0 || window->pid == pid) && (!on_screen_only || window->on_screen)) {
			answer_window(answer, window);
			describe_window(answer, window);
		}
	}
	answer_close_array(answer);
}

const struct tool tool_list_windows = {
	.name = "list_windows", .title = "List windows", .effect = TOOL_READS, .params = params, .run = run,
	.about = "All windows, front to back, with the window_id and pid that the other tools take. Menus, "
		 "popups and untitled windows are listed, too.",
};
