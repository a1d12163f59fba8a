/* SPDX-License-Identifier: MIT */
#ifndef CORE_RECHECK_H
#define CORE_RECHECK_H

#include "core/answer.h"
#include "core/rung.h"
#include "core/snapshot.h"

/*
 * A second look at an action's element, before anything is sent to it. Begun, then ended, then judged; free it whatever
 * became of it.
 */
struct recheck;

/*
 * Begun as soon as a call has come: an application that has been idle takes its time, and we take ours until we know all
 * that the call is about. Of the snapshot's element of that index. NULL if that would take waiting, or there is no such one.
 */
struct recheck *recheck_ahead(struct platform *platform, struct snapshot *snapshot, int index);

/* Takes the action's own, if it was begun ahead and is of its element, or begins one. */
struct recheck *recheck_begin(struct action *action);
void recheck_end(struct recheck *recheck, struct deadline deadline);

/*
 * The action's element as it is now, if it still is the one of the snapshot and enabled; otherwise NULL,
 * and the answer has failed: stale_element with what looks most like it, element_disabled, or what the
 * platform said. Borrowed.
 */
const struct element *recheck_judge(const struct recheck *recheck, const struct action *action,
	struct answer *answer);
/* Takes NULL. */
void recheck_free(struct recheck *recheck);

#endif
