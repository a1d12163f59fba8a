/* SPDX-License-Identifier: MIT */
#ifndef X11_AHEAD_H
#define X11_AHEAD_H

#include "x11/conn.h"

/*
 * Listing the windows takes a turn of the server for each thing that is known only from the answers
 * before: what is there, in which frame, what it says about itself. But mostly it is what was there the
 * last time. So the questions of the last list are asked again all at once, before anything is known;
 * whoever wants to ask one of them finds it asked already. Nothing is remembered but which questions
 * there were: every answer is of now.
 */
enum x11_ahead_what {
	AHEAD_ATTRIBUTES,
	AHEAD_GEOMETRY,
	AHEAD_ORIGIN,     /* in the root's coordinates */
	AHEAD_TREE,
	AHEAD_PROPERTIES, /* which it has */
	AHEAD_PROPERTY,
	AHEAD_OWNER,      /* by XRes, of any window of the client */
};

/* Asks again what was asked between the last two; call it before the first question. */
void x11_ahead_begin(struct x11_server *server);
/* Forgets the answers that nobody wanted. */
void x11_ahead_end(struct x11_server *server);

/* Asks, unless that has been done, and returns the sequence number. In between only. */
unsigned x11_ahead_ask(struct x11_server *server, enum x11_ahead_what what, xcb_window_t window);
unsigned x11_ahead_ask_property(struct x11_server *server, xcb_window_t window, xcb_atom_t property,
	uint32_t words);

void x11_ahead_free(struct x11_ahead *ahead);

#endif
