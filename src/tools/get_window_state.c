/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/diff.h"
#include "core/markdown.h"
#include "core/shot.h"
#include "core/token.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "include_screenshot", .type = PARAM_BOOL, .preset = "true",
	  .about = "false leaves the picture out, which is faster." },
	PARAMS_SHOT,
	PARAM_MAX_IMAGE_DIMENSION,
	{ "max_elements", .type = PARAM_INT, .min = 1, .max = 50000, .preset = "5000",
	  .about = "How many nodes of the tree are read at most." },
	{ "max_depth", .type = PARAM_INT, .min = 1, .max = 400,
	  .about = "How many levels of the tree are read at most." },
	{ "query", .type = PARAM_STRING,
	  .about = "Only elements whose role, label, value or description has this text, in upper or lower "
		   "case, and what they are in. Indices stay those of the whole window." },
	{ "since", .type = PARAM_STRING,
	  .about = "A snapshot_id of this window: return only the elements added, removed and changed "
		   "since then." },
	{ "capture_mode", .type = PARAM_STRING,
	  .about = "Accepted for older callers and ignored: tree and picture always come together." },
	{ NULL }
};

static void answer_element(struct answer *answer, const struct snapshot *snapshot,
	const struct element *element)
{
	const struct tree *tree = snapshot->tree;
	const struct frame *frame = &snapshot->frame;
	const struct element *parent = tree_indexed_parent(tree, element);
	g_autofree char *token = token_new(snapshot, element->index);
	int depth = 0;
	for (const struct element *up = parent; up != NULL; up = tree_indexed_parent(tree, up)) {
		depth++;
	}
	answer_open_object(answer, NULL);
	answer_int(answer, "element_index", element->index);
	answer_string(answer, "element_token", token);
	answer_string(answer, "role", element->role);
	answer_string(answer, "label", element->name);
	answer_string(answer, "value", element->value);
	if (element->description != NULL) {
		answer_string(answer, "description", element->description);
	}
	answer_open_array(answer, "states");
	for (int i = 0; i < ELEMENT_STATE_COUNT; i++) {
		if (element->states & 1u << i) {
			answer_string(answer, NULL, element_state_name(1u << i));
		}
	}
	answer_close_array(answer);
	answer_strings(answer, "actions", (const char *const *)element->actions);
	if (element->has_frame) {
		answer_open_object(answer, "frame");
		answer_int(answer, "x", element->frame.x);
		answer_int(answer, "y", element->frame.y);
		answer_int(answer, "w", element->frame.width);
		answer_int(answer, "h", element->frame.height);
		answer_close_object(answer);
	} else {
		answer_null(answer, "frame");
	}
	struct screen_rect seen = screen_rect_intersect(element->frame, frame->window);
	if (element->has_frame && !screen_rect_empty(seen) && frame->shot_width > 0
		&& screen_rect_contains(frame->window, screen_rect_center(element->frame))) {
		struct shot_px at = frame_screen_to_shot(frame, screen_rect_center(element->frame));
		answer_open_object(answer, "at");
		answer_int(answer, "x", at.x);
		answer_int(answer, "y", at.y);
		answer_close_object(answer);
	} else {
		answer_null(answer, "at");
	}
	if (parent != NULL) {
		answer_int(answer, "parent_index", parent->index);
	} else {
		answer_null(answer, "parent_index");
	}
	answer_int(answer, "depth", depth);
	if (element->in_web_content) {
		answer_bool(answer, "in_web_content", true);
	}
	answer_close_object(answer);
}

static bool contains(const char *text, const char *folded)
{
	g_autofree char *other = text != NULL ? g_utf8_casefold(text, -1) : NULL;
	return other != NULL && strstr(other, folded) != NULL;
}

/* Which elements match the query; all of them without one. The caller frees the array. */
static bool *match_query(const struct tree *tree, const char *query)
{
	bool *matches = g_new0(bool, tree->elements->len + 1);
	g_autofree char *folded = query != NULL ? g_utf8_casefold(query, -1) : NULL;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		matches[i] = folded == NULL || contains(element->role, folded)
			|| contains(element->name, folded) || contains(element->value, folded)
			|| contains(element->description, folded);
	}
	return matches;
}

