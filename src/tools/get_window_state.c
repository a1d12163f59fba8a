/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/shot.h"
#include "core/view.h"
#include "tools/tools.h"

/* A tree that takes longer is cut, so that there is time left for the picture. */
#define TREE_MS 8000

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "include_screenshot", .type = PARAM_BOOL, .preset = "true",
	  .about = "false leaves the picture out, which is faster." },
	PARAMS_SHOT,
	PARAM_MAX_IMAGE_DIMENSION,
	PARAM_MARKS,
	{ "max_elements", .type = PARAM_INT, .min = 1, .max = 50000, .preset = "5000",
	  .about = "How many nodes of the tree are read at most." },
	{ "max_depth", .type = PARAM_INT, .min = 1, .max = 400,
	  .about = "How many levels of the tree are read at most." },
	{ "query", .type = PARAM_STRING,
	  .about = "Only elements whose role, label, value or description has this text, in upper or lower "
		   "case, and what they are in. Indices stay those of the whole window." },
	{ "since", .type = PARAM_STRING,
	  .about = "A snapshot_id of this window: return only the elements and texts added, removed and "
		   "changed since then; what changed says in `before` what it was." },
	{ "capture_mode", .type = PARAM_STRING,
	  .about = "Accepted for older callers and ignored: tree and picture always come together." },
	{ NULL }
};

/* The snapshot to compare with; NULL without one, or with a failed answer. */
static struct snapshot *find_since(struct call *call)
{
	const char *id = args_string(call->args, "since");
	struct snapshot *snapshot = id != NULL ? session_snapshot(call->session, id) : NULL;
	if (id == NULL || (snapshot != NULL && snapshot->window->id == call->window->id)) {
		return snapshot;
	}
	answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
		"since takes a snapshot_id of this window that the session still has, not "
		"\"%.60s\"",
		id);
	answer_string(call->answer, "argument", "since");
	snapshot_unref(snapshot);
	return NULL;
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	const struct window *window = call->window;
	struct tree_limits limits = {
		.max_elements = (int)args_int(call->args, "max_elements"),
		.max_depth = (int)args_int(call->args, "max_depth"),
	};
	struct shot shot = { .frame.window = window->bounds };

	if (!shot_check_file(call)) {
		return;
	}
	struct snapshot *since = find_since(call);
	if (answer_failed(answer)) {
		return;
	}
	gint64 started = g_get_monotonic_time();
	struct tree *tree = call->platform->impl->tree(call->platform, window, &limits,
		deadline_within(call->deadline, TREE_MS), &error);
	gint64 tree_us = g_get_monotonic_time() - started;
	if (tree == NULL && error->code == ERROR_NO_ACCESSIBILITY) {
		/* Without accessibility there is still something to see. */
		tree = tree_new();
		tree->complete = false;
		tree->degraded = g_strdup(error->message);
		g_clear_error(&error);
	}
	if (tree == NULL) {
		answer_fail_error(answer, error);
		snapshot_unref(since);
		return;
	}
	if (args_bool(call->args, "include_screenshot")) {
		shot_take_marked(call, args_bool(call->args, "marks") ? tree : NULL, &shot, NULL);
	}
	struct snapshot *snapshot = snapshot_new(window, tree, shot.frame);
	session_keep(call->session, snapshot);

	answer_string(answer, "snapshot_id", snapshot->id);
	answer_int(answer, "pid", window->pid);
	answer_int(answer, "window_id", (gint64)window->id);
	answer_rect(answer, "window_bounds", window->bounds);
	answer_text(answer, "\"%s\" \"%s\", window_id %" G_GUINT64_FORMAT ", pid %d\n",
		window->app_name, window->title, window->id, (int)window->pid);
	if (!window->on_current_space) {
		answer_bool(answer, "off_space", true);
		answer_open_array(answer, "window_space_ids");
		answer_int(answer, NULL, window->workspace);
		answer_close_array(answer);
	}
	if (shot_answer(call, &shot, true)) {
		gsize markdown_bytes = 0;
		view_notes(answer, tree);
		if (since != NULL) {
			view_diff(answer, since, snapshot);
		} else {
			markdown_bytes = view_tree(answer, snapshot, args_string(call->args, "query"));
		}
		answer_open_object(answer, "timing");
		answer_number(answer, "tree_ms", (double)tree_us / 1000);
		shot_answer_timing(answer, &shot);
		answer_int(answer, "dbus_calls", tree->requests);
		answer_int(answer, "markdown_bytes", (gint64)markdown_bytes);
		answer_close_object(answer);
	}
	snapshot_unref(snapshot);
	snapshot_unref(since);
	shot_clear(&shot);
}

const struct tool tool_get_window_state = {
	.name = "get_window_state", .title = "Window state", .effect = TOOL_READS,
	.target = TARGET_WINDOW, .params = params, .run = run,
	.about = "The accessibility tree and a screenshot of one window, together. Every element that can "
		 "be acted on has an element_index ([N] in tree_markdown) for click and the others, and "
		 "`at`: its centre in the pixels of this screenshot. Works on covered windows.",
};
