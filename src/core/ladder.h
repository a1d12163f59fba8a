/* SPDX-License-Identifier: MIT */
#ifndef CORE_LADDER_H
#define CORE_LADDER_H

#include "core/rung.h"

/*
 * Tries the platform's rungs that fit the action's delivery and addressing, in order, until one may
 * have delivered; never another after that. `ran` is the rung that did, or the last one tried. When no
 * rung could even try, DELIVERED_NONE comes with the first refusal as the error.
 */
enum delivered ladder_deliver(struct action *action, const struct rung_impl **ran, GError **error);

#endif
