/* SPDX-License-Identifier: MIT */
#ifndef CORE_DEADLINE_H
#define CORE_DEADLINE_H

#include <gio/gio.h>
#include <poll.h>
#include <stdbool.h>

/*
 * How long a wait may last and what ends it early. Passed by value; the cancellable is borrowed and
 * may be NULL. Every blocking function of the driver takes one.
 */
struct deadline {
	gint64 at; /* g_get_monotonic_time() microseconds */
	GCancellable *cancel;
};

/* A deadline `ms` milliseconds from now. */
struct deadline deadline_in(int ms, GCancellable *cancel);

/* The earlier of `deadline` and `ms` milliseconds from now. */
struct deadline deadline_within(struct deadline deadline, int ms);

/* Milliseconds left, rounded up, never negative. */
int deadline_left(struct deadline deadline);

/*
 * Sets ERROR_CANCELLED or ERROR_DEADLINE_EXCEEDED and returns true if the wait is over. `what` names
 * the thing waited for and ends up in the message.
 */
bool deadline_over(struct deadline deadline, const char *what, GError **error);

/*
 * Waits until `fd` has one of the poll `events`. Returns false with an error set when the deadline
 * passed or the call was cancelled. EINTR is not an end.
 */
bool deadline_poll(struct deadline deadline, int fd, short events, const char *what, GError **error);

/*
 * The same for several, at most DEADLINE_POLL_MOST: waits until one of them has something, as their `revents` say then. With none of them, and
 * `wanted` NULL, it is a pause that a cancelled call ends.
 */
#define DEADLINE_POLL_MOST 4
bool deadline_poll_all(struct deadline deadline, struct pollfd *wanted, int count,
	const char *what, GError **error);

#endif
