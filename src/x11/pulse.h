/* SPDX-License-Identifier: MIT */
#ifndef X11_PULSE_H
#define X11_PULSE_H

#include "x11/conn.h"

/*
 * Whether the window manager has come to what it was sent. A window that wants to be elsewhere is moved by the manager, also
 * one that is never shown; and a manager reads its events in order, so once it has moved one of ours it has done what came
 * before. It may be busy for seconds: openbox reads its table of composed characters at each change of the keyboard's map.
 */

/* Asks. What it does is an event on this connection. */
void x11_pulse_begin(struct x11_server *server);
/* Whether it has done so; takes a turn of the server. */
bool x11_pulse_beats(struct x11_server *server);
void x11_pulse_end(struct x11_server *server);

#endif
