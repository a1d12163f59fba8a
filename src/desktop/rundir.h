/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_RUNDIR_H
#define CUA_DESKTOP_RUNDIR_H

#include <glib.h>
#include <stdbool.h>

/*
 * A name for the private directory, not made yet: below $XDG_RUNTIME_DIR when that is ours and
 * 0700, else $TMPDIR, else /tmp. The front chooses before it forks, so both processes know what
 * to remove whoever dies first. Free with g_free().
 */
char *rundir_choose(void);

/* Makes it, 0700; one that exists is an error (EXIT_INTERNAL). */
bool rundir_make(const char *directory, GError **error);

/* Removes it and all below. Detaches mounts first and never descends into one. */
void rundir_remove(const char *directory);

#endif
