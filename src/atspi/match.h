/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_MATCH_H
#define ATSPI_MATCH_H

#include <stdint.h>

#include "core/window.h"

/*
 * Which accessible top-level is a given window: the rules of proof, and nothing but them. AT-SPI has no
 * window ids, so two lists are laid side by side, and a pair counts only when nothing else fits either of
 * the two. What cannot be proven is not guessed.
 */

/* An accessible object by name. */
struct object {
	char *name, *path;
};
struct object *object_new(const char *name, const char *path);
void object_free(struct object *object);
/* An empty list that frees its objects. */
GPtrArray *object_list_new(void);

/* An accessible top-level, as far as it tells windows apart. */
struct candidate {
	struct object *object;   /* owned */
	char *name;              /* its title; never NULL */
	uint64_t states;         /* AT-SPI bits; 0 if they were not asked for */
	bool has_place;
	struct screen_rect told; /* what it says about its place */
};
struct candidate *candidate_new(const char *name, const char *path);
void candidate_free(struct candidate *candidate);

/*
 * The candidate with the window's title, if neither has a namesake. Needs names only, and is all that most
 * windows need. Borrowed; NULL if that is no proof.
 */
const struct candidate *match_title(const struct window *window, const GPtrArray *candidates);

/* Whether a window can be where a top-level says it is; of GTK4, which does not say where, the size tells. */
bool match_place(const struct window *window, struct screen_rect told);

/* What may count as a proof. */
enum proof {
	PROOF_PLACE,     /* of the same process: titles, places and sizes */
	PROOF_ACTIVE,    /* the same, and which of them the user works in */
	PROOF_STRANGER,  /* perhaps not even the same application's: title and place must both agree */
};

/*
 * The candidate that can only be this window. `peers` are the windows that the candidates may be, the one
 * meant among them, listed after the candidates were asked. NULL and `*why` (owned) if there is no proof;
 * no reason is given when no stranger looks like it at all.
 */
const struct candidate *match_prove(const struct window *window, const GPtrArray *peers,
	const GPtrArray *candidates, enum proof proof, char **why);

/* Which of the candidates are active, as a text to compare with another look. Owned. */
char *match_activity(const GPtrArray *candidates);

/* The candidate that is exactly where this popup is; NULL if there is not exactly one. */
const struct candidate *match_popup(const struct window *window, const GPtrArray *candidates);

#endif
