/* SPDX-License-Identifier: MIT */
#ifndef CORE_DESKTOP_H
#define CORE_DESKTOP_H

#include "core/answer.h"
#include "core/rung.h"

/*
 * Does an action that has no window: at a pixel of the screen, or where the user's keyboard is. Nothing is
 * activated and nothing put back, and nobody but the caller can tell what came of it. The user comes first and a
 * locked screen is left alone, as everywhere. Fills the answer.
 */
void desktop_act(struct action *action, struct answer *answer);

#endif
