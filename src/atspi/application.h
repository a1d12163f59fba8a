/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_APPLICATION_H
#define ATSPI_APPLICATION_H

#include <sys/types.h>

#include "atspi/match.h"
#include "atspi/pool.h"

/* An application on the accessibility bus. */
struct application {
	struct object *object;
	pid_t pid;           /* of whoever holds its bus name; 0 if the bus cannot tell */
};

/* Everybody on the bus, as struct application. Talks to the registry and the bus daemon only. */
GPtrArray *application_list(struct atspi *atspi, struct link *link, struct deadline deadline,
	GError **error);

/* Those of that process, as struct object, usually one; borrowed from the list. */
GPtrArray *application_of(const GPtrArray *all, pid_t pid);

/*
 * The bus name that alone had that process the last time it was listed; NULL if none had, several had, or it
 * was silent. Only a list of now can say whether it still has. The caller frees it.
 */
char *application_guess(struct atspi *atspi, pid_t pid);

#endif
