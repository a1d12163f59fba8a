/* SPDX-License-Identifier: MIT */
#ifndef APPS_SCOPE_H
#define APPS_SCOPE_H

#include <sys/types.h>

#include "core/deadline.h"

/*
 * A service of the user's service manager ends with everything it has started. Where the driver is one,
 * this moves a process it has started into a unit of its own, a scope, as desktops do:
 * "app-cua\x2ddriver-NAME-PID.scope". `entry` is the id of its desktop entry, or its path.
 *
 * NULL: it goes on when the driver ends. Otherwise a sentence that says why it does not; the caller frees
 * it.
 */
char *scope_release(const char *entry, pid_t pid, struct deadline deadline);

#endif
