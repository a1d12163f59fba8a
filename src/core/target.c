/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/target.h"

#include <string.h>

#include "core/lens.h"
#include "core/scope.h"
#include "core/session.h"
#include "core/token.h"

/* Windows a pid alone can mean: what a person would call a window of the application. */
static bool is_eligible(const struct window *window, pid_t pid)
{
	return window->pid == pid
		&& (strcmp(window->type, "normal") == 0 || strcmp(window->type, "dialog") == 0);
}

static void list_candidates(struct answer *answer, const GPtrArray *windows, pid_t pid)
{
	answer_open_array(answer, "candidates");
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (is_eligible(window, pid)) {
			answer_open_object(answer, NULL);
			answer_int(answer, "window_id", (gint64)window->id);
			answer_string(answer, "title", window->title);
			answer_string(answer, "type", window->type);
			answer_close_object(answer);
		}
	}
	answer_close_array(answer);
}

static const struct window *by_pid(const GPtrArray *windows, pid_t pid, struct answer *answer)
{
	const struct window *found = NULL;
	int count = 0;
	for (guint i = 0; i < windows->len; i++) {
		if (is_eligible(windows->pdata[i], pid)) {
			found = windows->pdata[i];
			count++;
		}
	}
	if (count == 0) {
		answer_fail(answer, ERROR_WINDOW_NOT_FOUND, "Process %d has no window", (int)pid);
	} else if (count > 1) {
		answer_fail(answer, ERROR_AMBIGUOUS_WINDOW_TARGET, "Process %d has %d windows", (int)pid,
			count);
		list_candidates(answer, windows, pid);
	}
	return count == 1 ? found : NULL;
}

static const struct window *by_id(const GPtrArray *windows, guint64 id, pid_t pid,
	struct answer *answer)
{
	const struct window *found = window_list_find(windows, id);
	if (found == NULL) {
		answer_fail(answer, ERROR_WINDOW_NOT_FOUND, "There is no window %" G_GUINT64_FORMAT, id);
	} else if (pid != 0 && found->pid != pid) {
		answer_fail(answer, ERROR_WINDOW_OWNER_MISMATCH,
			"Window %" G_GUINT64_FORMAT " belongs to process %d, not %d", id, (int)found->pid,
			(int)pid);
		answer_int(answer, "owner_pid", found->pid);
		found = NULL;
	}
	return found;
}

/* The window of the snapshot a token names; 0 and a failed answer if there is none. */
static guint64 of_token(struct session *session, const char *token, struct answer *answer)
{
	int index;
	struct snapshot *snapshot = token_resolve(session, token, &index, answer);
	guint64 id = snapshot != NULL ? snapshot->window->id : 0;
	snapshot_unref(snapshot);
	return id;
}

/* Whether something is to be done by the pointer at a pixel of the window's picture. */
static bool is_pointed(const struct args *args)
{
	return args_given(args, "x") && args_knows(args, "from_zoom") && !args_given(args, "debug_image_out");
}

/*
 * Most calls act on an element, or a pixel, of a window that stands there as it did when it was looked at;
 * whether it does is asked together with what else has to be known before an action (core/effect.c). What
 * follows from its tree being read again needs the list: whatever looks like it counts there.
 */
static struct window *as_it_was(const struct args *args, pid_t pid, guint64 id,
	struct session *session)
{
	struct window *window = NULL;
	bool element = args_given(args, "element_index") || args_given(args, "element_token");
	if (id == 0 || args_knows(args, "path") || args_given(args, "then")) {
		return NULL;
	}
	if (element) {
		struct snapshot *snapshot = session_latest(session, pid != 0 ? pid : -1, id);
		window = snapshot != NULL ? window_copy(snapshot->window) : NULL;
		snapshot_unref(snapshot);
	} else if (is_pointed(args)) {
		window = lenses_window(session_lenses(session), id, pid);
	}
	if (window != NULL && window->namesakes != 0) {
		g_clear_pointer(&window, window_free);
	}
	return window;
}

struct window *target_again(struct platform *platform, const struct window *known,
	struct deadline deadline, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) windows = platform->impl->windows(platform, deadline, &error);
	if (windows == NULL) {
		answer_fail_error(answer, error);
		return NULL;
	}
	const struct window *found = window_list_find(windows, known->id);
	if (found == NULL || found->pid != known->pid) {
		/* Its number may be somebody else's by now; that window was never meant. */
		answer_fail(answer, ERROR_WINDOW_NOT_FOUND, "The window %" G_GUINT64_FORMAT " of process %d is "
			"gone", known->id, (int)known->pid);
		return NULL;
	}
	return window_copy(found);
}

struct window *target_find(struct platform *platform, const struct args *args,
	struct session *session, struct deadline deadline, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	pid_t pid = scope_pid(args);
	guint64 id = scope_window(args);
	const char *token = args_knows(args, "element_token") ? args_string(args, "element_token") : NULL;

	if (id == 0 && token != NULL) {
		id = of_token(session, token, answer);
		if (id == 0) {
			return NULL;
		}
	}
	if (id == 0 && pid == 0) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS, "Which window? Pass window_id, or pid when the "
			"process has one window; an element_index alone names none");
		answer_suggest(answer, "Call list_windows for the windows there are.");
		return NULL;
	}
	struct window *known = as_it_was(args, pid, id, session);
	if (known != NULL) {
		return known;
	}
	g_autoptr(GPtrArray) windows = platform->impl->windows(platform, deadline, &error);
	if (windows == NULL) {
		answer_fail_error(answer, error);
		return NULL;
	}
	const struct window *found = id != 0 ? by_id(windows, id, pid, answer)
		: by_pid(windows, pid, answer);
	return found != NULL ? window_copy(found) : NULL;
}
