/* SPDX-License-Identifier: MIT */
#ifndef X11_REPLAY_H
#define X11_REPLAY_H

#include "x11/conn.h"
#include "x11/undo.h"

/*
 * Undoes what the log says, the latest first, and drops it; `master` NULL: all, otherwise only what belongs
 * to that pair. Only what still is as it was written is touched. Changes this connection's client pointer.
 */
void replay_log(struct x11_server *server, struct undo_log *log, const char *master);

#endif
