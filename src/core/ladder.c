/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/ladder.h"

#include "core/panic.h"

void refusal_clear(struct refusal *refusal)
{
	g_clear_pointer(&refusal->reason, g_free);
}

static void set_refusal(GError **error, const struct action *action, const struct refusal *first)
{
	if (first->reason != NULL) {
		g_set_error_literal(error, CUA_ERROR, (int)first->code, first->reason);
	} else if (action->delivery == DELIVERY_FOREGROUND) {
		g_set_error(error, CUA_ERROR, ERROR_FOREGROUND_UNAVAILABLE,
			"There is no way to deliver this action in the foreground");
	} else {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"There is no way to deliver this action in the background");
	}
}

/* Says no more than that a rung does not know how. */
static bool is_vague(enum error_code code)
{
	return code == ERROR_BACKGROUND_UNAVAILABLE || code == ERROR_FOREGROUND_UNAVAILABLE;
}

enum delivered ladder_deliver(struct action *action, const struct rung_impl **ran, GError **error)
{
	const struct rung_impl *const *rungs = action->platform->impl->rungs;
	struct refusal first = { 0 };
	GError *failure = NULL;
	enum delivered delivered = DELIVERED_NONE;

	*ran = NULL;
	for (; *rungs != NULL && delivered == DELIVERED_NONE; rungs++) {
		const struct rung_impl *rung = *rungs;
		struct refusal why = { 0 };
		if (rung->delivery != action->delivery || (rung->takes & action->addressing) == 0
			|| (action->real_device && rung->through_accessibility)) {
			continue;
		}
		if (rung->can(action, &why) == VERDICT_NO) {
			if (first.reason == NULL && why.reason != NULL) {
				first = why;
				if (failure == NULL) {
					action->refused = why.code;
					action->has_refused = true;
				}
			} else if (why.reason != NULL && !is_vague(why.code) && is_vague(first.code)) {
				/* That one rung does not know how says less than why another must not. */
				refusal_clear(&first);
				first = why;
			} else {
				refusal_clear(&why);
			}
			continue;
		}
		g_clear_error(&failure);
		/* The last moment before something is sent. */
		if (panic_refuses(&failure)) {
			break;
		}
		*ran = rung;
		delivered = rung->deliver(action, &failure);
		if (failure != NULL) {
			action->refused = (enum error_code)failure->code;
			action->has_refused = true;
		}
	}
	if (failure != NULL && delivered == DELIVERED_NONE && is_vague((enum error_code)failure->code) && first.reason != NULL
		&& !is_vague(first.code)) {
		/* The rung that was left could not either, and says why. */
		g_error_free(failure);
		set_refusal(error, action, &first);
	} else if (failure != NULL) {
		g_propagate_error(error, failure);
	} else if (delivered == DELIVERED_NONE) {
		set_refusal(error, action, &first);
	}
	refusal_clear(&first);
	return delivered;
}
