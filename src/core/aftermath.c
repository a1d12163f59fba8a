/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/aftermath.h"

/* The platform keeps an application from taking anything for a while after the answer; no longer than this. */
#define WATCHED_US (2000 * G_TIME_SPAN_MILLISECOND)
#define KEPT 64

/* The time in which a process may take something that no answer tells. */
struct span {
	pid_t pid;
	gint64 from, until;
};

struct aftermath {
	GMutex lock;
	GArray *spans;         /* struct span, oldest first */
};

struct aftermath *aftermath_new(void)
{
	struct aftermath *aftermath = g_new0(struct aftermath, 1);
	g_mutex_init(&aftermath->lock);
	aftermath->spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	return aftermath;
}

void aftermath_free(struct aftermath *aftermath)
{
	g_array_unref(aftermath->spans);
	g_mutex_clear(&aftermath->lock);
	g_free(aftermath);
}

void aftermath_begin(struct aftermath *aftermath, pid_t pid)
{
	gint64 now = g_get_monotonic_time();
	g_mutex_lock(&aftermath->lock);
	for (guint i = 0; i < aftermath->spans->len; i++) {
		struct span *span = &g_array_index(aftermath->spans, struct span, i);
		if (span->pid == pid) {
			span->until = MIN(span->until, now);
		}
	}
	g_mutex_unlock(&aftermath->lock);
}

void aftermath_end(struct aftermath *aftermath, pid_t pid)
{
	gint64 now = g_get_monotonic_time();
	const struct span span = { pid, now, now + WATCHED_US };
	g_mutex_lock(&aftermath->lock);
	g_array_append_val(aftermath->spans, span);
	if (aftermath->spans->len > KEPT) {
		g_array_remove_index(aftermath->spans, 0);
	}
	g_mutex_unlock(&aftermath->lock);
}

/* The span the taking falls into; NULL if it is no late one of these. */
static const struct span *span_of(const struct aftermath *aftermath, const struct taking *taking)
{
	pid_t cause = taking->cause != 0 ? taking->cause : taking->pid;
	for (guint i = aftermath->spans->len; i-- > 0;) {
		const struct span *span = &g_array_index(aftermath->spans, struct span, i);
		if ((cause == 0 || cause == span->pid) && taking->at >= span->from
			&& taking->at <= span->until) {
			return span;
		}
	}
	return NULL;
}

GArray *aftermath_list(struct aftermath *aftermath, struct past *past)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct late));
	g_autoptr(GArray) takings = past_takings(past);
	gint64 now = g_get_monotonic_time();
	g_mutex_lock(&aftermath->lock);
	for (guint i = 0; i < takings->len; i++) {
		const struct taking *taking = &g_array_index(takings, struct taking, i);
		const struct span *span = span_of(aftermath, taking);
		if (span != NULL) {
			const struct late late = { taking->pid, taking->keyboard ? "keyboard" : "focus",
				taking->at - span->from, now - taking->at };
			g_array_append_val(list, late);
		}
	}
	g_mutex_unlock(&aftermath->lock);
	return list;
}
