/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_WATCH_H
#define CUA_DESKTOP_WATCH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum wake {
	WAKE_READY,   /* the descriptor is */
	WAKE_CHILD,   /* a child of ours ended: ask watch_ended() */
	WAKE_STOP,    /* a signal came, or the front is gone: stop_signal says which */
	WAKE_TIMEOUT, /* the deadline passed */
};

/*
 * The one place where the supervisor waits: for a descriptor, and always also for the front,
 * for signals and for the end of children.
 */
struct watch {
	int signal_fd;
	int front_fd;
	GHashTable *ended;  /* pid → wait status, of children given to watch_child() */
	GHashTable *living; /* pids of the same that still run */
	int stop_signal;    /* 0 = go on; SIGHUP when the front is gone */
	bool stop_by_tty;   /* the terminal sent it, so COMMAND has it already */
	bool front_gone;
};

/* Takes both descriptors. */
void watch_init(struct watch *watch, int signal_fd, int front_fd);
void watch_finish(struct watch *watch);

/* Remember how `pid` ends. Call it right after fork(). */
void watch_child(struct watch *watch, pid_t pid);

/* True when it has ended; `status` (may be NULL) as from waitpid(). */
bool watch_ended(const struct watch *watch, pid_t pid, int *status);

/*
 * Waits for `events` on `fd` (-1: none) until `deadline` (monotonic µs, INT64_MAX: for ever).
 * WAKE_STOP comes once for each stop; the caller clears stop_signal to wait on.
 */
enum wake watch_wait(struct watch *watch, int fd, short events, int64_t deadline);

/* A signalfd for SIGCHLD and those of SIGTERM, SIGINT, SIGHUP, SIGQUIT not ignored; blocks them. */
int watch_signals(void);

/* Milliseconds for poll() until `deadline`, rounded up; -1 for INT64_MAX. */
int watch_milliseconds(int64_t deadline);

#endif
