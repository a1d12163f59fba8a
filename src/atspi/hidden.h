/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_HIDDEN_H
#define ATSPI_HIDDEN_H

#include "atspi/link.h"
#include "core/element.h"

/*
 * GTK4 says of what is on a page that was shown once, and is not any more, that it is visible, and where it was. Where
 * two elements claim one place it is asked who is there, and the other one is marked as not on the screen. For a tree
 * just read, still in the toolkit's own units; what cannot be told is left as it is.
 */
void hidden_mark(struct link *link, struct tree *tree, struct deadline deadline);

#endif
