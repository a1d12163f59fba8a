/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_READER_H
#define ATSPI_READER_H

#include "atspi/cache.h"
#include "atspi/link.h"
#include "core/element.h"
#include "core/platform.h"
#include "gtk4-coords/era.h"

/* How an object is read. */
struct reading {
	struct tree_limits limits;
	struct cache *cache; /* of the application, to spare requests; NULL if there is none */
	bool light;     /* role and name only */
	bool children;  /* the whole subtree, not only the object */
	bool shallow;   /* the depth limit is part of the question: what is below is not missed */
	bool gtk3;      /* what its buttons can do is known */
	bool qt;        /* has no cache; what role and states tell is not asked for */
	bool chromium;  /* each object has a verb of its own and a context menu */
	bool gecko;     /* is never asked for all actions at once: detail.c */
	bool plugged;   /* the object is another process's than the window's: is not, either */
	bool gtk4;      /* its cache knows what somebody has looked at; says visible where others say showing, and knows coordinates of its window only */
	bool others; /* also what other bus names show; else their objects are left out, as where
			something is about to be done */
	enum gtk4_era era; /* how it counts them */
	bool tolerant;  /* a silent application costs its part, not the whole */
	struct atspi *atspi; /* whose breaker is asked, and told, about the root's children; NULL: nobody's */
};

/*
 * Reads the object and what is below it, pipelined, into a tree in reading order. NULL with an error
 * when the application is silent; an object that does not exist is ERROR_STALE_ELEMENT.
 */
struct tree *reader_read(struct link *link, const char *name, const char *path,
	const struct reading *reading, struct deadline deadline, GError **error);

/* Deeper than any real window; a tree that contains itself ends here. */
#define READER_DEEPEST 400

/* A reading under way; for whoever asks about its nodes. */
struct reader {
	struct link *link;
	const struct reading *reading;
	int nodes;        /* made so far */
	gint64 skipped;   /* children not read because of a limit */
	bool silent;      /* an application was left out, or did not answer */
	bool visible;     /* of some container only what can be seen */
};

struct node;
/* Asks the node's object for something, or for a property. */
bool reader_send(struct node *node, const char *interface, const char *method, link_reply reply);
bool reader_get(struct node *node, const char *interface, const char *property, link_reply reply);

#endif
