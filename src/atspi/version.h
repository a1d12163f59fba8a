/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_VERSION_H
#define ATSPI_VERSION_H

#include "atspi/pool.h"
#include "gtk4-coords/era.h"

/*
 * How the GTK4 of the application of that bus name tells places. Asked once: a bus never gives a
 * name out again. GTK4_ERA_UNKNOWN if it does not say in time; `*error` is set only when the link
 * is broken then.
 */
enum gtk4_era version_era(struct atspi *atspi, struct link *link, const char *application,
	struct deadline deadline, GError **error);

#endif
