/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_OBSERVATION_H
#define TOOLS_OBSERVATION_H

#include "core/call.h"

/*
 * A look at the call's window after something else was done, in the same answer: the state as get_window_state
 * would return it without a picture, or how it differs from the session's latest snapshot of the window.
 */
struct observation;

/* What the look may be, as an argument's values. */
#define OBSERVE_VALUES "none|diff|state"

/* Notes what is there before; NULL for "none". */
struct observation *observation_new(struct call *call, const char *observe);
void observation_free(struct observation *observation);

/*
 * Looks and adds the object `observed` to the answer, and sentences. Its snapshot becomes the session's latest
 * of the window. What goes wrong is said in there and never fails the answer. NULL is allowed.
 */
void observation_answer(struct observation *observation, struct call *call);

#endif
