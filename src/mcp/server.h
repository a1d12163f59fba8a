/* SPDX-License-Identifier: MIT */
#ifndef MCP_SERVER_H
#define MCP_SERVER_H

#include <glib.h>
#include <stdbool.h>

#include "core/call.h"
#include "core/datum.h"

/*
 * One MCP connection, without its transport: lines go in, lines come out. Main context only.
 */
struct server;

/* Where answers go and who is told that nothing runs any more. */
struct server_out {
	/* One or more complete lines; takes over the string. */
	void (*write)(GString *lines, void *data);
	/* The number of running calls fell to zero. */
	void (*idle)(void *data);
	void *data;
};

/* Who is at the other end. */
struct server_client {
	/* One-shot calls: they share a session, and what they set is the global default. */
	bool anonymous;
	/* What its relative paths are relative to; copied. NULL: not known, and such paths are
	 * refused. */
	const char *folder;
	/*
	 * Requests only a daemon's own clients make. Writes the members of the result into the open
	 * object; false: no such method. NULL: there are none.
	 */
	bool (*control)(struct server *server, const char *method, const struct datum *params, GString *result,
		void *data);
	void *data;
};

struct server *server_new(struct runtime *runtime, const struct server_client *who,
	const struct server_out *out);
/* The client says that it is a one-shot call. */
void server_make_anonymous(struct server *server);
/* Cancels what runs. */
void server_free(struct server *server);

void server_feed(struct server *server, const void *bytes, gsize length);
/* The client will send nothing more; what it asked is still answered. */
void server_end(struct server *server);

/* How many calls have not been answered. */
unsigned server_running(const struct server *server);

#endif
