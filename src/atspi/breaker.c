/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/breaker.h"

#include "core/error.h"

/* What an application gets that was silent before. */
#define DOUBTFUL_MS 700
/* Names of applications that ended stay until then. */
#define MOST 64

void breaker_trip(struct atspi *atspi, const char *application)
{
	g_mutex_lock(&atspi->mutex);
	if (g_hash_table_size(atspi->silent) >= MOST) {
		g_hash_table_remove_all(atspi->silent);
	}
	g_hash_table_add(atspi->silent, g_strdup(application));
	g_mutex_unlock(&atspi->mutex);
}

bool breaker_is_open(struct atspi *atspi, const char *application)
{
	g_mutex_lock(&atspi->mutex);
	bool open = g_hash_table_contains(atspi->silent, application);
	g_mutex_unlock(&atspi->mutex);
	return open;
}

static void on_answer(struct message *reply, void *data)
{
	(void)reply;
	(void)data;
}

bool breaker_try(struct atspi *atspi, struct link *link, const char *application, const char *path,
	struct deadline deadline, GError **error)
{
	GError *problem = NULL;
	if (!breaker_is_open(atspi, application)) {
		return true;
	}
	link_send(link, application, path, ACCESSIBLE, "GetRole", on_answer, NULL, NULL);
	if (link_pump(link, deadline_within(deadline, DOUBTFUL_MS), &problem)) {
		g_mutex_lock(&atspi->mutex);
		g_hash_table_remove(atspi->silent, application);
		g_mutex_unlock(&atspi->mutex);
		return true;
	}
	if (problem->code == ERROR_APP_UNRESPONSIVE) {
		g_clear_error(&problem);
		g_set_error(&problem, CUA_ERROR, ERROR_APP_UNRESPONSIVE,
			"The application was silent before, and still is after %d ms", DOUBTFUL_MS);
	}
	g_propagate_error(error, problem);
	return false;
}
