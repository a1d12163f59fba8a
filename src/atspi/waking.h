/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_WAKING_H
#define ATSPI_WAKING_H

#include "atspi/match.h"
#include "atspi/pool.h"
#include "atspi/reader.h"

/*
 * Chromium, and what is made of it, shows its window at once but builds the tree inside only when it
 * believes that a screen reader is there. It can be made to believe that while it runs. Firefox has the names and places of
 * a page a moment after it was first asked for them.
 */

/* Whether this is a window of such an application without what should be in it. */
bool waking_is_needed(const struct window *window, const struct tree *tree);

/*
 * Wakes the application and reads the frame again until the page is there. Takes the tree as it was and
 * gives it back, marked as a skeleton, if it does not wake up in time; where that was so a short while ago
 * it is not waited for again. NULL with an error like reader_read().
 */
struct tree *waking_read(struct atspi *atspi, struct link *link, const struct object *frame,
	struct tree *tree, const struct reading *reading, struct deadline deadline, GError **error);

#endif
