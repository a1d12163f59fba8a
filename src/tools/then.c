/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/then.h"

#include "core/waiting.h"
#include "tools/conditions.h"
#include "tools/observation.h"

/* Without conditions the application is given the time to finish: until it has been silent for a moment. */
#define QUIET_MS 60
#define SETTLE_LEAST_MS 500

static const struct param wait_fields[] = {
	{ "conditions", .type = PARAM_OBJECTS, .required = true, .fields = condition_fields, .brief = true,
	  .about = "What has to hold, all of it at once, as the conditions of wait_for." },
	{ "timeout_ms", .type = PARAM_INT, .min = 1, .max = 600000, .preset = "10000",
	  .about = "How long to wait at most." },
	{ "settle_ms", .type = PARAM_INT, .min = 0, .max = 60000, .preset = "0",
	  .about = "For how long all conditions have to hold without a break." },
	{ NULL }
};

const struct param then_fields[] = {
	{ "wait", .type = PARAM_OBJECT, .fields = wait_fields,
	  .about = "Wait for conditions first, as wait_for does. Without it: until the application is quiet." },
	{ "observe", .type = PARAM_ENUM, .values = OBSERVE_VALUES, .preset = "\"diff\"",
	  .about = "diff: what was added, removed and changed since the latest snapshot of the window; state: "
		   "all of it. Either makes a new snapshot, and element indices are its from then on." },
	{ NULL }
};

struct then {
	struct waiting *waiting;         /* NULL: nothing to wait for */
	bool asked;                      /* by the caller, who is told what came of it */
	struct observation *observation; /* NULL: nobody looks */
};

static void then_free(void *state)
{
	struct then *then = state;
	waiting_free(then->waiting);
	observation_free(then->observation);
	g_free(then);
}

static struct waiting *wait_until_quiet(struct call *call)
{
	GPtrArray *conditions = g_ptr_array_new_with_free_func((GDestroyNotify)condition_free);
	struct condition *idle = g_new0(struct condition, 1);
	*idle = (struct condition){ .kind = CONDITION_IDLE, .quiet_ms = QUIET_MS };
	g_ptr_array_add(conditions, idle);
	return waiting_new(call, conditions, MAX((int)args_int(call->args, "settle_ms"), SETTLE_LEAST_MS),
		0);
}

bool then_begin(struct call *call)
{
	const struct args *args = args_object(call->args, "then");
	if (args == NULL) {
		return true;
	}
	const struct args *wait = args_object(args, "wait");
	GPtrArray *conditions = wait != NULL ? conditions_read(wait, call, true) : NULL;
	if (wait != NULL && conditions == NULL) {
		return false;
	}
	struct then *then = g_new0(struct then, 1);
	call->state = then;
	call->forget = then_free;
	then->asked = wait != NULL;
	then->observation = observation_new(call, args_string(args, "observe"));
	if (then->asked) {
		then->waiting = waiting_new(call, conditions, (int)args_int(wait, "timeout_ms"),
			(int)args_int(wait, "settle_ms"));
	} else if (then->observation != NULL) {
		then->waiting = wait_until_quiet(call);
	}
	return true;
}

void then_finish(struct call *call)
{
	struct then *then = call->state;
	if (then == NULL || answer_failed(call->answer)
		|| (then->waiting != NULL && !waiting_look(then->waiting, then_finish))) {
		return;
	}
	if (then->asked) {
		answer_open_object(call->answer, "waited");
		waiting_answer(then->waiting, call->answer);
		answer_close_object(call->answer);
	}
	observation_answer(then->observation, call);
}
