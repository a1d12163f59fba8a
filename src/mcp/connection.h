/* SPDX-License-Identifier: MIT */
#ifndef MCP_CONNECTION_H
#define MCP_CONNECTION_H

#include "mcp/server.h"

/*
 * One client on a pair of file descriptors: reads its lines, writes its answers, in both directions
 * without ever blocking the main loop. Main context only.
 */
struct connection;

/* Told once, when the client is gone, or has ended its input and got all its answers. */
typedef void (*connection_closed)(struct connection *connection, void *data);

/*
 * The descriptors stay the caller's and must be closed only after connection_free(). `who` as for
 * server_new().
 */
struct connection *connection_new(struct runtime *runtime, const struct server_client *who, int in,
	int out, connection_closed closed, void *data);

/* Cancels what runs. Nobody is told any more. Not from inside the server's own callbacks. */
void connection_free(struct connection *connection);

/*
 * GIO waits until a pipe or socket is ready and then makes a plain call, which blocks when there is
 * less room than data. Returns the flags to restore, because others may share the description; -1 if
 * nothing was changed.
 */
int connection_nonblocking(int fd);

#endif
