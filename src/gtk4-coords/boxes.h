/* SPDX-License-Identifier: MIT */
#ifndef GTK4_COORDS_BOXES_H
#define GTK4_COORDS_BOXES_H

#include <stdbool.h>

#include "core/frame.h"
#include "gtk4-coords/era.h"

/* What GTK4 tells of one accessible, in its own units. Parents come before their children. */
struct gtk4_node {
	const char *role;        /* as the wire calls it */
	int parent;              /* position; -1 for the window itself, which is the first */
	bool shown;
	bool has_window, has_parent; /* whether the two below were told */
	struct screen_rect window; /* by its word, in the window */
	struct screen_rect
		inside; /* by its word, in what it is in; of no meaning before GTK4_ERA_SUM */
};

/* Where it is by all that is known: its border box, from the corner of the window's content; in
 * units. */
struct gtk4_box {
	bool known;              /* it has a place, right or not so right */
	struct screen_rect rect;
	int doubt_x, doubt_y;    /* by at most so much it may be elsewhere */
};

/*
 * Fills `boxes`, one for each of `count` nodes. Border and padding that a toolkit leaves out of its
 * answers are put back: by the role, and by how much of a box is left beside what is in it. How
 * sure that is, is said.
 */
void gtk4_boxes(
	enum gtk4_era era, const struct gtk4_node *nodes, int count, struct gtk4_box *boxes);

/* Whether the middle of the box is in the element wherever in the doubt it is: only then it may be
 * aimed at. */
bool gtk4_box_is_sure(const struct gtk4_box *box);

#endif
