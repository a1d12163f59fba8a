/* SPDX-License-Identifier: MIT */
#ifndef CORE_FOLDER_H
#define CORE_FOLDER_H

#include <glib.h>
#include <stdbool.h>

/* Where the driver keeps what outlives a call. The caller frees what these return. */

/* Settings: $CUA_DRIVER_HOME, else ~/.cua-driver. */
char *folder_home(void);

/* What belongs to running drivers: below XDG_RUNTIME_DIR, else below the home folder. */
char *folder_runtime(void);

/*
 * Where all drivers of the user meet, whatever their environments say, for what concerns all of
 * them: below /run/user/UID if that is there and the user's, else below the home folder that the
 * system knows. NULL-terminated: the one to write to first, then the other one, where drivers may
 * be that were started before the first was there. Free it with g_strfreev(). For tests,
 * CUA_DRIVER_TEST_PLACE is the only one.
 */
char **folder_shared(void);

/* The same, before them the runtime folder of this process if it is another one. */
char **folder_all(void);

/* Makes the folder and proves that it is ours alone: nobody else can put anything there. */
bool folder_prepare(const char *folder, GError **error);

#endif
