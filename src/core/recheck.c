/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/recheck.h"

#include "core/candidates.h"
#include "core/surroundings.h"

struct element *recheck_element(const struct action *action, struct answer *answer)
{
	g_autoptr(GError) error = NULL;
	const struct element *then = action->element;
	struct surroundings surroundings;
	struct look look;

	surroundings_make(&surroundings, then);
	look_init(&look, &surroundings);
	struct element *now = action->platform->impl->look(action->platform, &surroundings, &look,
		action->deadline, &error);
	g_autofree char *why = now != NULL ? surroundings_differ(&surroundings, now, &look) : NULL;
	if (now == NULL) {
		answer_fail_error(answer, error);
	} else if (why != NULL) {
		answer_fail(answer, ERROR_STALE_ELEMENT, "The %s \"%.80s\" is not what it was: %s", then->role,
			then->name, why);
		g_clear_pointer(&now, element_free);
	} else if ((now->states & STATE_ENABLED) == 0) {
		answer_fail(answer, ERROR_ELEMENT_DISABLED, "The %s \"%.80s\" is disabled", now->role,
			now->name);
		g_clear_pointer(&now, element_free);
	}
	if (why != NULL || (error != NULL && error->code == ERROR_STALE_ELEMENT)) {
		candidates_answer(answer, action->platform, action->window, then, action->deadline);
	}
	look_clear(&look, &surroundings);
	surroundings_clear(&surroundings);
	return now;
}
