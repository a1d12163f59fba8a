/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_WHERE_H
#define ATSPI_WHERE_H

#include "atspi/link.h"

/* Which accessibility bus is the desktop's. */

/* Reads the address that the display server carries; NULL if it has none. */
typedef char *(*where_root_address)(void *data, struct deadline deadline);

/* A connection to the accessibility bus of that address, answered by the bus itself. */
struct link *where_connect(const char *address, struct deadline deadline, GError **error);

/*
 * Finds it: of the environment, /run/user and the display the first with a registry that has
 * applications, else the first with a registry; else that of a process on the same display; else the
 * first session bus that can be asked to start one. `*address` is set with the result and is
 * the caller's; so is `*origin`, for people (may be NULL). NULL with ERROR_NO_ACCESSIBILITY.
 */
struct link *where_find(where_root_address root_address, void *data, char **address, char **origin,
	struct deadline deadline, GError **error);

/* The same among what runs already: nothing is started. NULL if there is no registry anywhere. */
struct link *where_running(where_root_address root_address, void *data, char **address, char **origin,
	struct deadline deadline);

/*
 * The accessibility bus that a session bus knows, or NULL. Without `start` nothing is started for it:
 * asking the bus of somebody's ssh session would bring up a second registry that no application is in.
 */
char *where_ask(const char *session, bool start, struct deadline deadline);

/* How many applications the registry on that accessibility bus has; -1 if there is no registry. */
int where_count(struct link *link, struct deadline deadline);

#endif
