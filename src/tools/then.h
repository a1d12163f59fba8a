/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_THEN_H
#define TOOLS_THEN_H

#include "core/call.h"

/* The argument `then` of acting tools: what to wait for after the action, and how to look at what it did. */

/*
 * Before the action: reads the argument, notes what is there and begins to listen. False with a failed answer
 * if it means nothing. Without the argument nothing is done.
 */
bool then_begin(struct call *call);

/*
 * After the action, and last of all: waits, which may park the call, then looks. A failed action is not looked
 * at, and what goes wrong here is said beside the action's own answer.
 */
void then_finish(struct call *call);

#endif
