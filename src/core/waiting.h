/* SPDX-License-Identifier: MIT */
#ifndef CORE_WAITING_H
#define CORE_WAITING_H

#include "core/call.h"
#include "core/condition.h"

/*
 * Waiting until conditions hold. Somebody is told by the platform that something may have changed, looks,
 * and is parked again (core/call.h): in between it holds no thread and nobody's turn.
 */
struct waiting;

/*
 * Begins: from now on windows count as new, and events wake the call. Takes over the conditions (struct
 * condition). `limit_ms` counts from the first look; 0: one look, and nobody listens.
 */
struct waiting *waiting_new(struct call *call, GPtrArray *conditions, int limit_ms, int settle_ms);

/* Ends it; the call is not woken any more. NULL is allowed. */
void waiting_free(struct waiting *waiting);

/* Looks. True: it is over, by success or not. False: the call is parked and resumes with `resume`. */
bool waiting_look(struct waiting *waiting, call_resume resume);

/* met, ended, conditions[], looks, waited_ms, and sentences about them. */
void waiting_answer(const struct waiting *waiting, struct answer *answer);

#endif
