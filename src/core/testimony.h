/* SPDX-License-Identifier: MIT */
/*
 * What it is worth that another element than the target said that it has changed. Pure: it hears and reads nobody, and only the
 * witness (core/witness.c) decides.
 */
#ifndef CORE_TESTIMONY_H
#define CORE_TESTIMONY_H

#include "core/witness.h"

/* A change of another element than the target, until it is known whether it counts. */
struct testimony {
	char *object, *what;
	char *was, *text;   /* what a name, text or value was and is; NULL where it is not known */
	gint64 since;       /* since when it was so; 0: it told of no other yet */
	bool asked;         /* what it is now could not be read, or has been */
	int detail;
	gint64 at;
};

void testimony_free(gpointer data);

/* The more the greater. */
enum worth {
	WORTH_NOTHING,
	WORTH_LATER,     /* once the target has been read */
	WORTH_READING,   /* once the element has been */
	WORTH_EVIDENCE,  /* it is told, and proves nothing */
	WORTH_PROOF,     /* if nothing else may be the cause: testimony_doubt() */
};

/* `element`: who said it, as it was in the snapshot. */
enum worth testimony_weigh(const struct witness *witness, const struct testimony *candidate, const struct element *element);

/* What else than the action may be the cause; DOUBT_NONE if nothing may. */
enum doubt testimony_doubt(const struct witness *witness, const struct testimony *candidate, const struct element *element);

/* What is said of it; to be cleared with change_clear(). */
struct change testimony_describe(const struct witness *witness, const struct testimony *candidate, const struct element *element);

/* What of an element can be compared; NULL: nothing of that kind. Of a long text it is the beginning. */
const char *testimony_content(const struct element *element, const char *what);

/* Whether the target says of itself what was asked for. */
bool testimony_is_asked_state(const struct witness *witness, const struct testimony *candidate);

/* Whether it told the opposite of a state, too: the target after that, as who refuses it does; of others that leaves nothing. */
bool testimony_is_taken_back(const struct witness *witness, const struct testimony *candidate);

#endif
