/* SPDX-License-Identifier: MIT */
#ifndef X11_FAREWELL_H
#define X11_FAREWELL_H

#include "x11/guardian.h"
#include "x11/master.h"

/*
 * Removes the pair of that name, if there is one, at a moment when nobody asks for it. At every key GTK3 asks where each
 * pointer is that it knows of, and dies if one is gone: also a program of the user's that never heard of us. So the
 * user's devices stand still for a few milliseconds, what is typed meanwhile waits in the server, and the pair goes when
 * all applications have read what came before: whatever comes after it comes after the news.
 * It is tried again while the user has a menu open, somebody types or an application does not answer, until `patience`
 * is over; then it goes all the same. The guardian is told of it (NULL: it is the guardian). The server is not grabbed.
 */
void farewell(struct x11_server *server, const char *name, struct deadline patience, struct guardian *guardian,
	int connection);

#endif
