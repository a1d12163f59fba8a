/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/waiting.h"
#include "tools/conditions.h"
#include "tools/observation.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAM_CONDITIONS,
	{ "timeout_ms", .type = PARAM_INT, .min = 0, .max = 600000, .preset = "10000",
	  .about = "How long to wait at most. A timeout is an answer (met: false), not an error." },
	{ "settle_ms", .type = PARAM_INT, .min = 0, .max = 60000, .preset = "0",
	  .about = "For how long all conditions have to hold without a break." },
	{ "observe", .type = PARAM_ENUM, .values = OBSERVE_VALUES, .preset = "\"none\"",
	  .about = "Return what became of the window, too: what changed since its latest snapshot (diff), or all of "
		   "it (state). Either makes a new snapshot, and element indices are its from then on." },
	{ NULL }
};

struct state {
	struct waiting *waiting;
	struct observation *observation;
};

static void forget(void *data)
{
	struct state *state = data;
	waiting_free(state->waiting);
	observation_free(state->observation);
	g_free(state);
}

static void look(struct call *call)
{
	struct state *state = call->state;
	if (waiting_look(state->waiting, look)) {
		waiting_answer(state->waiting, call->answer);
		observation_answer(state->observation, call);
	}
}

static void run(struct call *call)
{
	int timeout = (int)args_int(call->args, "timeout_ms");
	GPtrArray *conditions = conditions_read(call->args, call, timeout > 0);
	if (conditions != NULL) {
		struct state *state = g_new0(struct state, 1);
		call->state = state;
		call->forget = forget;
		state->observation = observation_new(call, args_string(call->args, "observe"));
		state->waiting = waiting_new(call, conditions, timeout,
			(int)args_int(call->args, "settle_ms"));
		look(call);
	}
}

const struct tool tool_wait_for = {
	.name = "wait_for", .title = "Wait for", .effect = TOOL_READS, .target = TARGET_WINDOW,
	.params = params, .run = run, .does_without = conditions_do_without,
	.about = "Wait until all conditions hold: an element of the window appears, disappears, has a value, a "
		 "state or a label; a window of the desktop opens, closes or has a title; a text is there; the "
		 "application is idle. Returns as soon as they do, driven by the application's own events, and "
		 "says of each condition whether it holds and what was seen. Other calls go on meanwhile. For "
		 "one look without waiting use verify_state; after an action, the action's own `then`.",
};
