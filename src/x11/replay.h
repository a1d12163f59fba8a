/* SPDX-License-Identifier: MIT */
#ifndef X11_REPLAY_H
#define X11_REPLAY_H

#include "x11/conn.h"
#include "x11/guardian.h"
#include "x11/master.h"
#include "x11/undo.h"

/*
 * Undoes what the log says, the latest first; `master` NULL: all, otherwise only what belongs to that pair.
 * Only what still is as it was written is touched. With `drop` the records go, too: for their owner, or when
 * the owner is dead. Changes this connection's client pointer.
 */
struct replay {
	const char *master;
	bool drop;
	int patience_ms;             /* for a quiet moment to remove a pair in (x11/farewell.h) */
	struct guardian *guardian;   /* NULL: it is the guardian who does it */
	int connection;              /* his number of it */
};
void replay_log(struct x11_server *server, struct undo_log *log, const struct replay *how);

/* The same, with the records, but for the pairs themselves, which stay with nothing pressed and no menu open. */
void replay_release(struct x11_server *server, struct undo_log *log, const char *master);

/*
 * Removes those of the pairs (struct master) that nobody has any more, but first closes what menus they opened, and
 * gives applications time to be done with them. Returns how many of them are gone then. Not while the server is grabbed.
 */
int replay_orphans(struct x11_server *server, const GArray *orphans);

#endif
