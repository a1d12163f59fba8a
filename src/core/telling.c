/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/telling.h"

#include <string.h>

#define MOST_KEPT 8192
#define MOST_UNREAD 64

/* Of one element: the latest, and what was known when an action began. */
struct kept {
	char *provider;
	struct unread key;
	char *now, *before; /* NULL: nobody knows */
	gint64 at, before_at;
};

struct tellings {
	GHashTable *kept;  /* "provider object what" → struct kept */
	gint64 forgotten;  /* all that was told before; 0: nothing */
};

static void kept_free(gpointer data)
{
	struct kept *kept = data;
	g_free(kept->provider);
	g_free(kept->key.object);
	g_free(kept->key.what);
	g_free(kept->now);
	g_free(kept->before);
	g_free(kept);
}

struct tellings *tellings_new(void)
{
	struct tellings *tellings = g_new0(struct tellings, 1);
	tellings->kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, kept_free);
	return tellings;
}

void tellings_free(struct tellings *tellings)
{
	g_hash_table_unref(tellings->kept);
	g_free(tellings);
}

void tellings_clear(struct tellings *tellings, gint64 now)
{
	g_hash_table_remove_all(tellings->kept);
	tellings->forgotten = now;
}

bool telling_is_state(const char *what)
{
	static const char *const states[] = { "checked", "selected", "expanded", "sensitive", "showing", NULL };
	return g_strv_contains(states, what);
}

bool telling_is_kept(const char *what)
{
	return strcmp(what, "name") == 0 || strcmp(what, "text") == 0 || strcmp(what, "value") == 0 || telling_is_state(what);
}

static struct kept *keep(struct tellings *tellings, const char *provider, const char *object, const char *what, gint64 at)
{
	g_autofree char *key = g_strjoin(" ", provider, object, what, NULL);
	struct kept *kept = g_hash_table_lookup(tellings->kept, key);
	if (kept == NULL) {
		if (g_hash_table_size(tellings->kept) >= MOST_KEPT) {
			tellings_clear(tellings, at);
		}
		kept = g_new0(struct kept, 1);
		kept->provider = g_strdup(provider);
		kept->key = (struct unread){ g_strdup(object), g_strdup(what) };
		kept->at = tellings->forgotten;
		g_hash_table_insert(tellings->kept, g_steal_pointer(&key), kept);
	}
	return kept;
}

bool tellings_note(struct tellings *tellings, const char *provider, const char *object, const char *what,
	struct telling now, gint64 begun, struct telling *was)
{
	struct kept *kept = keep(tellings, provider, object, what, now.at);
	bool again = now.text != NULL && g_strcmp0(kept->now, now.text) == 0;
	if (kept->at <= begun) {
		g_free(kept->before);
		kept->before = g_steal_pointer(&kept->now);
		kept->before_at = kept->at;
	}
	g_free(kept->now);
	kept->now = g_strdup(now.text);
	kept->at = now.at;
	*was = (struct telling){ kept->before, kept->before_at };
	return again;
}

void tellings_read(struct tellings *tellings, const char *provider, const char *object, const char *what,
	struct telling now)
{
	struct kept *kept = keep(tellings, provider, object, what, now.at);
	g_free(kept->now);
	kept->now = g_strdup(now.text);
	kept->at = now.at;
}

static gint compare_age(gconstpointer a, gconstpointer b)
{
	const struct kept *left = *(const struct kept *const *)a, *right = *(const struct kept *const *)b;
	return left->at < right->at ? 1 : left->at > right->at ? -1 : 0;
}

static void unread_free(gpointer data)
{
	struct unread *unread = data;
	g_free(unread->object);
	g_free(unread->what);
	g_free(unread);
}

GPtrArray *tellings_unread(struct tellings *tellings, const char *provider, gint64 since)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GPtrArray *latest = g_ptr_array_new_with_free_func(unread_free);
	GHashTableIter at;
	gpointer value;
	g_hash_table_iter_init(&at, tellings->kept);
	while (g_hash_table_iter_next(&at, NULL, &value)) {
		const struct kept *kept = value;
		if (kept->now == NULL && kept->at > since && strcmp(kept->provider, provider) == 0) {
			g_ptr_array_add(all, value);
		}
	}
	g_ptr_array_sort(all, compare_age);
	for (guint i = 0; i < all->len && i < MOST_UNREAD; i++) {
		const struct unread *key = &((const struct kept *)all->pdata[i])->key;
		struct unread *unread = g_new(struct unread, 1);
		*unread = (struct unread){ g_strdup(key->object), g_strdup(key->what) };
		g_ptr_array_add(latest, unread);
	}
	return latest;
}
