/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_APPLICATION_H
#define ATSPI_APPLICATION_H

#include <sys/types.h>

#include "atspi/cache.h"
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
 * The accessible top-level of exactly this window. When the process itself is not on the bus, one that
 * comes through a proxy may be it (sandboxes have one), but has to show more. `cache` was asked for before
 * (NULL if not) and spares asking for titles. `*tops` gets the top-levels of the window's own process
 * (struct candidate; owned by the caller; NULL if it is not on the bus). NULL without an error, and `*why`
 * set (owned), if there is no proof.
 */
struct object *application_frame(struct atspi *atspi, struct link *link, const GPtrArray *all,
	const struct window *window, const struct cache *cache, GPtrArray **tops, char **why,
	struct deadline deadline, GError **error);

#endif
