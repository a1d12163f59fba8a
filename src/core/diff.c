/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/diff.h"

#include <string.h>

#include "core/label.h"

/* Which object it is: the same object with another name has changed. */
static guint identity_hash(gconstpointer data)
{
	const struct element *element = data;
	return g_str_hash(element->object) ^ g_str_hash(element->provider) ^ g_str_hash(element->role);
}

static gboolean identity_equal(gconstpointer a, gconstpointer b)
{
	const struct element *one = a, *other = b;
	return one->provider_id == other->provider_id && strcmp(one->object, other->object) == 0
		&& strcmp(one->provider, other->provider) == 0 && strcmp(one->role, other->role) == 0;
}

/* What a person could point at or read. */
static bool counts(const struct element *element)
{
	return element->index >= 0 || element->name[0] != '\0' || element->value != NULL;
}

static GHashTable *index_tree(const struct tree *tree)
{
	GHashTable *index = g_hash_table_new(identity_hash, identity_equal);
	for (guint i = 0; i < tree->elements->len; i++) {
		g_hash_table_add(index, tree->elements->pdata[i]);
	}
	return index;
}

/* A window that moved took everything with it. */
static bool moved(const struct element *a, struct screen_rect a_window, const struct element *b,
	struct screen_rect b_window)
{
	return a->has_frame != b->has_frame
		|| (a->has_frame && (a->frame.x - a_window.x != b->frame.x - b_window.x
			|| a->frame.y - a_window.y != b->frame.y - b_window.y
			|| a->frame.width != b->frame.width || a->frame.height != b->frame.height));
}

static bool reads_different(const struct element *a, const struct element *b)
{
	return strcmp(label_of(a), label_of(b)) != 0 || g_strcmp0(a->value, b->value) != 0
		|| g_strcmp0(a->description, b->description) != 0;
}

static bool looks_different(const struct element *a, const struct element *b)
{
	return a->states != b->states
		|| !g_strv_equal((const char *const *)a->actions, (const char *const *)b->actions);
}

void diff_make(struct diff *diff, const struct snapshot *earlier, const struct snapshot *later)
{
	g_autoptr(GHashTable) before = index_tree(earlier->tree), now = index_tree(later->tree);
	diff->added = g_array_new(FALSE, FALSE, sizeof(struct difference));
	diff->removed = g_array_new(FALSE, FALSE, sizeof(struct difference));
	diff->changed = g_array_new(FALSE, FALSE, sizeof(struct difference));
	for (guint i = 0; i < later->tree->elements->len; i++) {
		struct element *element = later->tree->elements->pdata[i];
		struct difference found = { g_hash_table_lookup(before, element), element };
		if (found.before == NULL) {
			if (counts(element)) {
				g_array_append_val(diff->added, found);
			}
		} else if ((counts(element) || counts(found.before))
			&& (reads_different(found.before, element)
				|| (element->index >= 0 && (looks_different(found.before, element)
					|| moved(found.before, earlier->frame.window, element,
						later->frame.window))))) {
			g_array_append_val(diff->changed, found);
		}
	}
	for (guint i = 0; i < earlier->tree->elements->len; i++) {
		struct difference gone = { earlier->tree->elements->pdata[i], NULL };
		if (counts(gone.before) && !g_hash_table_contains(now, gone.before)) {
			g_array_append_val(diff->removed, gone);
		}
	}
}

void diff_clear(struct diff *diff)
{
	g_array_unref(diff->added);
	g_array_unref(diff->removed);
	g_array_unref(diff->changed);
}
