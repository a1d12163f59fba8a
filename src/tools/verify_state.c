/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/waiting.h"
#include "tools/conditions.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAM_CONDITIONS,
	{ NULL }
};

static void run(struct call *call)
{
	GPtrArray *conditions = conditions_read(call->args, call, false);
	if (conditions != NULL) {
		struct waiting *waiting = waiting_new(call, conditions, 0, 0);
		waiting_look(waiting, NULL);
		waiting_answer(waiting, call->answer);
		waiting_free(waiting);
	}
}

const struct tool tool_verify_state = {
	.name = "verify_state", .title = "Verify state", .effect = TOOL_READS, .target = TARGET_WINDOW,
	.params = params, .run = run, .does_without = conditions_do_without,
	.about = "Look once whether all conditions hold, as wait_for without waiting: met says whether all do, "
		 "and each condition what was seen.",
};
