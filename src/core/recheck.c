/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/recheck.h"

#include "core/candidates.h"
#include "core/label.h"

void recheck_look(struct recheck *recheck, const struct action *action, void (*meanwhile)(void *data), void *data)
{
	*recheck = (struct recheck){ 0 };
	surroundings_make(&recheck->surroundings, action->element);
	look_init(&recheck->look, &recheck->surroundings);
	recheck->look.meanwhile = meanwhile;
	recheck->look.data = data;
	recheck->now = action->platform->impl->look(action->platform, &recheck->surroundings,
		&recheck->look, action->deadline, &recheck->error);
	/* Where nothing could be asked. */
	look_meanwhile(&recheck->look);
}

const struct element *recheck_judge(const struct recheck *recheck, const struct action *action,
	struct answer *answer)
{
	const struct element *then = action->element, *now = recheck->now;
	const GError *error = recheck->error;
	g_autofree char *why = now != NULL
		? surroundings_differ(&recheck->surroundings, now, &recheck->look) : NULL;
	if (now == NULL) {
		answer_fail_error(answer, error);
	} else if (why != NULL) {
		answer_fail(answer, ERROR_STALE_ELEMENT, "The %s \"%.80s\" is not what it was: %s", then->role,
			label_of(then), why);
	} else if ((now->states & STATE_ENABLED) == 0) {
		answer_fail(answer, ERROR_ELEMENT_DISABLED, "The %s \"%.80s\" is disabled", now->role,
			label_of(then));
	}
	if (why != NULL || (error != NULL && error->code == ERROR_STALE_ELEMENT)) {
		candidates_answer(answer, action->platform, action->window, then, action->deadline);
	}
	return answer_failed(answer) ? NULL : now;
}

void recheck_clear(struct recheck *recheck)
{
	element_free(recheck->now);
	g_clear_error(&recheck->error);
	look_clear(&recheck->look, &recheck->surroundings);
	surroundings_clear(&recheck->surroundings);
}
