/* SPDX-License-Identifier: MIT */
#ifndef CORE_TOKEN_H
#define CORE_TOKEN_H

#include "core/answer.h"
#include "core/session.h"

/* The token of an element of a snapshot: "s1f:12". The caller frees it. */
char *token_new(const struct snapshot *snapshot, int index);

/* The snapshot that a token is of, or NULL. The caller owns a reference. */
struct snapshot *token_snapshot(struct session *session, const char *token);

/*
 * The snapshot and index a token means. The caller owns a reference; NULL with a failed answer if
 * the token is malformed or its snapshot is gone.
 */
struct snapshot *token_resolve(struct session *session, const char *token, int *index,
	struct answer *answer);

#endif
