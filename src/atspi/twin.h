/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_TWIN_H
#define ATSPI_TWIN_H

#include "core/element.h"

/*
 * Takes the menu bar out of the tree that LibreOffice keeps, without height, behind the one of GTK that it shows. Its items
 * open menus of which a user notices only that the keyboard is gone, and tell keys that do something else.
 */
void twin_drop(struct tree *tree);

#endif
