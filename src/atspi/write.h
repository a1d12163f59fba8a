/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_WRITE_H
#define ATSPI_WRITE_H

#include "atspi/talk.h"
#include "core/rung.h"

struct atspi;

/*
 * Writing into elements without keys. Each does one kind of writing to action->now as rung_impl.deliver
 * says, and notes in action->finding what to look at to see what came of it. The talk is with that
 * element.
 */

/* Texts (write.c): at the caret, or all of it. */
enum delivered write_text(struct talk *talk, struct action *action, GError **error);
enum delivered write_whole(struct talk *talk, struct action *action, GError **error);
char *write_look(struct talk *talk, const struct action *action);

/* Numbers (range.c). */
/* A scroll bar that has this action goes by steps alone. */
#define RANGE_STEP "incrementLine"
enum delivered range_set(struct talk *talk, struct action *action, GError **error);
char *range_look(struct talk *talk);
/* Parts of dates and times in pages: left to keys. Some tell their number only as they show it. */
enum delivered range_type(struct talk *talk, struct action *action, GError **error);
char *range_read(struct talk *talk);
bool range_parse(const char *text, double *value);
/* Whether the text is a number for this element: alone, or with the unit that it shows, as "30 %". */
bool range_means(struct talk *talk, const struct element *now, const char *text, double *value);
/* The same of a text that may have around the number what `shown` has around its own, "10 sec". */
bool range_parse_like(const char *text, const char *shown, double *value);
/* Whether a number is what the text shows, as far as it has one. */
bool range_is_shown(const char *text, double value);
/* Whether a value with these limits is a number: Qt's date and time fields take any and do nothing with it. */
bool range_is(const struct action *action, double least, double most);
/* Whether the element's limits allow it; false with an error that has them. */
bool range_within(struct talk *talk, struct action *action, double value, GError **error);
/* Tells the object a number; false if it answered with an error or not at all. */
bool range_put(struct talk *talk, double value);
char *range_in_words(double value);

/* On or off (toggle.c). Whether the element is such a one, when it is told this value. */
bool toggle_is(const struct element *element, const char *value);
enum delivered toggle_set(struct atspi *atspi, struct talk *talk, struct action *action,
	GError **error);
char *toggle_look(struct talk *talk, const struct action *action);

/* One of several, by its label (choice.c). */
bool choice_is(const struct element *element);
enum delivered choice_set(struct atspi *atspi, struct talk *talk, struct action *action,
	GError **error);
char *choice_look(struct talk *talk, const struct action *action);

/* What the element is in (scroll.c), by action->amount steps. */
enum delivered scroll_move(struct talk *talk, struct action *action, GError **error);

/* Moves what the talk failed with, if it did, to `error`; otherwise sets one of that code. */
void write_fail(struct talk *talk, GError **error, enum error_code code, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

#endif
