/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_PADDING_H
#define ATSPI_PADDING_H

#include "core/element.h"
#include "gtk4-coords/era.h"

/*
 * Puts the places in the tree of a GTK4 window, told in its units, where the elements are: from the
 * corner of the window's content, and how sure that is (struct element's `doubt`). What nobody can
 * place has no frame afterwards.
 */
void padding_put_back(struct tree *tree, enum gtk4_era era);

#endif
