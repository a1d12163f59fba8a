/* SPDX-License-Identifier: MIT */
#ifndef CORE_AFTERMATH_H
#define CORE_AFTERMATH_H

#include "core/past.h"

/*
 * What applications took from the user after a session's actions on them had been answered. Used by several
 * worker threads at once.
 */
struct aftermath;

struct aftermath *aftermath_new(void);
void aftermath_free(struct aftermath *aftermath);

/* An action on that process begins, or is answered: what is taken in between is told in its answer. */
void aftermath_begin(struct aftermath *aftermath, pid_t pid);
void aftermath_end(struct aftermath *aftermath, pid_t pid);

/* One thing that was taken, and given back, too late for the answer. */
struct late {
	pid_t pid;             /* who took it; 0 if that is not known */
	const char *what;      /* "focus", "keyboard"; static */
	gint64 after;          /* microseconds after the answer */
	gint64 ago;            /* microseconds before now */
};

/* All of them that are remembered, oldest first: struct late. The caller unrefs it. */
GArray *aftermath_list(struct aftermath *aftermath, struct past *past);

#endif
