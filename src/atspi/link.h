/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_LINK_H
#define ATSPI_LINK_H

#include "atspi/wire.h"
#include "core/deadline.h"

/*
 * A connection to the accessibility bus. Used by one thread at a time; requests are pipelined: send
 * as many as you like, then pump until their callbacks have run. What is asked of the application that
 * `own` belongs to goes over its private socket instead, past the bus daemon.
 */
struct link {
	struct wire *bus;
	struct wire *own;       /* NULL if there is none */
	char *own_name;         /* bus name of the application at its other end */
	bool own_acts;          /* it is the one by which something is done; of pool.c */
	char *own_address;      /* where such a socket is, told to this link; see pool_attach() */
	char *own_asked;        /* bus name of the application that was asked for it */
	int pending;            /* requests without an answer yet */
	int by_bus;             /* of these, those that went over the bus */
	unsigned requests;      /* sent so far */
	unsigned gathered;      /* how many were answered when answers were last left to gather */
	gint64 heard;           /* when the last answer came, monotonic microseconds */
	guint64 moment;         /* the number its sender gave to the last answer over the bus */
	bool broken;            /* must not be used again */
	bool overtime;          /* broken while answers still came: the time was over */
	bool lost;              /* somebody who was asked has left the bus; cleared by whoever cares */
	guint bus_id;           /* of the daemon: a restarted bus gives the same names to others */
};

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define ACTION_INTERFACE "org.a11y.atspi.Action"
#define REGISTRY "org.a11y.atspi.Registry"
#define DESKTOP_ROOT "/org/a11y/atspi/accessible/root"

/* Coordinates of GetExtents. GTK4 has only those of the window, and complains about others in its log. */
#define COORDS_SCREEN 0u
#define COORDS_WINDOW 1u
#define COORDS_PARENT 2u

/* No call waits on an application longer than this for one answer. */
#define LINK_SILENCE_MS 2000

/* Takes the answer (an error answer, too). Borrowed message. */
typedef wire_reply link_reply;

/* Takes an answer that is only waited for. */
void link_ignore(struct message *reply, void *data);

/* Connects; does not wait. NULL with an error if the address is no good. */
struct link *link_open(const char *address, GError **error);

/* A private socket, to be attached once it is ready; NULL if it cannot be. Does not wait. */
struct wire *link_open_own(const char *address);
/* Whether it can be used: 1; not yet: 0; never (again): negative. Does not wait. */
int link_own_ready(struct wire *own);
/* Attaches a private socket, or takes it back (NULL if it broke meanwhile). */
void link_attach(struct link *link, struct wire *own, const char *name);
struct wire *link_detach(struct link *link);

void link_close(struct link *link);

/* Whether the bus is there, as far as it shows without waiting. */
bool link_is_alive(struct link *link);

/*
 * Sends a request. `types` and the arguments are those of wire_send(); NULL for none.
 * False if it could not even be queued; `reply` is not called then.
 */
bool link_send(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...);

/*
 * The same over the bus, whatever private socket there is: only then its answer has a place among the application's
 * events, `moment`, and what is sent so is done in that order.
 */
bool link_send_ordered(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...);

/* The same as link_send(), and `data` is destroyed in the end, answered or not. */
void link_send_owned(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, GDestroyNotify destroy, const char *types, ...);

/* Asks the bus for the signals of a rule, or not any more; `reply` may be NULL. */
void link_match(struct link *link, const char *rule, bool on, link_reply reply, void *data);

/* Reads one property; the answer's body is a variant. */
bool link_get(struct link *link, const char *name, const char *path, const char *interface,
	const char *property, link_reply reply, void *data);

/* Writes what was sent; link_pump() and link_wait() do so, too. */
void link_flush(struct link *link);

/* Runs the callbacks of what has come, without waiting for more. */
void link_take(struct link *link);

/*
 * Runs callbacks until nothing is pending. ERROR_APP_UNRESPONSIVE when nothing was heard for
 * LINK_SILENCE_MS, the deadline's errors, or ERROR_NO_ACCESSIBILITY when the bus is gone; the link is
 * broken then, and no callback runs any more.
 */
bool link_pump(struct link *link, struct deadline deadline, GError **error);

/*
 * Runs callbacks of signals until `*seen` is true. False when the deadline passed or the bus is gone.
 */
bool link_wait(struct link *link, const bool *seen, struct deadline deadline);

#endif
