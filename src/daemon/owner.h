/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_OWNER_H
#define DAEMON_OWNER_H

#include <stdbool.h>

/*
 * Root only: the user that the desktop session of our environment belongs to, if it is another one.
 * NULL if it is ours, or there is none: root on a display and a bus of its own is fine. The caller
 * frees it.
 */
char *owner_of_session(void);

/* Whether there is such a user; then it has said so on stderr, with the command that works instead. */
bool owner_refuses(const char *command);

#endif
