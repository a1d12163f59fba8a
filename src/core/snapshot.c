/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/snapshot.h"

struct snapshot *snapshot_new(const struct window *window, struct tree *tree, struct frame frame)
{
	static gint last;
	struct snapshot *snapshot = g_new0(struct snapshot, 1);
	g_atomic_ref_count_init(&snapshot->references);
	snapshot->id = g_strdup_printf("s%x", (unsigned)g_atomic_int_add(&last, 1) + 1);
	snapshot->window = window_copy(window);
	snapshot->tree = tree;
	snapshot->frame = frame;
	return snapshot;
}

struct snapshot *snapshot_ref(struct snapshot *snapshot)
{
	g_atomic_ref_count_inc(&snapshot->references);
	return snapshot;
}

void snapshot_unref(struct snapshot *snapshot)
{
	if (snapshot == NULL || !g_atomic_ref_count_dec(&snapshot->references)) {
		return;
	}
	g_free(snapshot->id);
	window_free(snapshot->window);
	tree_free(snapshot->tree);
	g_free(snapshot);
}
