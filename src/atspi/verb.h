/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_VERB_H
#define ATSPI_VERB_H

#include "atspi/atspi.h"
#include "core/rung.h"

/* How a click on an element is done without a pointer. */
enum way {
	WAY_NONE,     /* not at all */
	WAY_PERFORM,  /* by one of its actions */
	WAY_PICK,     /* by selecting it, or the row it is in, in its container */
};

/*
 * What a click with Ctrl or Shift on a row of GTK 3 makes of the selection, which its trees change only while their window has
 * the focus; STEP_NONE for everything else.
 */
enum step verb_step(const struct action *action);

/*
 * What stands for the click: by the action the caller named, else by button and count, and by what the
 * element is. With WAY_PERFORM `*verb` is one of the element's own actions; with WAY_NONE `why` is set.
 */
enum way verb_choose(const struct action *action, const char **verb, struct refusal *why);

/*
 * Whether the element is a check mark in a column of a list: GTK 3 tells it by an action that toggles it, of which some
 * applications hear nothing. Where a pointer can reach it, it clicks.
 */
bool verb_is_mark(const struct action *action);

/*
 * Whether the verb of a check box or another button that stays down would only change it: Qt's toggles and does not click,
 * and applications listen to clicks. Where a pointer can reach it, it clicks.
 */
bool verb_only_toggles(const struct action *action, const char *verb);

/*
 * Whether an item, as it was seen, would only be selected by its container: in Qt and in dialogs of LibreOffice what is selected
 * is not what is current, and applications show what is current. Where a pointer can reach the item, it clicks.
 */
bool verb_only_selects(const struct action *action, const struct element *item);

/*
 * Whether an item must be selected before it is opened by that verb: applications of LibreOffice and GTK3 open what is selected,
 * whichever item is activated. Where a pointer can reach the item, two clicks do both.
 */
bool verb_opens_selected(const struct action *action, const char *verb);

/*
 * Whether an item that is selected in its container is no item that was clicked to the application: Qt's follow what is current, and
 * some of GTK3's and LibreOffice's the cursor, which both stay where they are.
 */
bool verb_pick_is_unheard(const struct action *action);

/* How much later than it accepts the verb the toolkit does what it means. */
int verb_lag_ms(const struct window *window, const char *verb);

/* The verb that does what the caller asked, one of `actions`; NULL if there is none such. */
const char *verb_find(const char *const *actions, const char *wanted);

/* Whether a toolkit uses this word for programs; what people see is translated. */
bool verb_is_known(const char *name);

/* Whether that verb opens a list or menu over the window, which takes the keyboard of whoever has
 * it. */
bool verb_opens_menu(const struct action *action, const char *verb);

#endif
