/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/admission.h"

/* Who is in at a key, and who waits there. */
struct line {
	gint64 key;
	GQueue waiting;
};

struct admission {
	GMutex mutex;
	GArray *lines; /* struct line: no more than run at once, so there is nothing to look up */
	void (*start)(void *item, void *data);
	void *data;
};

struct admission *admission_new(void (*start)(void *item, void *data), void *data)
{
	struct admission *admission = g_new0(struct admission, 1);
	g_mutex_init(&admission->mutex);
	admission->lines = g_array_new(FALSE, FALSE, sizeof(struct line));
	admission->start = start;
	admission->data = data;
	return admission;
}

void admission_free(struct admission *admission)
{
	for (guint i = 0; i < admission->lines->len; i++) {
		g_queue_clear(&g_array_index(admission->lines, struct line, i).waiting);
	}
	g_array_unref(admission->lines);
	g_mutex_clear(&admission->mutex);
	g_free(admission);
}

/* NULL if nobody is in. */
static struct line *find(struct admission *admission, gint64 key)
{
	for (guint i = 0; i < admission->lines->len; i++) {
		struct line *line = &g_array_index(admission->lines, struct line, i);
		if (line->key == key) {
			return line;
		}
	}
	return NULL;
}

bool admission_enter(struct admission *admission, gint64 key, void *item)
{
	g_mutex_lock(&admission->mutex);
	struct line *line = find(admission, key);
	if (line == NULL) {
		const struct line fresh = { key, G_QUEUE_INIT };
		g_array_append_val(admission->lines, fresh);
	} else {
		g_queue_push_tail(&line->waiting, item);
	}
	g_mutex_unlock(&admission->mutex);
	return line == NULL;
}

void admission_leave(struct admission *admission, gint64 key)
{
	g_mutex_lock(&admission->mutex);
	struct line *line = find(admission, key);
	void *next = g_queue_pop_head(&line->waiting);
	if (next == NULL) {
		/* The last one takes its place. */
		*line = g_array_index(admission->lines, struct line, admission->lines->len - 1);
		g_array_set_size(admission->lines, admission->lines->len - 1);
	}
	g_mutex_unlock(&admission->mutex);
	if (next != NULL) {
		admission->start(next, admission->data);
	}
}

bool admission_remove(struct admission *admission, gint64 key, void *item)
{
	g_mutex_lock(&admission->mutex);
	struct line *line = find(admission, key);
	bool waited = line != NULL && g_queue_remove(&line->waiting, item);
	g_mutex_unlock(&admission->mutex);
	return waited;
}
