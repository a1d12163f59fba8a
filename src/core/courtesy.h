/* SPDX-License-Identifier: MIT */
#ifndef CORE_COURTESY_H
#define CORE_COURTESY_H

#include "core/answer.h"
#include "core/rung.h"

/*
 * The user comes first: while the user, who is in the action's window and pressed a key `typed` ms ago or less,
 * types there, this waits for a pause;
 * `*waited` then, and what was seen before is old. False with a failed answer (user_active) if there is none for a while.
 */
bool courtesy_wait(const struct action *action, unsigned typed, bool *waited, struct answer *answer);

#endif
