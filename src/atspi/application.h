/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_APPLICATION_H
#define ATSPI_APPLICATION_H

#include <sys/types.h>

#include "atspi/pool.h"
#include "core/window.h"

/* An accessible object by name. */
struct object {
	char *name, *path;
};
void object_free(struct object *object);

/*
 * The applications of that process on the bus, as struct object; usually one. Talks to the registry
 * and the bus daemon only. NULL with an error.
 */
GPtrArray *application_find(struct atspi *atspi, struct link *link, pid_t pid,
	struct deadline deadline, GError **error);

/*
 * The accessible frame of exactly this window among the applications' own. NULL without an error, and
 * `*why` set (owned), if that cannot be told.
 */
struct object *application_frame(struct link *link, const GPtrArray *applications,
	const struct window *window, char **why, struct deadline deadline, GError **error);

#endif
