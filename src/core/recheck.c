/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/recheck.h"

#include "core/candidates.h"
#include "core/label.h"
#include "core/surroundings.h"

struct recheck {
	struct platform *platform;
	struct snapshot *snapshot; /* of who was begun ahead: nobody else may keep it */
	struct surroundings surroundings;
	struct look look;
	void *looking;             /* under way */
	struct element *now;       /* NULL if it could not be read */
	GError *error;             /* why */
};

static struct recheck *look(struct platform *platform, const struct element *element, bool at_once, struct deadline deadline)
{
	struct recheck *recheck = g_new0(struct recheck, 1);
	recheck->platform = platform;
	surroundings_make(&recheck->surroundings, element);
	look_init(&recheck->look, &recheck->surroundings);
	recheck->looking = platform->impl->look_begin(platform, &recheck->surroundings, &recheck->look, at_once, deadline,
		&recheck->error);
	return recheck;
}

struct recheck *recheck_ahead(struct platform *platform, struct snapshot *snapshot, int index)
{
	const struct element *element = tree_at(snapshot->tree, index);
	if (element == NULL) {
		return NULL;
	}
	struct recheck *recheck = look(platform, element, true, (struct deadline){ 0 });
	recheck->snapshot = snapshot_ref(snapshot);
	if (recheck->looking == NULL) {
		g_clear_pointer(&recheck, recheck_free);
	}
	return recheck;
}

struct recheck *recheck_begin(struct action *action)
{
	struct recheck *ahead = g_steal_pointer(&action->ahead);
	if (ahead != NULL && ahead->surroundings.element == action->element) {
		return ahead;
	}
	recheck_free(ahead);
	return look(action->platform, action->element, false, action->deadline);
}

void recheck_end(struct recheck *recheck, struct deadline deadline)
{
	void *looking = g_steal_pointer(&recheck->looking);
	if (looking != NULL) {
		recheck->now = recheck->platform->impl->look_end(recheck->platform, looking, deadline, &recheck->error);
	}
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

void recheck_free(struct recheck *recheck)
{
	if (recheck == NULL) {
		return;
	}
	if (recheck->looking != NULL) {
		recheck->platform->impl->look_drop(recheck->platform, recheck->looking);
	}
	element_free(recheck->now);
	g_clear_error(&recheck->error);
	look_clear(&recheck->look, &recheck->surroundings);
	surroundings_clear(&recheck->surroundings);
	snapshot_unref(recheck->snapshot);
	g_free(recheck);
}
