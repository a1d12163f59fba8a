/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_FAULT_H
#define HARNESS_FAULT_H

#include <glib.h>

#include "model.h"

/* What goes wrong with a change, drawn by a seed or forced; model.c acts on it. */
enum fault {
	FAULT_NONE,
	FAULT_ECHO,     /* shown by the widget, not applied */
	FAULT_LATE100,
	FAULT_LATE1000,
	FAULT_OTHER,    /* another value is applied */
	FAULT_DISABLE,
	FAULT_VANISH,
	FAULT_TWIN,
	FAULT_MODAL,
	FAULT_HANG,
	FAULT_CRASH,
	FAULT_COUNT
};

const char *fault_name(enum fault fault);

/* That fault from now on, always; FALSE if there is none of that name. */
gboolean fault_force(const char *name);
/* A fault on about half of all draws from now on; the same seed draws the same ones. */
void fault_seed(guint32 seed);
enum fault fault_draw(void);

/* A value that is not the one asked for; nor the one it was, if there are three to choose from. */
char *fault_other(enum control control, const char *value, const char *was);

#endif
