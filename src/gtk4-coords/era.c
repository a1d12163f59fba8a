/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gtk4-coords/era.h"

#include <glib.h>
#include <stdio.h>

/* From which version on, the newest first. Read in GTK's history: 4.23.3 is still as 4.14.6. */
static const struct {
	int major, minor, micro;
	enum gtk4_era era;
} eras[] = {
	{ 5, 0, 0, GTK4_ERA_UNKNOWN },
	{ 4, 14, 6, GTK4_ERA_SUM },
	{ 4, 13, 7, GTK4_ERA_BORDER },
	{ 4, 0, 0, GTK4_ERA_CONTENT },
};

enum gtk4_era gtk4_era_of(const char *version)
{
	int major = 0, minor = 0, micro = 0;
	if (version == NULL || sscanf(version, "%d.%d.%d", &major, &minor, &micro) < 2) {
		return GTK4_ERA_UNKNOWN;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(eras); i++) {
		int newer = major != eras[i].major ? major - eras[i].major
			: minor != eras[i].minor   ? minor - eras[i].minor
						   : micro - eras[i].micro;
		if (newer >= 0) {
			return eras[i].era;
		}
	}
	return GTK4_ERA_UNKNOWN;
}
