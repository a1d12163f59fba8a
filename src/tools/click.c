/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/effect.h"
#include "core/token.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	{ "action", .type = PARAM_STRING,
	  .about = "Which of the element's actions: press (the usual one), show_menu, pick, confirm, "
		   "cancel, open, or any name of its actions." },
	PARAMS_DELIVERY,
	{ NULL }
};

/* The snapshot the call's element is of, and its index there; NULL with a failed answer. */
static struct snapshot *find_snapshot(struct call *call, int *index)
{
	struct answer *answer = call->answer;
	if (args_has(call->args, "element_token") == args_has(call->args, "element_index")) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS,
			"Which element? Pass element_index or element_token, one of them");
		return NULL;
	}
	if (args_has(call->args, "element_token")) {
		return token_resolve(call->session, args_string(call->args, "element_token"), index, answer);
	}
	*index = (int)args_int(call->args, "element_index");
	struct snapshot *snapshot = session_latest(call->session, call->window->pid,
		call->window->id);
	if (snapshot == NULL) {
		answer_fail(answer, ERROR_NO_CACHED_STATE,
			"No cached state for pid %d window_id %" G_GUINT64_FORMAT, (int)call->window->pid,
			call->window->id);
	}
	return snapshot;
}

static void run(struct call *call)
{
	int index = 0;
	struct snapshot *snapshot = find_snapshot(call, &index);
	if (snapshot == NULL) {
		return;
	}
	const struct element *element = tree_at(snapshot->tree, index);
	if (element == NULL) {
		answer_fail(call->answer, ERROR_INVALID_ELEMENT_INDEX,
			"Invalid element_index %d: the snapshot has %d elements", index,
			snapshot->tree->indexed);
	} else if (snapshot->window->id != call->window->id) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"The element_token is of another window than window_id");
	} else {
		const char *mode = args_string(call->args, "delivery_mode");
		struct action action = {
			.kind = ACTION_CLICK,
			.delivery = g_str_equal(mode, "foreground") ? DELIVERY_FOREGROUND
				: DELIVERY_BACKGROUND,
			.addressing = ADDRESS_ELEMENT,
			.platform = call->platform,
			.window = call->window,
			.element = element,
			.verb = args_string(call->args, "action"),
			.deadline = call->deadline,
		};
		effect_act(&action, (int)args_int(call->args, "settle_ms"), call->answer);
	}
	snapshot_unref(snapshot);
}

const struct tool tool_click = {
	.name = "click", .title = "Click", .effect = TOOL_ACTS, .target = TARGET_WINDOW, .params = params,
	.run = run,
	.about = "Press an element of a window through accessibility, in the background: works on covered "
		 "and minimised windows, moves no pointer, takes no focus. Take element_index from "
		 "get_window_state of the same window. The answer's effect says what was seen to happen.",
};
