/* SPDX-License-Identifier: MIT */
#ifndef MCP_ERA_H
#define MCP_ERA_H

#include <glib.h>
#include <stdbool.h>

#include "mcp/rpc.h"

/*
 * The protocol comes in two eras that share a stream: revisions up to 2025-11-25 begin with a
 * handshake; 2026-07-28 is stateless, and each request says its revision itself. Which one a request
 * belongs to, and what that means for its answer, is decided here and nowhere else.
 */
enum era {
	ERA_HANDSHAKE,
	ERA_STATELESS,
};

/*
 * The era of a request. Returns false if it claims a revision or envelope that cannot be served;
 * then code, problem and data (JSON, owned, or NULL) say so.
 */
struct era_problem {
	enum rpc_code code;
	char *message;
	char *data;
};
bool era_of(const struct rpc *request, enum era *era, struct era_problem *problem);
void era_problem_clear(struct era_problem *problem);

/* The revision to answer an initialize with: the client's if we know it, otherwise our newest. */
const char *era_negotiate(const char *asked);

/* Members every result of that era has, into the open result object. */
void era_stamp(enum era era, GString *out);

/* Members of a result that clients may keep: how long, and for whom. */
void era_stamp_cacheable(enum era era, GString *out);

/* The revisions server/discover lists, as a JSON array. */
extern const char era_stateless_versions[];

/* Who we are, as the JSON object that both eras carry. */
void era_server_info(GString *out, const char *name);

#endif
