/* SPDX-License-Identifier: MIT */
#ifndef CORE_LABEL_H
#define CORE_LABEL_H

#include "core/element.h"

/*
 * What an element is called. Rows and buttons are often without a name, and a person calls them by the texts that
 * stand in them; a name that is only its toolkit's class is none.
 */

/* Its name, or the texts in it; "" if there is neither. Borrowed from the element. */
const char *label_of(const struct element *element);

/* Finds the texts in those elements that have no name of their own. The indices are given. */
void label_fill(struct tree *tree);

bool label_is_row(const struct element *element);

/* Whether it is a piece of running text. */
bool label_is_text(const struct element *element);

bool label_is_blank(const char *text);

#endif
