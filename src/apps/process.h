/* SPDX-License-Identifier: MIT */
#ifndef APPS_PROCESS_H
#define APPS_PROCESS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* What /proc tells of a process. */
struct process {
	pid_t pid, parent, session;
	char state;              /* 'R', 'S', 'T', 'Z', … */
	bool kernel;             /* a thread of the kernel */
	guint64 start;           /* in the kernel's ticks: with the pid it names one process for ever */
};

/* False if there is no such process (any more). */
bool process_read(pid_t pid, struct process *process);

/* Whether it runs as the user the driver runs as. */
bool process_is_ours(pid_t pid);

/* The pids of all processes; the caller owns the array of pid_t. */
GArray *process_list(void);

/* Each is NULL if it cannot be read. The caller frees it. */
char *process_program(pid_t pid);               /* path of the file it runs */
char **process_arguments(pid_t pid);
char *process_variable(pid_t pid, const char *name); /* of the environment it was started with */

/*
 * What the driver starts has this in its environment: the pid of the process it started, which descendants
 * keep though they leave its session.
 */
#define PROCESS_LAUNCHED "CUA_DRIVER_LAUNCHED"
/* Whether the process is the one that was started, or descends from it. */
bool process_is_of(pid_t pid, pid_t launched);

/*
 * The driver remembers which process it meant when it told somebody a pid: numbers are used again.
 * Safe from any thread.
 */
void process_told(pid_t pid);
/* When the process started that was meant when the pid was told last; 0 if it never was. */
guint64 process_meant(pid_t pid);

#endif
