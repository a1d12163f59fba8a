/* SPDX-License-Identifier: MIT */
#ifndef CORE_ROSTER_H
#define CORE_ROSTER_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Which drivers of this user act, so that an emergency stop reaches all of them: one small file
 * each where all drivers of the user meet (folder_shared()), and in the runtime folder. Those that
 * have written none are found among the processes.
 */

struct roster_entry {
	pid_t pid;
	guint64 started;     /* as the kernel counts it: tells a process from a later one of the same pid */
	bool stopped;        /* it has let go of everything and refuses to act */
};

/* The folders with the files, for whoever waits for changes in them. Free it with g_strfreev(). */
char **roster_folders(void);

/* Says what we are; whole or not at all, in each place that can be written to. Fails if there is
 * none. */
bool roster_write(bool stopped, GError **error);
/* We are none any more. Nothing happens if we never were. */
void roster_remove(void);

/* Those that are alive, struct roster_entry; files of dead ones are removed. The caller owns it. */
GArray *roster_list(void);

/*
 * The same, and the drivers of this user that have written no file, wherever their folders are:
 * processes of this program that listen for both signals of core/panic.h.
 */
GArray *roster_search(void);

/* The one with that identity; NULL. */
const struct roster_entry *roster_find(const GArray *list, const struct roster_entry *entry);

/* Whether it has not ended. */
bool roster_lives(const struct roster_entry *entry);

/* Sends a signal to exactly that process; false if it is gone. */
bool roster_signal(const struct roster_entry *entry, int signal);

#endif
