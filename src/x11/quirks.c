/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/quirks.h"

#include <glib.h>
#include <string.h>

static const struct {
	const char *toolkit;
	unsigned quirks;
} table[] = {
#define TOOLKIT(name, quirks) { name, quirks },
#include "data/quirks.def"
#undef TOOLKIT
};

bool quirks_has(const char *toolkit, enum quirk quirk)
{
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
		if (strcmp(table[i].toolkit, toolkit) == 0) {
			return (table[i].quirks & quirk) != 0;
		}
	}
	return false;
}
