/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_TOPLEVEL_H
#define ATSPI_TOPLEVEL_H

#include "atspi/application.h"
#include "atspi/cache.h"

/*
 * Asks an application for its top-levels. They are in the list (struct candidate, without names) once the link
 * has been pumped; the caller owns it.
 */
GPtrArray *toplevel_ask(struct link *link, const char *name, const char *path);

/*
 * The accessible top-level of exactly this window. When the process itself is not on the bus, one that
 * comes through a proxy may be it (sandboxes have one), but has to show more. `cache` was asked for before
 * (NULL if not) and spares asking for titles. `*tops` may have the answer of toplevel_ask() to the one
 * application of the window's process, else NULL, and gets the top-levels of its process (struct
 * candidate; owned by the caller; NULL if it is not on the bus). NULL without an error, and `*why` set
 * (owned), if there is no proof.
 */
struct object *toplevel_find(struct atspi *atspi, struct link *link, const GPtrArray *all,
	const struct window *window, const struct cache *cache, GPtrArray **tops, char **why,
	struct deadline deadline, GError **error);

#endif
