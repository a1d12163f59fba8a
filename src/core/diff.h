/* SPDX-License-Identifier: MIT */
#ifndef CORE_DIFF_H
#define CORE_DIFF_H

#include "core/element.h"

/*
 * What became of the indexed elements of one tree in a later one. An element is the same if its object,
 * role and name are; it changed if its value, states, frame or actions did.
 */
struct diff {
	GPtrArray *added;    /* const struct element of the later tree */
	GPtrArray *removed;  /* const struct element of the earlier tree */
	GPtrArray *changed;  /* const struct element of the later tree */
};

void diff_make(struct diff *diff, const struct tree *earlier, const struct tree *later);
void diff_clear(struct diff *diff);

#endif
