/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_DESK_H
#define CUA_DESKTOP_DESK_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <xcb/xcb.h>

#include "desktop/tree.h"
#include "desktop/watch.h"

/*
 * Two processes stand behind one desktop. The front is the process the caller started; it
 * parses, checks, forks and then only waits. The supervisor is its child, in a process group of
 * its own so that neither Ctrl-C nor a killed job takes it along; it starts everything. A socket
 * pair tells each of the other's death, and whoever is left ends the process tree.
 */

struct server_impl;
struct wm_impl;

struct desk_options {
	int width, height;                /* pixels */
	const struct server_impl *server; /* static */
	const char *wm;                   /* name, "none", or NULL for the first installed */
	char **command;                   /* NULL-terminated, points into argv */
	int64_t timeout;                  /* µs for COMMAND, 0 = none */
	bool verbose;
};

/* What COMMAND is to find as if we were not there. */
struct desk_origin {
	sigset_t mask;
	struct sigaction pipe, ttou, chld;
	pid_t group; /* process group of the front */
};

struct desk {
	struct desk_options options;
	struct desk_origin origin;
	int64_t begun;      /* monotonic µs */
	int64_t begun_wall; /* µs since 1970, for the age of files */
	char *directory;    /* private, 0700; XDG_RUNTIME_DIR of the desktop */
	char *wm_program;
	char *launcher_program;
	const struct wm_impl *wm_impl; /* NULL: no window manager, or one not in the table */
	struct tree tree;
	struct watch watch;        /* supervisor only */
	xcb_connection_t *display; /* supervisor, while starting */
	pid_t server, bus, launcher, wm, command; /* 0 = not started */
};

/* What the supervisor tells the front, one datagram each. */
enum word_kind { WORD_STARTED = 1, WORD_RESULT };

struct word {
	int kind;
	int value; /* WORD_RESULT: the exit code */
};

/* Errors of this folder: the code is the enum exit_code to leave with. */
#define DESK_ERROR (desk_error_quark())
GQuark desk_error_quark(void);

/* One line on stderr; desk_say only with --verbose, with the time since the start. */
void desk_say(const struct desk *desk, const char *format, ...) G_GNUC_PRINTF(2, 3);
void desk_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

/*
 * Points standard input and output at /dev/null once COMMAND has them: an end that we held open
 * would never close for the other side.
 */
void desk_let_go_of_streams(void);

/* Forks the supervisor and stays until all is over. Returns the exit code. */
int front_run(struct desk *desk);

/* The supervisor's life: start all, run COMMAND, end all. Never returns to the caller's code. */
G_NORETURN void supervisor_run(struct desk *desk, int front_fd);

/* Sets the environment of this process, and so of all it starts, to that of the desktop. */
void environment_enter(const char *directory);

#endif
