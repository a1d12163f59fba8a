/* SPDX-License-Identifier: MIT */
#ifndef GTK4_COORDS_INSET_H
#define GTK4_COORDS_INSET_H

#include "gtk4-coords/boxes.h"

/* Border and padding of a box at its left and top, and by how much they may be otherwise; in units.
 */
struct gtk4_inset {
	int x, y;
	int doubt_x, doubt_y;
};

/* A node with its place among the others. */
struct gtk4_family {
	const struct gtk4_node *nodes;
	int count;
	const int *first, *next; /* of each node: its first child, its next sibling; -1: none */
	const int *depth;
};

/* What the border and padding of that node is likely to be. Pure. */
struct gtk4_inset gtk4_inset_of(const struct gtk4_family *family, int node);

/* Whether what was told can be: pages that were never shown answer with whatever was in memory. */
bool gtk4_node_is_sane(const struct gtk4_node *node);

#endif
