/* SPDX-License-Identifier: MIT */
#ifndef X11_XIM_H
#define X11_XIM_H

#include "x11/conn.h"

/*
 * Input methods of X: an application may hand each key to such a server, which hands it back before it counts. So an
 * application that has read a key need not have done with it.
 */

/* Whether the display has one. Takes turns. */
bool xim_exists(struct x11_server *server);

/*
 * Waits until every one of the display has read what it was sent so far. False if there is none, or one does not answer
 * in time.
 */
bool xim_wait(struct x11_server *server, struct deadline until);

#endif
