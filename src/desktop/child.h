/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_CHILD_H
#define CUA_DESKTOP_CHILD_H

#include "desktop/desk.h"

/*
 * Starts a part of the desktop: no input, output into log/NAME.log of the private directory,
 * default signals, working directory /. It ends with the supervisor. `keep_fd` (-1: none) is the
 * only descriptor above 2 it gets, under the same number.
 * Returns its pid, or -1 with EXIT_UNAVAILABLE (not executable) or EXIT_INTERNAL.
 */
pid_t child_start(struct desk *desk, const char *name, const char *const *argv, int keep_fd,
                  GError **error);

/* Starts COMMAND as the caller would have. -1 with code 126 or 127 when it cannot be executed. */
pid_t child_start_command(struct desk *desk, GError **error);

/*
 * An error that says what NAME wrote last: `format` then the tail of its log.
 * `status` is the wait status, or -1 while it still runs.
 */
void child_set_error(struct desk *desk, GError **error, const char *name, int status,
                     const char *format, ...) G_GNUC_PRINTF(5, 6);

/* "exited with 1", "was ended by signal 9". Free with g_free(). */
char *child_describe(int status);

#endif
