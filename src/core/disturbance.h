/* SPDX-License-Identifier: MIT */
#ifndef CORE_DISTURBANCE_H
#define CORE_DISTURBANCE_H

#include "core/answer.h"
#include "core/rung.h"

/*
 * What changed for the user between two looks, and what the action took and gave back: `disturbed`,
 * by wire names, and in the foreground `restored`. With `after` NULL nobody could look, which is
 * not the same as nothing: the field is null then. `keys_lost`, only if there are any: how many of
 * the user's keys went to a window that had taken the focus.
 */
void disturbance_answer_of(struct answer *answer, const struct action *action, const struct probe *before,
	const struct probe *after);
/* The same of what is no action: only what is different afterwards. */
void disturbance_answer(struct answer *answer, const struct probe *before, const struct probe *after);

/*
 * What an earlier action did to the user after it was answered: `disturbed_late` and
 * `keys_lost_late`, only if there is something to tell.
 */
void disturbance_answer_late(struct answer *answer, const struct probe *before);

#endif
