/* SPDX-License-Identifier: MIT */
#ifndef MCP_RPC_H
#define MCP_RPC_H

#include <glib.h>
#include <stdbool.h>

#include "core/datum.h"

/* JSON-RPC 2.0 error codes, and the one MCP adds for us. */
enum rpc_code {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_METHOD_NOT_FOUND = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_UNSUPPORTED_VERSION = -32022,
};

/* What a line turned out to be. */
enum rpc_kind {
	RPC_REQUEST,
	RPC_NOTIFICATION,
	RPC_RESPONSE,  /* to a request we never sent: ignored */
	RPC_BROKEN,    /* to be answered with `code` and `problem` */
};

struct rpc {
	enum rpc_kind kind;
	struct datum *message; /* owned; everything below points into it. NULL if it is no JSON */
	char *id;             /* the id as JSON; NULL if there is none or it cannot be used */
	const char *method;
	const struct datum *params; /* an object, or NULL */
	enum rpc_code code;
	const char *problem;
};

/* Never fails: what is wrong is in the result. Clear it with rpc_clear(). */
struct rpc rpc_parse(const char *line, gsize length);
void rpc_clear(struct rpc *rpc);

/* A JSON value's id spelling, for a requestId; NULL if it is no valid id. The caller frees it. */
char *rpc_id(const struct datum *datum);

/* `{"jsonrpc":"2.0","id":…,"result":{` — the caller writes members and ends with rpc_end(). */
void rpc_begin_result(GString *out, const char *id);
void rpc_end_result(GString *out);

/* A whole error message and its line end; id NULL is written as null, `data` is JSON or NULL. */
void rpc_error(GString *out, const char *id, enum rpc_code code, const char *message,
	const char *data);

#endif
