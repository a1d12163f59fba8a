/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/version.h"

static void on_version(struct message *reply, void *data)
{
	enum gtk4_era *era = data;
	const char *version;
	if (!message_is_error(reply) && message_read(reply, "v", "s", &version) > 0) {
		*era = gtk4_era_of(version);
	}
}

enum gtk4_era version_era(struct atspi *atspi, struct link *link, const char *application,
	struct deadline deadline, GError **error)
{
	g_mutex_lock(&atspi->mutex);
	enum gtk4_era era = GPOINTER_TO_UINT(g_hash_table_lookup(atspi->eras, application));
	g_mutex_unlock(&atspi->mutex);
	if (era != GTK4_ERA_UNKNOWN) {
		return era;
	}
	link_get(link, application, DESKTOP_ROOT, "org.a11y.atspi.Application", "Version",
		on_version, &era);
	if (link_pump(link, deadline, error) && era != GTK4_ERA_UNKNOWN) {
		g_mutex_lock(&atspi->mutex);
		g_hash_table_replace(atspi->eras, g_strdup(application), GUINT_TO_POINTER(era));
		g_mutex_unlock(&atspi->mutex);
	}
	return era;
}
