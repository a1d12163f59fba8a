/* SPDX-License-Identifier: MIT */
#ifndef CORE_SIGHT_H
#define CORE_SIGHT_H

#include "core/element.h"
#include "core/frame.h"

/* Where one element stands among the others that have an index, and where it can be seen. */
struct sight {
	int parent;             /* element_index of the nearest ancestor that has one; -1 if none has */
	int depth;              /* how many ancestors have one */
	bool visible;           /* some of it is in the picture of the window */
	struct screen_rect seen; /* that part; of a hidden element what clips its children */
	struct screen_px at;    /* where a click hits it: its centre, or that of the visible part */
};

/*
 * One for each element of the tree, by position, for a picture of `window`. What is scrolled out or
 * clipped by what it is in is not visible. The caller frees the array.
 */
struct sight *sight_of(const struct tree *tree, struct screen_rect window);

/* The part of an element of a tree that can be seen, whatever its states say; empty if none can. */
struct screen_rect sight_seen(const struct element *element, struct screen_rect window);

#endif
