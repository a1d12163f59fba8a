/* SPDX-License-Identifier: MIT */
#ifndef CORE_TELLING_H
#define CORE_TELLING_H

#include <glib.h>
#include <stdbool.h>

/*
 * What is known of the names, texts, values and some states of elements since they told that these are others. Some tell it when
 * nothing has changed, and many do not tell what it is now; so what it was before an action is kept, and read if nobody
 * knows it. No thread but the caller's.
 */
struct tellings;

/* What something is; NULL: nobody knows. */
struct telling {
	const char *text;
	gint64 at; /* since when, monotonic microseconds; 0: since before anything was told of it */
};

struct tellings *tellings_new(void);
void tellings_free(struct tellings *tellings);
/* All that was told until `now` is not known any more. */
void tellings_clear(struct tellings *tellings, gint64 now);

/* Whether "name", "text", "value", "selected", … is something that is kept. */
bool telling_is_kept(const char *what);
/* Whether it is a state that is: "true" or "false", and always told. */
bool telling_is_state(const char *what);

/*
 * An element said that it is something else now, and if `text` is not NULL what. Whether it had said just that before.
 * `*was` is what was known when an action on its application began last; it lasts until the next call.
 */
bool tellings_note(struct tellings *tellings, const char *provider, const char *object, const char *what,
	struct telling now, gint64 begun, struct telling *was);

/* Somebody read what it is. */
void tellings_read(struct tellings *tellings, const char *provider, const char *object, const char *what,
	struct telling now);

/* That an element told of a change, and nobody knows what it is now. */
struct unread {
	char *object, *what;
};

/* Those of the provider that told it later than `since`, struct unread; the latest first, and not more than can be asked. */
GPtrArray *tellings_unread(struct tellings *tellings, const char *provider, gint64 since);

#endif
