/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_DISPLAYS_H
#define CUA_DESKTOP_DISPLAYS_H

#include <glib.h>
#include <stdint.h>

/*
 * Removes what X servers that got SIGKILL left in /tmp: locks that name one of the `ended` pids
 * (a set), and sockets of ours made after `since` (µs since 1970) which nobody holds any more.
 */
void displays_sweep(GHashTable *ended, int64_t since);

#endif
