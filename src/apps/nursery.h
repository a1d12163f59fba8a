/* SPDX-License-Identifier: MIT */
#ifndef APPS_NURSERY_H
#define APPS_NURSERY_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/deadline.h"

/*
 * The processes the driver has started. Each is a session of its own, has nothing of the driver's standard
 * streams, goes on when the driver ends, and is reaped when it ends before. Safe from any thread.
 */
struct child;

struct birth {
	char **arguments;        /* the program first */
	char **environment;
	const char *folder;      /* NULL: the home folder */
	const char *entry;       /* id of its desktop entry, or its path if it has none */
};

/*
 * Makes the process, which waits until child_go(). NULL with ERROR_LAUNCH_FAILED if there can be none.
 */
struct child *child_new(const struct birth *birth, GError **error);
/* Lets it run its program. False, and an error of ERROR_LAUNCH_FAILED, if it cannot. */
bool child_go(struct child *child, struct deadline deadline, GError **error);
/* Ends one that was not let go. Only who made it does either. */
void child_abandon(struct child *child);
void child_unref(struct child *child);

pid_t child_pid(const struct child *child);
/* Whether it has ended, and how, as waitpid() tells it. */
bool child_ended(struct child *child, int *status);
/* Readable as soon as it has ended. */
int child_descriptor(const struct child *child);

/* The entry of a process that was started here and runs; NULL if it was not. The caller frees it. */
char *nursery_entry_of(pid_t pid);
/* The process that was last started here for that entry and runs; NULL if there is none. The caller owns it. */
struct child *nursery_find(const char *entry);

#endif
