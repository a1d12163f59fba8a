/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/sessions.h"

#include <string.h>

#define IDLE_MS (300 * G_GINT64_CONSTANT(1000))
#define SWEEP_MS 30000
/* No label begins with it: labels are what people type. */
#define CONNECTION_PREFIX "\x1f"

struct entry {
	struct session *session;
	gint64 made, used;
};

struct sessions {
	GMutex mutex;
	GHashTable *entries;     /* name → struct entry */
	gint64 idle_ms;
	unsigned connections;    /* names handed out */
};

/* The one way a session ends: nobody finds it any more; calls that still run keep their reference. */
static void dispose(struct entry *entry)
{
	session_end(entry->session);
	session_unref(entry->session);
	g_free(entry);
}

static gint64 idle_from_environment(void)
{
	const char *text = g_getenv("CUA_DRIVER_SESSION_IDLE_TTL_SECS");
	if (text == NULL) {
		text = g_getenv("CUA_DRIVER_RS_SESSION_IDLE_TTL_SECS");
	}
	double seconds = text != NULL ? g_ascii_strtod(text, NULL) : 0;
	return seconds > 0 && seconds < 1e9 ? (gint64)(seconds * 1000) : IDLE_MS;
}

struct sessions *sessions_new(gint64 idle_ms)
{
	struct sessions *sessions = g_new0(struct sessions, 1);
	g_mutex_init(&sessions->mutex);
	sessions->idle_ms = idle_ms > 0 ? idle_ms : idle_from_environment();
	sessions->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
		(GDestroyNotify)dispose);
	return sessions;
}

void sessions_free(struct sessions *sessions)
{
	g_hash_table_unref(sessions->entries);
	g_mutex_clear(&sessions->mutex);
	g_free(sessions);
}

char *sessions_name_connection(struct sessions *sessions)
{
	g_mutex_lock(&sessions->mutex);
	char *name = g_strdup_printf(CONNECTION_PREFIX "%u", ++sessions->connections);
	g_mutex_unlock(&sessions->mutex);
	return name;
}

bool sessions_is_label(const char *name)
{
	return name[0] != '\0' && !g_str_has_prefix(name, CONNECTION_PREFIX);
}

/* A session that a call holds is in use, however long that call takes. */
static bool is_expired(const struct sessions *sessions, const struct entry *entry)
{
	return g_get_monotonic_time() - entry->used > sessions->idle_ms * 1000
		&& !session_is_shared(entry->session);
}

struct session *sessions_use(struct sessions *sessions, const char *name, bool *made)
{
	g_mutex_lock(&sessions->mutex);
	struct entry *entry = g_hash_table_lookup(sessions->entries, name);
	/* It has ended; that nobody has swept it yet makes no difference. */
	if (entry != NULL && is_expired(sessions, entry)) {
		g_hash_table_remove(sessions->entries, name);
		entry = NULL;
	}
	if (made != NULL) {
		*made = entry == NULL;
	}
	gint64 now = g_get_monotonic_time();
	if (entry == NULL) {
		entry = g_new0(struct entry, 1);
		entry->session = session_new();
		entry->made = now;
		g_hash_table_insert(sessions->entries, g_strdup(name), entry);
	}
	entry->used = now;
	struct session *session = session_ref(entry->session);
	g_mutex_unlock(&sessions->mutex);
	return session;
}

bool sessions_end(struct sessions *sessions, const char *name)
{
	g_mutex_lock(&sessions->mutex);
	bool ended = g_hash_table_remove(sessions->entries, name);
	g_mutex_unlock(&sessions->mutex);
	return ended;
}

unsigned sessions_sweep(struct sessions *sessions)
{
	GHashTableIter iter;
	struct entry *entry;
	g_mutex_lock(&sessions->mutex);
	g_hash_table_iter_init(&iter, sessions->entries);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&entry)) {
		if (session_is_shared(entry->session)) {
			entry->used = g_get_monotonic_time();
		} else if (is_expired(sessions, entry)) {
			g_hash_table_iter_remove(&iter);
		}
	}
	unsigned left = g_hash_table_size(sessions->entries);
	g_mutex_unlock(&sessions->mutex);
	return left;
}

unsigned sessions_sweep_ms(const struct sessions *sessions)
{
	return (unsigned)MIN(SWEEP_MS, sessions->idle_ms);
}

static void info_clear(void *data)
{
	g_free(((struct session_info *)data)->name);
}

static gint compare_age(gconstpointer a, gconstpointer b)
{
	const struct session_info *left = a, *right = b;
	return left->age_ms < right->age_ms ? 1 : left->age_ms > right->age_ms ? -1
		: strcmp(left->name, right->name);
}

GArray *sessions_list(struct sessions *sessions)
{
	GHashTableIter iter;
	const char *name;
	struct entry *entry;
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct session_info));
	g_array_set_clear_func(list, info_clear);
	g_mutex_lock(&sessions->mutex);
	gint64 now = g_get_monotonic_time();
	g_hash_table_iter_init(&iter, sessions->entries);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, (gpointer *)&entry)) {
		struct session_info info = {
			g_strdup(name), (now - entry->made) / 1000, (now - entry->used) / 1000,
			session_snapshots(entry->session),
		};
		g_array_append_val(list, info);
	}
	g_mutex_unlock(&sessions->mutex);
	g_array_sort(list, compare_age);
	return list;
}
