/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_WRITE_H
#define ATSPI_WRITE_H

#include "atspi/talk.h"
#include "core/rung.h"

/*
 * Writing into elements without keys: texts, numbers, choices, scroll positions. Each does one kind of
 * action on action->now as rung_impl.deliver says, and notes in action->finding what to look at to see
 * what came of it.
 */
enum delivered write_text(struct talk *talk, struct action *action, GError **error);   /* at the caret */
enum delivered write_whole(struct talk *talk, struct action *action, GError **error);  /* all of it */

/* What there is now of what was found; see rung_impl.look. */
char *write_look(struct talk *talk, const struct action *action);

/* Moves what the talk failed with, if it did, to `error`; otherwise sets one of that code. */
void write_fail(struct talk *talk, GError **error, enum error_code code, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

#endif
