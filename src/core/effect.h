/* SPDX-License-Identifier: MIT */
#ifndef CORE_EFFECT_H
#define CORE_EFFECT_H

#include "core/answer.h"
#include "core/rung.h"

/*
 * Does the action and answers what came of it. Before: the element is read again and must still be
 * the one of the snapshot, the user's side is noted, witnesses are armed. Then the ladder. After: the
 * verdict from what was seen within `settle_ms`, and what changed for the user.
 */
void effect_act(struct action *action, int settle_ms, struct answer *answer);

#endif
