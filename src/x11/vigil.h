/* SPDX-License-Identifier: MIT */
#ifndef X11_VIGIL_H
#define X11_VIGIL_H

#include "x11/conn.h"
#include "x11/guardian.h"
#include "x11/hold.h"

/*
 * Some applications hear only the keyboard that came last (QUIRK_LAST_KEYBOARD): while a pair of ours exists they do
 * not hear the user's. So their windows are watched, by grabs that nobody notices. The first key that the user presses
 * in one stops the user's keyboard; all pairs go, those of other drivers, too; the application is waited for; and
 * the key is played again, with all that came after it. Nothing is lost, it comes some milliseconds later.
 */
struct vigil;

/* `yield` is called on a thread of its own, and is back when the driver's pairs are gone, or by the deadline. */
struct vigil *vigil_new(const char *display, struct guardian *guardian, struct hold *hold,
	void (*yield)(struct deadline deadline, void *data), void *data);
/* The pairs have gone. */
void vigil_free(struct vigil *vigil);

/*
 * Before a pair is added: back when all such windows are watched, and nobody waits for pairs to go. False with an
 * error if that is not in time.
 */
bool vigil_begin(struct vigil *vigil, struct deadline deadline, GError **error);
/* Whether some driver waits for all pairs to go: none may be added. While the server is grabbed; takes a turn. */
bool vigil_forbids(struct x11_server *server);
/* A pair has gone, or was not added; for any thread. */
void vigil_end(struct vigil *vigil);

#endif
