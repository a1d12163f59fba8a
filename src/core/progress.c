/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/progress.h"

#define HEARTBEAT_MS 400

static void tell(struct progress *progress, double done, double total, const char *message)
{
	if (progress->hear != NULL && done > progress->told) {
		progress->told = done;
		progress->hear(done, total, message, progress->data);
	}
}

static gboolean on_heartbeat(gpointer data)
{
	struct progress *progress = data;
	if (!progress->tells) {
		double seconds = (double)(g_get_monotonic_time() - progress->started) / G_USEC_PER_SEC;
		tell(progress, seconds, progress->total, progress->status != NULL ? progress->status : "still working");
	}
	return G_SOURCE_CONTINUE;
}

void progress_begin(struct progress *progress)
{
	progress->started = g_get_monotonic_time();
	if (progress->hear != NULL) {
		progress->heartbeat = g_timeout_source_new(HEARTBEAT_MS);
		g_source_set_callback(progress->heartbeat, on_heartbeat, progress, NULL);
		g_source_attach(progress->heartbeat, progress->context);
	}
}

void progress_end(struct progress *progress)
{
	if (progress->heartbeat != NULL) {
		g_source_destroy(progress->heartbeat);
		g_clear_pointer(&progress->heartbeat, g_source_unref);
	}
	g_clear_pointer(&progress->status, g_free);
}

struct report {
	struct progress *progress;
	double done, total;
	char *message;
};

static gboolean on_report(gpointer data)
{
	struct report *report = data;
	/* Sent before the call's end, so it is still there: sources of one priority keep their order. */
	report->progress->tells = true;
	tell(report->progress, report->done, report->total, report->message);
	g_free(report->message);
	g_free(report);
	return G_SOURCE_REMOVE;
}

static gboolean on_status(gpointer data)
{
	struct report *report = data;
	g_free(report->progress->status);
	report->progress->status = report->message;
	report->progress->total = report->total;
	g_free(report);
	return G_SOURCE_REMOVE;
}

static void send_report(struct progress *progress, GSourceFunc take, double done, double total, const char *message)
{
	struct report *report = g_new0(struct report, 1);
	*report = (struct report){ progress, done, total, g_strdup(message) };
	g_atomic_int_set(&progress->reported, 1);
	GSource *source = g_idle_source_new();
	g_source_set_priority(source, G_PRIORITY_DEFAULT);
	g_source_set_callback(source, take, report, NULL);
	g_source_attach(source, progress->context);
	g_source_unref(source);
}

void progress_report(struct progress *progress, double done, double total, const char *message)
{
	send_report(progress, on_report, done, total, message);
}

void progress_status(struct progress *progress, double total, const char *message)
{
	send_report(progress, on_status, 0, total, message);
}

bool progress_is_silent(const struct progress *progress)
{
	return g_atomic_int_get(&progress->reported) == 0;
}
