/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/token.h"

#include <string.h>

char *token_new(const struct snapshot *snapshot, int index)
{
	return g_strdup_printf("%s:%d", snapshot->id, index);
}

static bool read_index(const char *token, int *index)
{
	const char *colon = strchr(token, ':');
	guint64 number = 0;
	bool good = token[0] == 's' && colon != NULL && g_ascii_string_to_unsigned(colon + 1, 10, 0, G_MAXINT32, &number, NULL);
	*index = (int)number;
	return good;
}

struct snapshot *token_find(struct session *session, const char *token, int *index)
{
	if (!read_index(token, index)) {
		return NULL;
	}
	g_autofree char *id = g_strndup(token, strcspn(token, ":"));
	return session_snapshot(session, id);
}

struct snapshot *token_resolve(struct session *session, const char *token, int *index,
	struct answer *answer)
{
	struct snapshot *snapshot = token_find(session, token, index);
	g_autofree char *name = g_strndup(token, MIN(strcspn(token, ":"), 60));
	if (snapshot == NULL && read_index(token, index)) {
		answer_fail(answer, ERROR_STALE_ELEMENT,
			"Snapshot %s is not (or no longer) one of this session's", name);
	} else if (snapshot == NULL) {
		answer_fail(answer, ERROR_INVALID_ARGUMENTS,
			"element_token takes a token of a snapshot such as s1f:12, not \"%.60s\"",
			token);
		answer_string(answer, "argument", "element_token");
	}
	return snapshot;
}
