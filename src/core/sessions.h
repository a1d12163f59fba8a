/* SPDX-License-Identifier: MIT */
#ifndef CORE_SESSIONS_H
#define CORE_SESSIONS_H

#include "core/session.h"

/*
 * All sessions of a process, by name. A session lives from the first call that names it until it is
 * ended, its connection closes (if it is a connection's own), or nobody used it for a while; all of
 * these go through one disposal, and a name used again starts fresh. Safe from any thread.
 */
struct sessions;

/* `idle_ms`: how long a session may go unused; 0: as the environment says, or 300 s. */
struct sessions *sessions_new(gint64 idle_ms);
void sessions_free(struct sessions *sessions);

/* Calls without a label: one name a connection, and one that all one-shot calls share. */
#define SESSION_ANONYMOUS ""
/* A new name for a connection's own session; it cannot be a label. The caller frees it. */
char *sessions_name_connection(struct sessions *sessions);
/* Whether that is a name callers may use as a label. */
bool sessions_is_label(const char *name);

/* The session of that name, made if there is none; `*made` (may be NULL) tells. The caller owns a reference. */
struct session *sessions_use(struct sessions *sessions, const char *name, bool *made);

/* Ends it. False if there is none. */
bool sessions_end(struct sessions *sessions, const char *name);

/* Ends those that nobody used for too long and nobody uses now; returns how many there still are. */
unsigned sessions_sweep(struct sessions *sessions);
/* How often to sweep. */
unsigned sessions_sweep_ms(const struct sessions *sessions);

/* What list_sessions tells of one. */
struct session_info {
	char *name;              /* owned */
	gint64 age_ms, idle_ms;
	unsigned snapshots;
};
/* struct session_info, oldest first; the caller owns it. */
GArray *sessions_list(struct sessions *sessions);

#endif
