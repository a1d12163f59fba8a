/* SPDX-License-Identifier: MIT */
#ifndef CORE_DIFF_H
#define CORE_DIFF_H

#include "core/snapshot.h"

/* One element that is not as it was; `before` NULL: it is new, `now` NULL: it is gone. */
struct difference {
	const struct element *before;  /* of the earlier tree */
	const struct element *now;     /* of the later tree */
};

/*
 * What became of the elements of one snapshot in a later one of the same window: of those with an index,
 * and of texts. An element is the same if its object and role are. It changed if its name, value or
 * description did; one with an index also by its states, actions and its place in the window.
 */
struct diff {
	GArray *added, *removed, *changed;  /* struct difference, in reading order */
};

void diff_make(struct diff *diff, const struct snapshot *earlier, const struct snapshot *later);
void diff_clear(struct diff *diff);

#endif
