/* SPDX-License-Identifier: MIT */
#ifndef X11_DESCRIBE_H
#define X11_DESCRIBE_H

#include "x11/tops.h"

/* What a window says about itself, and what is needed to find out the rest without the server. */
struct x11_sighting {
	struct window *window;     /* owned; NULL: it is not there (any more) */
	uint32_t client;           /* the part of its XID that names the connection */
	pid_t known_pid;           /* as the server knows it; 0 if it does not */
	pid_t claimed_pid;         /* _NET_WM_PID; 0 if it has none */
	char *machine;             /* WM_CLIENT_MACHINE; NULL if it has none */
	const char *hint;          /* the toolkit as far as properties tell; static */
};

/*
 * What can be learnt of these windows, struct x11_sighting in the order of `tops`. Takes one turn
 * of the server for every 64. The caller frees the array, which frees what is left in it.
 */
GArray *x11_describe(struct x11_server *server, const struct x11_desk *desk, GArray *tops,
	xcb_window_t focused);

/* Tooltips and notifications, which come and go with the user's pointer and the clock. Takes a turn. */
bool x11_is_incidental(struct x11_server *server, xcb_window_t window);

/* pids by connection, as the server knows them: client part of an XID → pid. */
GHashTable *x11_owners_ask(struct x11_server *server, GArray *tops);
GHashTable *x11_owners_collect(struct x11_server *server, GHashTable *asked);

/*
 * Whose window it is. XRes names the process that opened the connection and cannot be lied to, but
 * that process may have handed the connection to a child and ended; then, and for clients the
 * server cannot number (TCP), _NET_WM_PID counts if it speaks of this machine. For a forwarded
 * client (ssh -X) the answer is the local end of the tunnel: the only process here that has to do
 * with it.
 */
pid_t x11_owner(const struct x11_sighting *sighting);

/* The name of a process, "" if it cannot be read. The caller frees it. */
char *x11_process_name(pid_t pid);

/*
 * The toolkit a process draws its windows with, from the files it has mapped; `sighting->hint` if
 * they cannot be read. Reading takes a millisecond, so it is remembered.
 */
const char *x11_toolkit(struct x11 *x11, const struct x11_sighting *sighting);

#endif
