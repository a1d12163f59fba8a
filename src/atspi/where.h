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

#endif
