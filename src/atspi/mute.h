/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_MUTE_H
#define ATSPI_MUTE_H

#include "atspi/link.h"
#include "core/element.h"
#include "core/past.h"

/*
 * An entry of a popover of GTK 3 (GtkModelButton) says that it is a check box or radio button and
 * never has the state that it is on: it tells so in an event, each time somebody asks its parent
 * for it. A real check box, which a popover may have as well, says nothing then; nor does, from
 * at-spi2-core 2.5x on (seen with 2.56 and GTK 3.24.49), an entry that is off. So who said that it
 * is on is asked again each time, and who says nothing is off, or real and has its states.
 */

/* Whether it may be one, if it says that it is off. `elements` is the tree that it is in. */
bool mute_may_be(const GPtrArray *elements, const struct element *element);

/* Whether it may tell that it is on because somebody asks its parent for it, wherever it is. */
bool mute_may_speak(const struct element *element);

/*
 * Makes it tell: 1 on, 0 off, 2 if it does not, which is what a real one does, -1 if nobody has listened for long enough to know.
 */
int mute_ask(struct link *link, struct past *past, const GPtrArray *elements, const struct element *element,
	struct deadline deadline);

/* Gives those of a tree the state that they tell. */
void mute_fill(struct link *link, struct past *past, struct tree *tree, struct deadline deadline);

#endif
