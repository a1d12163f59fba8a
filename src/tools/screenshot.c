/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/lens.h"
#include "core/shot.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_SHOT,
	PARAM_MAX_IMAGE_DIMENSION,
	PARAM_MARKS,
	{ NULL }
};

/* Numbers mean elements of a snapshot: the tree is read, and kept with the picture. */
static void take_marked(struct call *call, struct shot *shot, GError **error)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct tree *tree = call->platform->impl->tree(call->platform, call->window, &limits,
		call->deadline, error);
	if (tree == NULL) {
		return;
	}
	shot_take_marked(call, tree, shot, error);
	struct snapshot *snapshot = snapshot_new(call->window, tree, shot->frame);
	session_keep(call->session, snapshot);
	answer_string(call->answer, "snapshot_id", snapshot->id);
	snapshot_unref(snapshot);
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	const struct window *window = call->window;
	struct shot shot = { 0 };
	if (!shot_check_file(call)) {
		return;
	}
	if (args_bool(call->args, "marks")) {
		take_marked(call, &shot, &error);
	} else {
		shot_take(call, &shot, &error);
	}
	if (shot.bytes == NULL) {
		answer_fail_error(call->answer, error);
		shot_clear(&shot);
		return;
	}
	if (!args_bool(call->args, "marks")) {
		lens_keep_alone(call);
	}
	answer_int(call->answer, "pid", window->pid);
	answer_int(call->answer, "window_id", (gint64)window->id);
	answer_rect(call->answer, "window_bounds", window->bounds);
	answer_text(call->answer, "\"%s\" \"%s\", window_id %" G_GUINT64_FORMAT "\n",
		window->app_name, window->title, window->id);
	if (shot_answer(call, &shot, false)) {
		answer_open_object(call->answer, "timing");
		shot_answer_timing(call->answer, &shot);
		answer_close_object(call->answer);
	}
	shot_clear(&shot);
}

const struct tool tool_screenshot = {
	.name = "screenshot", .title = "Screenshot of a window", .effect = TOOL_READS,
	.target = TARGET_WINDOW, .params = params, .run = run,
	.about = "The picture of one window alone, without its elements. Works on covered windows. To act, "
		 "use get_window_state: it returns both.",
};
