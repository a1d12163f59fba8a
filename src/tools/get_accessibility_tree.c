/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/tools.h"

static const struct param params[] = {
	{ "pid", .type = PARAM_INT, .min = 1, .max = G_MAXINT32,
	  .about = "The application. Without it: all applications and their windows." },
	{ "max_elements", .type = PARAM_INT, .min = 1, .max = 50000, .preset = "1000",
	  .about = "How many nodes are read at most." },
	{ "max_depth", .type = PARAM_INT, .min = 1, .max = 100,
	  .about = "How many levels are read at most; without a pid never more than two." },
	{ NULL }
};

static void run(struct call *call)
{
	g_autoptr(GError) error = NULL;
	struct answer *answer = call->answer;
	struct tree_limits limits = {
		.max_elements = (int)args_int(call->args, "max_elements"),
		.max_depth = (int)args_int(call->args, "max_depth"),
	};
	struct tree *tree = call->platform->impl->overview(call->platform,
		(pid_t)args_int(call->args, "pid"), &limits, call->deadline, &error);
	if (tree == NULL) {
		answer_fail_error(answer, error);
		return;
	}
	answer_bool(answer, "complete", tree->complete);
	if (tree->truncated != NULL) {
		answer_string(answer, "truncated", tree->truncated);
		answer_text(answer, "Not complete: %s.\n", tree->truncated);
	}
	answer_open_array(answer, "nodes");
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		answer_open_object(answer, NULL);
		answer_string(answer, "role", element->role);
		answer_string(answer, "name", element->name);
		answer_int(answer, "depth", element->depth);
		answer_close_object(answer);
		answer_text(answer, "%*s%s \"%s\"\n", element->depth * 2, "", element->role, element->name);
	}
	answer_close_array(answer);
	tree_free(tree);
}

const struct tool tool_get_accessibility_tree = {
	.name = "get_accessibility_tree", .title = "Accessibility overview", .effect = TOOL_READS,
	.target = TARGET_APP, .params = params, .run = run,
	.about = "A light overview of roles and names: of all applications and their windows, or of one "
		 "application. Nothing in it can be acted on; for that use get_window_state.",
};
