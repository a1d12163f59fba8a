/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_POOL_H
#define ATSPI_POOL_H

#include "atspi/ear.h"
#include "atspi/link.h"

/* What all users of the accessibility bus share: its address and idle connections. */
struct atspi {
	GMutex mutex;
	char *address;      /* of the accessibility bus; NULL until found */
	guint bus_id;       /* which daemon was there last; see struct link */
	GQueue idle;        /* struct link */
	GHashTable *pids;   /* unique bus name → pid */
	GHashTable *eras;   /* unique bus name → enum gtk4_era, see version.h */
	GHashTable *silent; /* set of unique bus names: see breaker.h */
	GHashTable *owns;   /* unique bus name → struct own: private sockets, see pool_attach() */
	GPtrArray *parked;  /* struct wire: private sockets that must not be closed yet, see pool_attach_to_act() */
	struct link *listener; /* whose only purpose is that applications keep a cache */
	GHashTable *slow;   /* unique bus name → when it was too slow to tell everything at once (gint64) */
	GHashTable *asleep; /* unique bus name → when it was last woken in vain (gint64) */
	struct past *past;  /* what happened on the desktop */
	struct ear *ear;    /* hears the applications whose trees were read */
	char *(*root_address)(void *data, struct deadline deadline);
	GPtrArray *(*windows)(void *data, struct deadline deadline, GError **error);
	void *data;
};

/* A connection for the caller alone, if there is one that nobody uses; NULL otherwise. Give it back with pool_return(). */
struct link *pool_idle(struct atspi *atspi);
/* The same, or a new one. */
struct link *pool_borrow(struct atspi *atspi, struct deadline deadline, GError **error);

/*
 * Lets the link ask this application over a private socket if it has one that is open. The first time
 * only asks where that is, without waiting; pool_return() opens it for the next.
 */
void pool_attach(struct atspi *atspi, struct link *link, const char *application);

/*
 * The same for an action on an application of that pid, over another socket. GTK3 answers first and acts then, within the same
 * message: while it waits there for a dialog of its own nothing more is read from that connection. What comes there meanwhile, if
 * only its end, is read at the next key of the user's, and then GTK3 waits for itself for ever. So nothing is asked there, and a socket after which a
 * window opened is left alone.
 */
void pool_attach_to_act(struct atspi *atspi, struct link *link, const char *application, pid_t pid);

/*
 * Applications answer Cache.GetItems only while somebody listens to events. Makes sure that somebody
 * does, without waiting for it.
 */
void pool_listen(struct atspi *atspi);

/* The application is one whose events are of interest from now on. */
void pool_attend(struct atspi *atspi, const char *provider);

/* Takes it back for the next one, or closes it if it is broken. Takes NULL. */
void pool_return(struct atspi *atspi, struct link *link);

#endif
