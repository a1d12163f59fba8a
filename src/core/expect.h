/* SPDX-License-Identifier: MIT */
#ifndef CORE_EXPECT_H
#define CORE_EXPECT_H

#include "core/rung.h"

/* What two readings of an element differ in. */
struct change {
	const char *kind;    /* evidence kind: "state", "value", "text"; NULL: nothing that counts */
	char *before, *after;
	char *detail;        /* which state; NULL otherwise */
};
void change_clear(struct change *change);

enum outcome {
	OUTCOME_NONE,        /* nothing on it changed that says anything about the action */
	OUTCOME_ASKED,       /* it changed as the action asks for */
	OUTCOME_OTHER,       /* it changed, but to something else */
};

/*
 * Contract section 5 (a): whether the target changed in the requested direction. `change` says what
 * was compared, also for OUTCOME_OTHER; the caller clears it.
 */
enum outcome expect_compare(const struct action *action, const struct element *before,
	const struct element *after, struct change *change);

/*
 * The same from one event: whether a state of the target that is now `on` is what the action asks for.
 * `state` is the wire name of the state.
 */
bool expect_state(const struct action *action, const struct element *before, const char *state,
	bool on);

/* Whether it was so before already; false also of what is no state. */
bool expect_had(const struct element *before, const char *state, bool on);

#endif
