/* SPDX-License-Identifier: MIT */
#ifndef EVERYDAY_H
#define EVERYDAY_H

#include "documents/documents.h"

/* A desktop as people have it, and an agent that does random things on it beside a person who
 * types. */

/* The programs, and what was there before the agent began. */
struct room {
	struct lab_desk *desk;
	struct lab_driver *driver;
	struct lab_sentinel *sentinel;
	struct scene office, browser; /* a sheet and a text; two windows of one profile */
	xcb_window_t files, image, panel, editor;
	char *folder; /* that the file manager shows */
	GArray *windows; /* xcb_window_t, before an action */
	GRand *random;
	int number; /* of the action */
};

/* Opens everything. */
struct room room_open(struct lab_desk *desk, unsigned seed);
/* Which windows there are now. */
GArray *room_windows(struct room *room);
/* Closes, as a pager does, those that were not there before; they are many if programs open
 * dialogs. */
void room_tidy(struct room *room);

/* The person turns to their own window again, if another one is active. */
void room_return(struct room *room);

/* One action: what it was, what the driver said, and what should be in a document then. */
struct attempt {
	const char *name;
	struct lab_answer answer; /* of the last call */
	const struct scene *scene; /* with the document that is written to; NULL: nothing is */
	enum side side;
	char *text; /* what is new in it if it was delivered */
};

struct task {
	const char *name;
	int weight;
	void (*act)(struct room *room, struct attempt *attempt);
};
/* Ends with one without a name. */
extern const struct task tasks[];

/* A word that was not used before; owned. */
char *token(struct room *room);

#endif
