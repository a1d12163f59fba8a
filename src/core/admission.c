/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/admission.h"

struct admission {
	GMutex mutex;
	GHashTable *queues; /* gint64 key → GQueue of what waits; present while someone is in */
	void (*start)(void *item, void *data);
	void *data;
};

struct admission *admission_new(void (*start)(void *item, void *data), void *data)
{
	struct admission *admission = g_new0(struct admission, 1);
	g_mutex_init(&admission->mutex);
	admission->queues = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
		(GDestroyNotify)g_queue_free);
	admission->start = start;
	admission->data = data;
	return admission;
}

void admission_free(struct admission *admission)
{
	g_hash_table_unref(admission->queues);
	g_mutex_clear(&admission->mutex);
	g_free(admission);
}

bool admission_enter(struct admission *admission, gint64 key, void *item)
{
	g_mutex_lock(&admission->mutex);
	GQueue *queue = g_hash_table_lookup(admission->queues, &key);
	if (queue == NULL) {
		g_hash_table_insert(admission->queues, g_memdup2(&key, sizeof key), g_queue_new());
	} else {
		g_queue_push_tail(queue, item);
	}
	g_mutex_unlock(&admission->mutex);
	return queue == NULL;
}

void admission_leave(struct admission *admission, gint64 key)
{
	g_mutex_lock(&admission->mutex);
	void *next = g_queue_pop_head(g_hash_table_lookup(admission->queues, &key));
	if (next == NULL) {
		g_hash_table_remove(admission->queues, &key);
	}
	g_mutex_unlock(&admission->mutex);
	if (next != NULL) {
		admission->start(next, admission->data);
	}
}

bool admission_remove(struct admission *admission, gint64 key, void *item)
{
	g_mutex_lock(&admission->mutex);
	GQueue *queue = g_hash_table_lookup(admission->queues, &key);
	bool waited = queue != NULL && g_queue_remove(queue, item);
	g_mutex_unlock(&admission->mutex);
	return waited;
}