static void answer_notes(struct answer *answer, const struct tree *tree)
{
	answer_int(answer, "element_count", tree->indexed);
	answer_bool(answer, "complete", tree->complete);
	answer_string(answer, "tree", tree->skeleton ? "skeleton" : tree->degraded ? "none" : "full");
	if (tree->truncated != NULL) {
		answer_string(answer, "truncated", tree->truncated);
		answer_text(answer, "The tree is not complete: %s.\n", tree->truncated);
	}
	if (tree->degraded != NULL) {
		answer_bool(answer, "degraded", true);
		answer_string(answer, "degraded_reason", tree->degraded);
		answer_open_object(answer, "escalation");
		answer_string(answer, "recommended", "px");
		answer_string(answer, "reason", "The elements are missing; use the picture");
		answer_close_object(answer);
		answer_text(answer, "%s: %s.\n", tree->skeleton ? "Not all elements" : "No elements",
			tree->degraded);
	}
}

static void answer_tree(struct answer *answer, const struct snapshot *snapshot, const char *query)
{
	const struct tree *tree = snapshot->tree;
	g_autofree bool *matches = match_query(tree, query);
	g_autofree char *markdown = markdown_tree(tree, matches);
	answer_string(answer, "tree_markdown", markdown);
	answer_open_array(answer, "elements");
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->index >= 0 && matches[i]) {
			answer_element(answer, snapshot, element);
		}
	}
	answer_close_array(answer);
	answer_text_raw(answer, markdown);
}

static void answer_some(struct answer *answer, const char *name, const struct snapshot *snapshot,
	const GPtrArray *elements)
{
	answer_open_array(answer, name);
	for (guint i = 0; i < elements->len; i++) {
		const struct element *element = elements->pdata[i];
		answer_element(answer, snapshot, element);
		answer_text(answer, "%s [%d] %s \"%s\"%s%s\n", name, element->index, element->role,
			element->name, element->value != NULL ? " = " : "",
			element->value != NULL ? element->value : "");
	}
	answer_close_array(answer);
}

static void answer_diff(struct answer *answer, const struct snapshot *earlier,
	const struct snapshot *later)
{
	struct diff diff;
	diff_make(&diff, earlier->tree, later->tree);
	answer_string(answer, "since", earlier->id);
	answer_some(answer, "added", later, diff.added);
	answer_some(answer, "removed", earlier, diff.removed);
	answer_some(answer, "changed", later, diff.changed);
	if (diff.added->len + diff.removed->len + diff.changed->len == 0) {
		answer_text(answer, "No element was added, removed or changed.\n");
	}
	diff_clear(&diff);
}

/* The snapshot to compare with; NULL without one, or with a failed answer. */
static struct snapshot *find_since(struct call *call)
{
	const char *id = args_string(call->args, "since");
	struct snapshot *snapshot = id != NULL ? session_snapshot(call->session, id) : NULL;
	if (id == NULL || (snapshot != NULL && snapshot->window->id == call->window->id)) {
		return snapshot;
	}
	answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
		"since takes a snapshot_id of this window that the session still has, not '%.60s'", id);
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
	struct tree *tree = call->platform->impl->tree(call->platform, window, &limits, call->deadline,
		&error);
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
		shot_take(call, &shot, NULL);
	}
	struct snapshot *snapshot = snapshot_new(window, tree, shot.frame);
	session_keep(call->session, snapshot);

	answer_string(answer, "snapshot_id", snapshot->id);
	answer_int(answer, "pid", window->pid);
	answer_int(answer, "window_id", (gint64)window->id);
	answer_rect(answer, "window_bounds", window->bounds);
	answer_text(answer, "%s \"%s\", window_id %" G_GUINT64_FORMAT ", pid %d\n", window->app_name,
		window->title, window->id, (int)window->pid);
	if (!window->on_current_space) {
		answer_bool(answer, "off_space", true);
		answer_open_array(answer, "window_space_ids");
		answer_int(answer, NULL, window->workspace);
		answer_close_array(answer);
	}
	if (shot_answer(call, &shot)) {
		answer_notes(answer, tree);
		if (since != NULL) {
			answer_diff(answer, since, snapshot);
		} else {
			answer_tree(answer, snapshot, args_string(call->args, "query"));
		}
		answer_open_object(answer, "timing");
		answer_number(answer, "tree_ms", (double)tree_us / 1000);
		shot_answer_timing(answer, &shot);
		answer_int(answer, "dbus_calls", tree->requests);
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
