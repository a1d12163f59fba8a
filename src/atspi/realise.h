/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_REALISE_H
#define ATSPI_REALISE_H

#include "atspi/reader.h"

/*
 * GTK4 makes an accessible object when somebody looks at it for the first time, and its cache has only
 * those. Listing the children of what it has not made yet is the cheapest look: after that the cache
 * knows everything, with one request an object instead of six.
 *
 * Makes the reading's cache complete below that object; false with an error when the application is silent.
 */
bool realise_cache(struct link *link, const char *name, const char *path, const struct reading *reading,
	struct deadline deadline, GError **error);

#endif
