/* SPDX-License-Identifier: MIT */
#ifndef CORE_MARKDOWN_H
#define CORE_MARKDOWN_H

#include "core/element.h"

/*
 * The tree as a list a model can read: one line an element, "[N]" where N is its element_index.
 * Containers that say nothing are left out and their children move up; texts that only repeat what they
 * are in are left out; the texts of a row stand on its line; neighbouring pieces of one text are one
 * line; unnamed elements that are not drawn share a line "[N]..[M]". Shown are the elements with
 * shown[position] true (NULL: all) and what they are in. The caller frees it.
 */
char *markdown_tree(const struct tree *tree, const bool *shown);

/* One element as one line, without a newline. The caller frees it. */
char *markdown_line(const struct element *element);

#endif
