/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/cache.h"

#include <string.h>

#include "atspi/node.h"

#define ITEM "((so)(so)(so)iiassusau)"

struct cache {
	char *application;       /* bus name */
	struct message *message; /* what the items' strings point into */
	GArray *items;           /* struct cache_item */
	GHashTable *by_path;     /* path → struct cache_item */
	GHashTable *children;    /* parent's path → GPtrArray of struct cache_item */
};

static bool read_item(struct message *message, struct cache_item *item)
{
	const char *name, *path, *text;
	int32_t place, count;
	if (message_enter(message, 'r', "(so)(so)(so)iiassusau") <= 0
		|| message_read(message, "(so)(so)(so)ii", &name, &item->path, &text, &path, &text,
			&item->parent, &place, &count) <= 0) {
		return false;
	}
	item->place = place;
	item->child_count = count;
	item->interfaces = node_read_interfaces(message);
	if (message_exit(message) < 0
		|| message_read(message, "sus", &item->name, &item->role, &item->description) <= 0) {
		return false;
	}
	item->states = node_read_states(message);
	return message_exit(message) >= 0;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
	const struct cache_item *one = *(const struct cache_item *const *)a;
	const struct cache_item *other = *(const struct cache_item *const *)b;
	return (one->place > other->place) - (one->place < other->place);
}

static void index_items(struct cache *cache)
{
	for (guint i = 0; i < cache->items->len; i++) {
		struct cache_item *item = &g_array_index(cache->items, struct cache_item, i);
		GPtrArray *siblings = g_hash_table_lookup(cache->children, item->parent);
		if (siblings == NULL) {
			siblings = g_ptr_array_new();
			g_hash_table_insert(cache->children, (void *)item->parent, siblings);
		}
		g_ptr_array_add(siblings, item);
		g_hash_table_insert(cache->by_path, (void *)item->path, item);
	}
	GHashTableIter iter;
	GPtrArray *siblings;
	g_hash_table_iter_init(&iter, cache->children);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&siblings)) {
		g_ptr_array_sort(siblings, by_place);
	}
}

static void on_items(struct message *reply, void *data)
{
	struct cache *cache = data;
	struct cache_item item;
	/* Qt5 has an older form, and nothing in it. */
	if (message_is_error(reply)
		|| strcmp(reply->signature, "a" ITEM) != 0) {
		return;
	}
	g_hash_table_remove_all(cache->children);
	g_hash_table_remove_all(cache->by_path);
	g_array_set_size(cache->items, 0);
	message_free(cache->message);
	cache->message = message_keep(reply);
	if (message_enter(cache->message, 'a', ITEM) > 0) {
		while (read_item(cache->message, &item)) {
			g_array_append_val(cache->items, item);
		}
	}
	index_items(cache);
}

struct cache *cache_ask(struct link *link, const char *application)
{
	struct cache *cache = g_new0(struct cache, 1);
	cache->application = g_strdup(application);
	cache->items = g_array_new(FALSE, FALSE, sizeof(struct cache_item));
	cache->by_path = g_hash_table_new(g_str_hash, g_str_equal);
	cache->children = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
		(GDestroyNotify)g_ptr_array_unref);
	cache_ask_again(cache, link);
	return cache;
}

void cache_ask_again(struct cache *cache, struct link *link)
{
	link_send(link, cache->application, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems",
		on_items, cache, NULL);
}

void cache_free(struct cache *cache)
{
	if (cache == NULL) {
		return;
	}
	g_hash_table_unref(cache->children);
	g_hash_table_unref(cache->by_path);
	g_array_unref(cache->items);
	message_free(cache->message);
	g_free(cache->application);
	g_free(cache);
}

bool cache_is_there(const struct cache *cache)
{
	return cache->items->len > 0;
}

const struct cache_item *cache_item(const struct cache *cache, const char *name, const char *path)
{
	return strcmp(cache->application, name) == 0 ? g_hash_table_lookup(cache->by_path, path) : NULL;
}

const GPtrArray *cache_children(const struct cache *cache, const struct cache_item *item)
{
	const GPtrArray *children = g_hash_table_lookup(cache->children, item->path);
	if (children == NULL || (int)children->len != item->child_count) {
		return NULL;
	}
	/* Each place taken once: otherwise the order is a guess. */
	for (guint i = 0; i < children->len; i++) {
		if (((const struct cache_item *)children->pdata[i])->place != (int)i) {
			return NULL;
		}
	}
	return children;
}
