/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/diff.h"

#include <string.h>

/* Who an element is, as a key. The separator stands in no bus name, path or role. */
static char *identity(const struct element *element)
{
	return g_strdup_printf("%u\n%s\n%s\n%s\n%s", element->provider_id, element->provider,
		element->object, element->role, element->name);
}

static GHashTable *index_tree(const struct tree *tree)
{
	GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if (element->index >= 0) {
			g_hash_table_insert(index, identity(element), element);
		}
	}
	return index;
}

static bool looks_different(const struct element *a, const struct element *b)
{
	return a->states != b->states || g_strcmp0(a->value, b->value) != 0
		|| a->has_frame != b->has_frame
		|| (a->has_frame && memcmp(&a->frame, &b->frame, sizeof a->frame) != 0)
		|| !g_strv_equal((const char *const *)a->actions, (const char *const *)b->actions);
}

void diff_make(struct diff *diff, const struct tree *earlier, const struct tree *later)
{
	g_autoptr(GHashTable) before = index_tree(earlier), now = index_tree(later);
	*diff = (struct diff){ g_ptr_array_new(), g_ptr_array_new(), g_ptr_array_new() };
	for (guint i = 0; i < later->elements->len; i++) {
		struct element *element = later->elements->pdata[i];
		g_autofree char *key = identity(element);
		const struct element *old = g_hash_table_lookup(before, key);
		if (element->index >= 0 && old == NULL) {
			g_ptr_array_add(diff->added, element);
		} else if (element->index >= 0 && looks_different(old, element)) {
			g_ptr_array_add(diff->changed, element);
		}
	}
	for (guint i = 0; i < earlier->elements->len; i++) {
		struct element *element = earlier->elements->pdata[i];
		g_autofree char *key = identity(element);
		if (element->index >= 0 && !g_hash_table_contains(now, key)) {
			g_ptr_array_add(diff->removed, element);
		}
	}
}

void diff_clear(struct diff *diff)
{
	g_ptr_array_unref(diff->added);
	g_ptr_array_unref(diff->removed);
	g_ptr_array_unref(diff->changed);
}
