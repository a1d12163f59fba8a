/* SPDX-License-Identifier: MIT */
#ifndef CORE_ROSTER_H
#define CORE_ROSTER_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Which drivers of this user act, so that an emergency stop reaches all of them: one small file each in
 * the runtime folder. Two drivers with different runtime folders do not know of each other.
 */

struct roster_entry {
	pid_t pid;
	guint64 started;     /* as the kernel counts it: tells a process from a later one of the same pid */
	bool stopped;        /* it has let go of everything and refuses to act */
};

/* The folder with the files, for whoever waits for changes in it. The caller frees it. */
char *roster_folder(void);

/* Says what we are; whole or not at all. */
bool roster_write(bool stopped, GError **error);
/* We are none any more. Nothing happens if we never were. */
void roster_remove(void);

/* Those that are alive, struct roster_entry; files of dead ones are removed. The caller owns it. */
GArray *roster_list(void);

/* Sends a signal to exactly that process; false if it is gone. */
bool roster_signal(const struct roster_entry *entry, int signal);

#endif
