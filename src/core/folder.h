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

/* Makes the folder and proves that it is ours alone: nobody else can put anything there. */
bool folder_prepare(const char *folder, GError **error);

#endif
