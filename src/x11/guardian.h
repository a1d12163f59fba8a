/* SPDX-License-Identifier: MIT */
#ifndef X11_GUARDIAN_H
#define X11_GUARDIAN_H

#include "core/deadline.h"
#include "x11/undo.h"

/*
 * A process that outlives the driver, however the driver ends, and then undoes what its log says. It
 * also breaks connections of the driver that hold the server's grab for too long: a stopped driver must
 * not stop the desktop.
 *
 * It is this program, started anew: a fork would inherit the locks of threads that are not there, and
 * would have to be made before any thread, needed or not.
 */
struct guardian;

/* Starts nothing yet. */
struct guardian *guardian_new(const char *display);
/* Ends it; what the log still says is undone. */
void guardian_free(struct guardian *guardian);

/* The log, with a living guardian behind it; NULL with an error if there is none to be had. */
struct undo_log *guardian_log(struct guardian *guardian, GError **error);

/* Makes a connection known; returns its number, or -1: the guardian has enough of them. */
int guardian_add(struct guardian *guardian, int fd);
void guardian_remove(struct guardian *guardian, int connection);
/* Around a grab of the server on that connection: before it is sent, and after it is over. */
void guardian_grabbing(struct guardian *guardian, int connection, bool on);
/*
 * Until it is removed the user's keyboard may stop for that connection at any time: if the driver is stopped then, all
 * its connections are broken, and what it did is undone.
 */
void guardian_standing(struct guardian *guardian, int connection);

/*
 * While it is on the user's keyboard may stop for that connection, and nothing else of the display:
 * if the driver is stopped then, this connection is broken, within some twenty milliseconds.
 */
void guardian_holding(struct guardian *guardian, int connection, bool on);

/* The command `cua-driver guardian`; not for people. */
int guardian_main(int argc, char **argv);

#endif
