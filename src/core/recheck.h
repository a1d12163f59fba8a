/* SPDX-License-Identifier: MIT */
#ifndef CORE_RECHECK_H
#define CORE_RECHECK_H

#include "core/answer.h"
#include "core/rung.h"

/*
 * The action's element as it is now, if it still is the one of the snapshot and enabled; otherwise NULL,
 * and the answer has failed: stale_element with what looks most like it, element_disabled, or what the
 * platform said. To be called immediately before something is sent. The caller owns the element.
 */
struct element *recheck_element(const struct action *action, struct answer *answer);

#endif
