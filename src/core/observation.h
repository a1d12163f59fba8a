/* SPDX-License-Identifier: MIT */
/*
 * Who is heard and read around an action. What that proves, core/witness.c knows.
 */
#ifndef CORE_OBSERVATION_H
#define CORE_OBSERVATION_H

#include "core/rung.h"
#include "core/witness.h"

/*
 * Before the action. Others than the target may have to bear witness, and can only be compared if somebody knows what they are: who
 * told of a change since the snapshot, and not what it is, is asked. What is written, and what is clicked and shows that, is looked at
 * itself; in pages nothing proves anything. `before`: the target; NULL if there is none.
 */
void observation_prepare(const struct action *action, const struct element *before);

/*
 * After it: waits until the effect is proven, at most `settle_ms`, and closes the witness. What the target says is heard or read, then
 * what others say. Returns whether the application settled.
 */
bool observation_wait(struct action *action, const struct rung_impl *rung, struct witness *witness, int settle_ms);

#endif
