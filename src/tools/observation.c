/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/observation.h"

#include <string.h>

#include "core/view.h"

#define MAX_ELEMENTS 5000

struct observation {
	bool whole;               /* the state, not the difference */
	GPtrArray *windows;       /* struct window: those that were there; NULL: unknown */
	struct snapshot *earlier; /* the latest of the window; NULL: there is none */
};

struct observation *observation_new(struct call *call, const char *observe)
{
	if (strcmp(observe, "none") == 0 || call->window == NULL) {
		return NULL;
	}
	struct observation *observation = g_new0(struct observation, 1);
	observation->whole = strcmp(observe, "state") == 0;
	observation->windows = call->platform->impl->windows(call->platform, call->deadline, NULL);
	observation->earlier = session_latest(call->session, call->window->pid, call->window->id);
	return observation;
}

void observation_free(struct observation *observation)
{
	if (observation == NULL) {
		return;
	}
	g_clear_pointer(&observation->windows, g_ptr_array_unref);
	snapshot_unref(observation->earlier);
	g_free(observation);
}

/* Windows of the process that are in one list and not in the other. */
static void answer_windows(struct answer *answer, const char *name, pid_t pid,
	const GPtrArray *windows, const GPtrArray *others)
{
	answer_open_array(answer, name);
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (window->pid != pid || window_list_find(others, window->id) != NULL) {
			continue;
		}
		answer_open_object(answer, NULL);
		answer_int(answer, "window_id", (gint64)window->id);
		answer_string(answer, "title", window->title);
		answer_string(answer, "type", window->type);
		answer_close_object(answer);
		answer_text(answer, "%s: window_id %" G_GUINT64_FORMAT " \"%s\" (%s)\n", name, window->id,
			window->title, window->type);
	}
	answer_close_array(answer);
}

static void answer_problem(struct answer *answer, const GError *error)
{
	answer_open_object(answer, "error");
	answer_string(answer, "code", error_info(error_code_of(error))->wire);
	answer_string(answer, "message", error->message);
	answer_close_object(answer);
	answer_text(answer, "It could not be looked at afterwards: %s. Call get_window_state.\n",
		error->message);
}

static void answer_snapshot(struct observation *observation, struct call *call,
	const struct window *window, struct tree *tree)
{
	struct answer *answer = call->answer;
	struct snapshot *snapshot = snapshot_new(window, tree, (struct frame){ .window = window->bounds });
	session_keep(call->session, snapshot);
	answer_string(answer, "snapshot_id", snapshot->id);
	answer_rect(answer, "window_bounds", window->bounds);
	view_notes(answer, tree);
	if (observation->whole || observation->earlier == NULL) {
		view_tree(answer, snapshot, NULL);
	} else {
		view_diff(answer, observation->earlier, snapshot);
		view_renumbered(answer, observation->earlier, snapshot);
	}
	snapshot_unref(snapshot);
}

void observation_answer(struct observation *observation, struct call *call)
{
	if (observation == NULL) {
		return;
	}
	struct answer *answer = call->answer;
	const struct platform_impl *impl = call->platform->impl;
	struct tree_limits limits = { .max_elements = MAX_ELEMENTS };
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) windows = NULL;
	answer_open_object(answer, "observed");
	if (call->late) {
		g_set_error(&error, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
			"the application was still busy with another call");
	} else {
		windows = impl->windows(call->platform, call->deadline, &error);
	}
	if (windows != NULL) {
		const struct window *window = window_list_find(windows, call->window->id);
		bool closed = window == NULL || window->pid != call->window->pid;
		if (observation->windows != NULL) {
			answer_windows(answer, "windows_opened", call->window->pid, windows,
				observation->windows);
			answer_windows(answer, "windows_closed", call->window->pid, observation->windows,
				windows);
		}
		answer_bool(answer, "window_closed", closed);
		struct tree *tree = !closed ? impl->tree(call->platform, window, &limits, call->deadline,
			&error) : NULL;
		if (tree != NULL) {
			answer_snapshot(observation, call, window, tree);
		}
	}
	if (error != NULL) {
		answer_problem(answer, error);
	}
	answer_close_object(answer);
}
