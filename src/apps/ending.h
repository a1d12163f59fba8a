/* SPDX-License-Identifier: MIT */
#ifndef APPS_ENDING_H
#define APPS_ENDING_H

#include "core/deadline.h"
#include "core/error.h"

/* How a process was ended. */
struct ending {
	int signal;              /* after which it went: SIGTERM, or SIGKILL because it did not */
	char *name;              /* what it was called; owned */
};

/*
 * Ends a process: asks it to (SIGTERM), and kills it when it is still there after `patience_ms`. What is
 * not the caller's to end is refused before anything is sent.
 *   ERROR_APP_NOT_FOUND      there is no such process
 *   ERROR_PROCESS_REPLACED   the pid belongs to another process than when the driver told it
 *   ERROR_PROCESS_PROTECTED  it is the driver, one of those it runs under, the system's or somebody else's
 *   ERROR_PROCESS_REMAINS    it was killed and is still there
 */
bool ending_run(pid_t pid, int patience_ms, struct deadline deadline, struct ending *ending,
	GError **error);

#endif
