/* SPDX-License-Identifier: MIT */
#ifndef CORE_VERDICT_H
#define CORE_VERDICT_H

#include "core/answer.h"
#include "core/witness.h"

/*
 * Says what the witness saw: path, effect, verified, evidence, escalation, retry, and a text that tells
 * the model what to call next.
 */
void verdict_answer(struct answer *answer, const struct action *action, const struct rung_impl *rung,
	const struct witness *witness, bool settled);

/* Nothing, or not all of it, was delivered: why, and what to try instead. */
void verdict_refuse(struct answer *answer, const struct action *action, enum delivered delivered,
	const GError *error);

#endif

