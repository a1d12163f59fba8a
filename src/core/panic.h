/* SPDX-License-Identifier: MIT */
#ifndef CORE_PANIC_H
#define CORE_PANIC_H

#include "core/deadline.h"

/*
 * The emergency stop, one a process. It is engaged while a file says so, which `cua-driver panic`
 * makes where all drivers of the user look and `cua-driver panic --resume` takes away, or since
 * SIGUSR1 came and until SIGUSR2 comes. Engaged, no action is sent, those that run are cancelled,
 * and whoever holds something on the display gives it back.
 */

/* The signals; part of what the manual promises. */
#define PANIC_STOP SIGUSR1
#define PANIC_RESUME SIGUSR2

/*
 * Whoever keeps keys, buttons or grabs beyond one call registers how it lets go of them. Called on a
 * thread of its own, one after another, possibly twice, also while actions still come to their end.
 * The registration is what panic_unregister() takes; when that has returned, `release` is not called.
 */
typedef void (*panic_release)(struct deadline deadline, void *data);
void *panic_register(panic_release release, void *data);
void panic_unregister(void *registration);

/* Whether it is engaged. From any thread; costs one look at the file system. Long gestures ask at each step. */
bool panic_engaged(void);

/* The same, with ERROR_PANIC_STOPPED. */
bool panic_refuses(GError **error);

/*
 * Around whatever acts: false, with ERROR_PANIC_STOPPED, if it must not. A stop is complete, and said to
 * be, only when all that entered have left.
 */
bool panic_enter(GError **error);
void panic_leave(void);

/* The files that engage it, each alone: in folder_all(), in that order. Free it with g_strfreev().
 */
char **panic_paths(void);

/* Listens for the signals in the main context; `stop` cancels what runs there. Once a process. */
void panic_attach(GMainContext *context, void (*stop)(void *data), void *data);
void panic_detach(void);

#endif
