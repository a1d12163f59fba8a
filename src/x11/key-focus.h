/* SPDX-License-Identifier: MIT */
#ifndef X11_KEY_FOCUS_H
#define X11_KEY_FOCUS_H

#include "x11/keyboard.h"
#include "x11/rung.h"

/* How the element that keys are meant for gets its window's focus: by accessibility, by a verb of its own, by a click. */

/* Whether the element can be given the focus without a click. */
bool key_focus_may_take(const struct action *action);

/* Whether a click for the focus would do more than that; whether the middle button is the one that does not. */
bool key_focus_click_harms(const struct action *action);
bool key_focus_takes_middle(const struct action *action);

/* Whether it needs a click, which would do more, and has no verb for it. */
bool key_focus_is_impossible(const struct action *action);

/* Whether it has it: some applications put the focus back where it was as soon as something is chosen. */
bool key_focus_is_there(const struct action *action);

/* Whether it has the focus in a moment; a page is another process, and keys that are sent sooner go where it was. */
bool key_focus_comes(const struct action *action);

/* By its own verb; false if it has none, or that did not do it. */
bool key_focus_by_verb(const struct action *action);

/*
 * By accessibility; false if that is not safe or was not seen to work. `*told`: the window was told that it has the user's
 * focus, and is to be told otherwise when the keys are pressed.
 */
bool key_focus_take(const struct action *action, const struct typing *typing, bool *told);

#endif
