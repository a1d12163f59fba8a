/* SPDX-License-Identifier: MIT */
#ifndef CORE_EFFECT_H
#define CORE_EFFECT_H

#include "core/answer.h"
#include "core/rung.h"

/*
 * Does the action and answers what came of it. Before: the element is read again and must still be
 * the one of the snapshot, the user's side is noted, the element is watched. Then the ladder. After:
 * the verdict from what was seen within `settle_ms`, and what changed for the user.
 */
void effect_act(struct action *action, int settle_ms, struct answer *answer);

/* What an action did to its target, from two readings of it. */
struct change {
	const char *kind;    /* evidence kind: "state", "value"; NULL: nothing that counts */
	char *before, *after;
	char *detail;        /* which state; NULL otherwise */
};
void change_clear(struct change *change);

/* Contract section 5 (a): whether the target changed in the way a click asks for. */
struct change effect_change(const struct element *before, const struct element *after);

#endif
