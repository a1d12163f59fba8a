/* SPDX-License-Identifier: MIT */
#ifndef CORE_SURROUNDINGS_H
#define CORE_SURROUNDINGS_H

#include "core/element.h"

/*
 * What an element stood in when it was seen. Toolkits use the object of one row for another one, so the
 * same object with the same role and name need not be the same thing: it is if its container still has
 * it where it was, or moved along with its neighbours, and the texts of its row still read the same.
 */

/* Siblings remembered on each side. */
#define NEIGHBOURS 3
struct neighbours {
	guint len;
	struct element *pdata[2 * NEIGHBOURS];
};

/* Who sat where in a container. */
struct seat {
	const struct element *container;
	const struct element *child;
	struct neighbours *neighbours; /* the nearest siblings in order, without the child */
};

struct surroundings {
	const struct element *element; /* borrowed, with the tree it is of */
	GArray *seats;           /* struct seat: its own, then those of the containers it is in */
	GPtrArray *signs;        /* struct element: whose names tell its row or place */
	bool distinct;           /* named, and no sibling has its role and name */
	bool labelled;           /* the signs are texts of its row or item */
};

/* Of an element of a numbered tree. Clear it before the tree goes. */
void surroundings_make(struct surroundings *surroundings, const struct element *element);
void surroundings_clear(struct surroundings *surroundings);

/* Whether its neighbours have to be where they were, too: nothing else tells it from them. */
bool surroundings_need_neighbours(const struct surroundings *surroundings);

/* What became of a seat. */
enum seat_now {
	SEAT_KEPT,      /* the container has it where it was */
	SEAT_SHIFTED,   /* it has it elsewhere, among the same neighbours in the same order */
	SEAT_LOST,      /* neither */
};

/*
 * What became of a child that is at another place now: `around` are the objects at and around that
 * place in the old container, in order, NULL where nobody is.
 */
enum seat_now seat_compare(const struct seat *then, char *const *around, gsize count);

/* What a second look found. */
struct look {
	enum seat_now *seats;    /* of surroundings.seats */
	bool order_kept;         /* the neighbours of its own seat are where they were; true if not asked */
	char **names;            /* of surroundings.signs; NULL: gone */
};
void look_init(struct look *look, const struct surroundings *surroundings);
void look_clear(struct look *look, const struct surroundings *surroundings);

/*
 * Whether the element read again, `now`, is the one that stood in these surroundings. NULL if it is;
 * otherwise why not, in words that the caller frees.
 */
char *surroundings_differ(const struct surroundings *then, const struct element *now,
	const struct look *look);

#endif
