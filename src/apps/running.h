/* SPDX-License-Identifier: MIT */
#ifndef APPS_RUNNING_H
#define APPS_RUNNING_H

#include <sys/types.h>

#include "apps/entry.h"

/* An application that runs on this display: a process, or a part of one that has an entry of its own. */
struct instance {
	pid_t pid;
	const struct entry *entry; /* borrowed; NULL: no desktop entry fits */
	char *name;                /* never NULL */
	unsigned windows;          /* normal ones and dialogs */
	bool active;               /* the user works in one of them */
};

/*
 * Those that have windows, and processes of entries on this display that have none; struct instance. Both
 * lists are borrowed, `entries` for as long as the result lives. The caller owns the list.
 */
GPtrArray *running_list(const GPtrArray *entries, const GPtrArray *windows);

/* The entry of a process that has a window of that class; NULL if none fits. */
const struct entry *running_identify(const GPtrArray *entries, pid_t pid, const char *class_name);

/* Whether the process runs that file, or its script is that file. */
bool running_is_program(pid_t pid, const char *path);

#endif
