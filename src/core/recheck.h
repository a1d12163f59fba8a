/* SPDX-License-Identifier: MIT */
#ifndef CORE_RECHECK_H
#define CORE_RECHECK_H

#include "core/answer.h"
#include "core/rung.h"
#include "core/surroundings.h"

/* A second look at an action's element, immediately before something is sent to it. */
struct recheck {
	struct surroundings surroundings;
	struct look look;
	struct element *now;    /* NULL if it could not be read */
	GError *error;          /* why */
};

/* Looks, and calls `meanwhile` once, while it waits. Judge it, then clear it. */
void recheck_look(struct recheck *recheck, const struct action *action, void (*meanwhile)(void *data), void *data);

/*
 * The action's element as it is now, if it still is the one of the snapshot and enabled; otherwise NULL,
 * and the answer has failed: stale_element with what looks most like it, element_disabled, or what the
 * platform said. Borrowed.
 */
const struct element *recheck_judge(const struct recheck *recheck, const struct action *action,
	struct answer *answer);
void recheck_clear(struct recheck *recheck);

#endif
