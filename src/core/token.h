/* SPDX-License-Identifier: MIT */
#ifndef CORE_TOKEN_H
#define CORE_TOKEN_H

#include "core/answer.h"
#include "core/session.h"

/* The token of an element of a snapshot: "s1f:12". The caller frees it. */
char *token_new(const struct snapshot *snapshot, int index);

/* The snapshot and index a token means; NULL if the token is malformed or its snapshot is gone. The caller owns a reference. */
struct snapshot *token_find(struct session *session, const char *token, int *index);

/* The same, and if there is none the answer has failed. */
struct snapshot *token_resolve(struct session *session, const char *token, int *index,
	struct answer *answer);

#endif
