/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_PRESS_H
#define ATSPI_PRESS_H

#include "atspi/atspi.h"
#include "core/rung.h"

/* What a key would do to an element, and how it is done without a keyboard. */
enum press {
	PRESS_NONE,     /* nothing that is known */
	PRESS_PERFORM,  /* one of its actions */
	PRESS_PICK,     /* it, or an item beside it, is selected */
	PRESS_NUDGE,    /* its value moves */
};

/*
 * By the action's keys and what the element is. With PRESS_PERFORM `*verb` is one of the element's own
 * actions, with the other two `*step` is set; with PRESS_NONE `why` is.
 */
enum press press_choose(const struct action *action, const char **verb, enum step *step,
	struct refusal *why);

/* Moves the element's value by a step within its limits (nudge.c); and what it is later. */
enum delivered nudge_value(struct atspi *atspi, struct action *action, enum step step,
	GError **error);
char *nudge_look(struct atspi *atspi, const struct action *action, struct deadline deadline);

#endif
