/* SPDX-License-Identifier: MIT */
#ifndef CORE_DISTURBANCE_H
#define CORE_DISTURBANCE_H

#include "core/answer.h"
#include "core/platform.h"

/*
 * What changed for the user between two looks: `disturbed`, by wire names. With `after` NULL nobody
 * could look, which is not the same as nothing: the field is null then.
 */
void disturbance_answer(struct answer *answer, const struct probe *before,
	const struct probe *after);

/*
 * What an earlier action did to the user after it was answered: `disturbed_late`, only if there is
 * something to tell.
 */
void disturbance_answer_late(struct answer *answer, const struct probe *before);

#endif
