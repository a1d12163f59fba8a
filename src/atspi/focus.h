/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_FOCUS_H
#define ATSPI_FOCUS_H

#include "atspi/atspi.h"
#include "core/window.h"

/*
 * Giving an element the keyboard of its window by accessibility alone. Browsers do that in windows that are not active, and
 * activate none of them; where keys really go in such a window they do not tell.
 */

/* Whether that is safe for this element: GTK3, and Chromium outside its pages, would activate the window. */
bool focus_may_take(const struct window *window, const struct element *element);

/* True when the element, or something in it, has said that it has the focus since it was asked to take it. */
bool focus_take(struct atspi *atspi, const struct element *element, struct deadline deadline);

/* Whether the top-level says that it is the active one; waits for that. */
bool focus_is_active(struct atspi *atspi, const struct element *top, struct deadline deadline);

#endif
