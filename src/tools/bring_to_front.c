/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/past.h"
#include "tools/tools.h"

/* How long a window manager may take before it is asked again. */
#define AGAIN_MS 700
/* Nothing said that it happened: look all the same. */
#define LOOK_MS 100

static const struct param params[] = {
	PARAMS_WINDOW,
	{ "settle_ms", .type = PARAM_INT, .min = 0, .max = 10000, .preset = "3000",
	  .about = "How long the window manager may take. The call returns as soon as the window is in front." },
	{ NULL }
};

/* What became of the window. */
struct view {
	bool there, active, focused, in_front, minimized, here;
	guint64 other;           /* the window that is active instead, or above it; 0: none */
};

static bool competes(const struct window *other, const struct window *window)
{
	return other->id != window->id && other->on_screen && other->transient_for != window->id
		&& (strcmp(other->type, "normal") == 0 || strcmp(other->type, "dialog") == 0);
}

static bool look(struct call *call, struct view *view, GError **error)
{
	struct platform *platform = call->platform;
	g_autoptr(GPtrArray) windows = platform->impl->windows(platform, call->deadline, error);
	const struct window *window = windows != NULL ? window_list_find(windows, call->window->id) : NULL;
	*view = (struct view){ .there = window != NULL };
	if (window == NULL) {
		return windows != NULL;
	}
	view->active = window->active;
	view->minimized = window->minimized;
	view->here = window->on_current_space;
	view->in_front = window->on_screen;
	for (guint i = 0; i < windows->len; i++) {
		const struct window *other = windows->pdata[i];
		if (competes(other, window) && other->z_index > window->z_index) {
			view->in_front = false;
			view->other = other->id;
		}
	}
	view->focused = platform->impl->focused(platform, window, call->deadline);
	return true;
}

static bool is_done(const struct view *view)
{
	return !view->there || (view->active && view->focused && view->in_front && !view->minimized);
}

static bool watch(struct call *call, int settle_ms, struct view *view, GError **error)
{
	struct platform *platform = call->platform;
	struct deadline until = deadline_in(settle_ms, call->deadline.cancel);
	struct deadline patience = deadline_in(AGAIN_MS, call->deadline.cancel);
	guint64 count = past_count(platform->past);
	bool again = false;
	if (!platform->impl->activate(platform, call->window, false, call->deadline, error)) {
		return false;
	}
	while (look(call, view, error)) {
		if (is_done(view) || deadline_left(until) == 0) {
			return true;
		}
		if (!again && deadline_left(patience) == 0) {
			again = true;
			if (!platform->impl->activate(platform, call->window, true, call->deadline, error)) {
				return false;
			}
		}
		past_wait(platform->past, count, deadline_within(until, LOOK_MS));
		count = past_count(platform->past);
	}
	return false;
}

static guint64 active_window(struct call *call, GError **error)
{
	guint64 id = 0;
	g_autoptr(GPtrArray) windows = call->platform->impl->windows(call->platform, call->deadline, error);
	for (guint i = 0; windows != NULL && i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		id = window->active ? window->id : id;
	}
	return id;
}

static void answer_view(struct call *call, const struct view *view, guint64 before)
{
	struct answer *answer = call->answer;
	const struct window *window = call->window;
	if (!view->there) {
		answer_fail(answer, ERROR_WINDOW_NOT_FOUND, "The window closed before it came to the front");
		return;
	}
	if (!view->active || view->minimized) {
		answer_fail(answer, ERROR_WINDOW_MANAGER_REFUSED, view->minimized
			? "The window manager left the window minimised" : "The window manager did not activate the window");
	} else {
		answer_text(answer, "Window %" G_GUINT64_FORMAT " \"%s\" is %s%s, and stays there.%s\n", window->id,
			window->title, view->in_front ? "in front and active" : "active",
			view->in_front ? "" : ", behind one that stays above all others",
			window->minimized ? " It was minimised." : "");
		if (!view->focused) {
			answer_text(answer, "It does not have the keyboard: it may not take any.\n");
		}
	}
	answer_int(answer, "window_id", (gint64)window->id);
	answer_int(answer, "pid", window->pid);
	answer_bool(answer, "active", view->active);
	answer_bool(answer, "in_front", view->in_front);
	answer_bool(answer, "focused", view->focused);
	answer_bool(answer, "was_minimized", window->minimized);
	answer_bool(answer, "on_current_space", view->here);
	if (before != 0) {
		answer_int(answer, "previous_window_id", (gint64)before);
	} else {
		answer_null(answer, "previous_window_id");
	}
	if (view->other != 0) {
		answer_int(answer, "above_it", (gint64)view->other);
	}
}

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct view view = { 0 };
	struct platform *platform = call->platform;
	guint64 before = active_window(call, &error);
	bool done = false;
	if (error == NULL) {
		platform->impl->look_out(platform, true);
		done = watch(call, (int)args_int(call->args, "settle_ms"), &view, &error);
		platform->impl->look_out(platform, false);
	}
	if (done) {
		answer_view(call, &view, before);
	} else {
		answer_fail_error(call->answer, error);
	}
}

const struct tool tool_bring_to_front = {
	.name = "bring_to_front", .title = "Bring a window to the front", .effect = TOOL_ACTS,
	.target = TARGET_WINDOW, .params = params, .run = run,
	.about = "Raise a window and give it the user's keyboard, on purpose: it stays there. A minimised one is restored. "
		 "Interrupts the user, so only when the user wants to see it; no action in the background needs it. "
		 "Answers what the window manager did, and previous_window_id to go back to.",
};
