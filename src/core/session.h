/* SPDX-License-Identifier: MIT */
#ifndef CORE_SESSION_H
#define CORE_SESSION_H

#include "core/aftermath.h"
#include "core/lens.h"
#include "core/snapshot.h"

/*
 * What one client accumulates between calls: its snapshots. A connection has one of its own; calls
 * may name another by label. Used by several worker threads at once.
 */
struct session;

struct session *session_new(void);
struct session *session_ref(struct session *session);
void session_unref(struct session *session);

/* Forgets everything it holds; calls that still run find nothing and keep nothing. */
void session_end(struct session *session);
/*
 * Has `call` called once when it ends, with the session as its name only. False if it has ended already. The
 * callback must not wait.
 */
bool session_on_end(struct session *session, void (*call)(struct session *session, void *data),
	void *data);
/* Whether anybody but the caller has a reference. */
bool session_is_shared(struct session *session);
/* How many snapshots it keeps. */
unsigned session_snapshots(struct session *session);

/* A setting of its own; `text` NULL takes it back. */
void session_set_override(struct session *session, const char *name, const char *text);
/* NULL if it has none. The caller frees it. */
char *session_override(struct session *session, const char *name);

/*
 * Keeps the snapshot (takes a reference). Beyond a fixed number of snapshots, and of elements in them,
 * the oldest are dropped, those first that a newer one of the same window follows.
 */
void session_keep(struct session *session, struct snapshot *snapshot);

/*
 * The latest snapshot of that window of that process (window ids are used again), -1 for any, or NULL. The
 * caller owns a reference.
 */
struct snapshot *session_latest(struct session *session, pid_t pid, guint64 window_id);

/* The snapshot of that id, or NULL if it was never there or is dropped. The caller owns a reference. */
struct snapshot *session_snapshot(struct session *session, const char *id);

/*
 * An element whose action was accepted and did nothing: a point on it means the pixel from then on, not the
 * element, or the way to try it with a pointer would lead back to the same action.
 */
void session_doubt(struct session *session, const struct element *element);
bool session_doubts(struct session *session, const struct element *element);

/* What its actions led to after they had been answered; borrowed. */
struct aftermath *session_aftermath(struct session *session);

/* What pixels mean that this client names; borrowed. */
struct lenses *session_lenses(struct session *session);

#endif
