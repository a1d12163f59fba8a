/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/session.h"

#include <string.h>

/* Enough for tokens of a dozen windows. */
#define SNAPSHOTS_KEPT 24
/* More than anybody tries twice. */
#define DOUBTS_KEPT 256
/* An element takes about half a kilobyte, so this is what bounds the memory of a session. */
#define ELEMENTS_KEPT 15000

struct session {
	gatomicrefcount references;
	GMutex mutex;
	struct lenses *lenses;
	struct aftermath *aftermath;
	GQueue snapshots; /* newest first; the session owns a reference to each */
	guint elements;   /* in all of them */
	GHashTable *overrides; /* setting → text */
	bool ended;
	GArray *endings;       /* struct ending */
	GHashTable *doubted;   /* set of keys of elements */
};

/* Somebody who wants to know that it ends. */
struct ending {
	void (*call)(struct session *session, void *data);
	void *data;
};

struct session *session_new(void)
{
	struct session *session = g_new0(struct session, 1);
	g_atomic_ref_count_init(&session->references);
	g_mutex_init(&session->mutex);
	session->lenses = lenses_new();
	session->aftermath = aftermath_new();
	g_queue_init(&session->snapshots);
	session->overrides = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	session->endings = g_array_new(FALSE, FALSE, sizeof(struct ending));
	session->doubted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return session;
}

struct session *session_ref(struct session *session)
{
	g_atomic_ref_count_inc(&session->references);
	return session;
}

void session_unref(struct session *session)
{
	if (session == NULL || !g_atomic_ref_count_dec(&session->references)) {
		return;
	}
	g_queue_clear_full(&session->snapshots, (GDestroyNotify)snapshot_unref);
	lenses_free(session->lenses);
	aftermath_free(session->aftermath);
	g_hash_table_unref(session->overrides);
	g_array_unref(session->endings);
	g_hash_table_unref(session->doubted);
	g_mutex_clear(&session->mutex);
	g_free(session);
}

void session_end(struct session *session)
{
	g_mutex_lock(&session->mutex);
	session->ended = true;
	g_queue_clear_full(&session->snapshots, (GDestroyNotify)snapshot_unref);
	session->elements = 0;
	g_hash_table_remove_all(session->overrides);
	g_autoptr(GArray) endings = g_steal_pointer(&session->endings);
	session->endings = g_array_new(FALSE, FALSE, sizeof(struct ending));
	g_mutex_unlock(&session->mutex);
	for (guint i = 0; i < endings->len; i++) {
		const struct ending *ending = &g_array_index(endings, struct ending, i);
		ending->call(session, ending->data);
	}
}

bool session_on_end(struct session *session, void (*call)(struct session *session, void *data),
	void *data)
{
	const struct ending ending = { call, data };
	g_mutex_lock(&session->mutex);
	bool lives = !session->ended;
	if (lives) {
		g_array_append_val(session->endings, ending);
	}
	g_mutex_unlock(&session->mutex);
	return lives;
}

bool session_is_shared(struct session *session)
{
	return !g_atomic_ref_count_compare(&session->references, 1);
}

unsigned session_snapshots(struct session *session)
{
	g_mutex_lock(&session->mutex);
	unsigned count = session->snapshots.length;
	g_mutex_unlock(&session->mutex);
	return count;
}

void session_set_override(struct session *session, const char *name, const char *text)
{
	g_mutex_lock(&session->mutex);
	if (text == NULL || session->ended) {
		g_hash_table_remove(session->overrides, name);
	} else {
		g_hash_table_insert(session->overrides, g_strdup(name), g_strdup(text));
	}
	g_mutex_unlock(&session->mutex);
}

char *session_override(struct session *session, const char *name)
{
	g_mutex_lock(&session->mutex);
	char *text = g_strdup(g_hash_table_lookup(session->overrides, name));
	g_mutex_unlock(&session->mutex);
	return text;
}

/* Whether a newer snapshot of the same window is kept: an index does not mean this one any more. */
static bool is_superseded(const GList *link)
{
	const struct window *window = ((const struct snapshot *)link->data)->window;
	for (const GList *at = link->prev; at != NULL; at = at->prev) {
		const struct window *other = ((const struct snapshot *)at->data)->window;
		if (other->pid == window->pid && other->id == window->id) {
			return true;
		}
	}
	return false;
}

/* The one to drop next: the oldest that only its tokens name, otherwise the oldest. */
static GList *least_useful(struct session *session)
{
	for (GList *at = session->snapshots.tail; at != NULL; at = at->prev) {
		if (is_superseded(at)) {
			return at;
		}
	}
	return session->snapshots.tail;
}

void session_keep(struct session *session, struct snapshot *snapshot)
{
	g_mutex_lock(&session->mutex);
	if (session->ended) {
		g_mutex_unlock(&session->mutex);
		return;
	}
	g_queue_push_head(&session->snapshots, snapshot_ref(snapshot));
	session->elements += snapshot->tree->elements->len;
	/* The newest stays however large it is: the next call is about it. */
	while (session->snapshots.length > 1 && (session->snapshots.length > SNAPSHOTS_KEPT
		|| session->elements > ELEMENTS_KEPT)) {
		GList *link = least_useful(session);
		struct snapshot *dropped = link->data;
		session->elements -= dropped->tree->elements->len;
		g_queue_delete_link(&session->snapshots, link);
		snapshot_unref(dropped);
	}
	g_mutex_unlock(&session->mutex);
}

/* The newest snapshot that has the id, or, without one, is of the process's window. */
static struct snapshot *search(struct session *session, pid_t pid, guint64 window_id, const char *id)
{
	struct snapshot *found = NULL;
	g_mutex_lock(&session->mutex);
	for (GList *at = session->snapshots.head; at != NULL && found == NULL; at = at->next) {
		struct snapshot *snapshot = at->data;
		const struct window *window = snapshot->window;
		if (id != NULL ? strcmp(snapshot->id, id) == 0
			: (pid < 0 || window->pid == pid) && window->id == window_id) {
			found = snapshot_ref(snapshot);
		}
	}
	g_mutex_unlock(&session->mutex);
	return found;
}

struct snapshot *session_latest(struct session *session, pid_t pid, guint64 window_id)
{
	return search(session, pid, window_id, NULL);
}

struct snapshot *session_snapshot(struct session *session, const char *id)
{
	return search(session, 0, 0, id);
}

static char *key_of(const struct element *element)
{
	return g_strconcat(element->provider, " ", element->object, NULL);
}

void session_doubt(struct session *session, const struct element *element)
{
	g_mutex_lock(&session->mutex);
	if (g_hash_table_size(session->doubted) >= DOUBTS_KEPT) {
		g_hash_table_remove_all(session->doubted);
	}
	g_hash_table_add(session->doubted, key_of(element));
	g_mutex_unlock(&session->mutex);
}

bool session_doubts(struct session *session, const struct element *element)
{
	g_autofree char *key = key_of(element);
	g_mutex_lock(&session->mutex);
	bool doubts = g_hash_table_contains(session->doubted, key);
	g_mutex_unlock(&session->mutex);
	return doubts;
}

struct aftermath *session_aftermath(struct session *session)
{
	return session->aftermath;
}

struct lenses *session_lenses(struct session *session)
{
	return session->lenses;
}
