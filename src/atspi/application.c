/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/application.h"

#include "atspi/breaker.h"

static void application_free(struct application *application)
{
	object_free(application->object);
	g_free(application);
}

static void on_applications(struct message *reply, void *data)
{
	GPtrArray *all = data;
	const char *name, *path;
	if (message_is_error(reply)
		|| message_enter(reply, 'a', "(so)") < 0) {
		return;
	}
	while (message_read(reply, "(so)", &name, &path) > 0) {
		if (name[0] != '\0') {
			struct application *application = g_new0(struct application, 1);
			application->object = object_new(name, path);
			g_ptr_array_add(all, application);
		}
	}
}

static void on_pid(struct message *reply, void *data)
{
	struct application *application = data;
	uint32_t pid;
	if (!message_is_error(reply) && message_read(reply, "u", &pid) > 0) {
		application->pid = (pid_t)pid;
	}
}

/* The pids of bus names; each name is asked for once, because a bus never gives it out again. */
static bool read_pids(struct atspi *atspi, struct link *link, const GPtrArray *all,
	struct deadline deadline, GError **error)
{
	g_mutex_lock(&atspi->mutex);
	for (guint i = 0; i < all->len; i++) {
		struct application *application = all->pdata[i];
		application->pid = (pid_t)GPOINTER_TO_UINT(g_hash_table_lookup(atspi->pids,
			application->object->name));
	}
	g_mutex_unlock(&atspi->mutex);
	for (guint i = 0; i < all->len; i++) {
		struct application *application = all->pdata[i];
		if (application->pid == 0) {
			link_send(link, "org.freedesktop.DBus", "/org/freedesktop/DBus",
				"org.freedesktop.DBus", "GetConnectionUnixProcessID", on_pid, application, "s",
				application->object->name);
		}
	}
	if (!link_pump(link, deadline, error)) {
		return false;
	}
	g_mutex_lock(&atspi->mutex);
	for (guint i = 0; i < all->len; i++) {
		struct application *application = all->pdata[i];
		g_hash_table_replace(atspi->pids, g_strdup(application->object->name),
			GUINT_TO_POINTER((guint)application->pid));
	}
	g_mutex_unlock(&atspi->mutex);
	return true;
}

GPtrArray *application_list(struct atspi *atspi, struct link *link, struct deadline deadline,
	GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)application_free);
	link_send(link, REGISTRY, DESKTOP_ROOT, ACCESSIBLE, "GetChildren", on_applications, all, NULL);
	if (!link_pump(link, deadline, error) || !read_pids(atspi, link, all, deadline, error)) {
		return NULL;
	}
	return g_steal_pointer(&all);
}

char *application_guess(struct atspi *atspi, pid_t pid)
{
	GHashTableIter iter;
	gpointer name, owner;
	char *found = NULL;
	guint count = 0;
	g_mutex_lock(&atspi->mutex);
	g_hash_table_iter_init(&iter, atspi->pids);
	while (pid > 0 && g_hash_table_iter_next(&iter, &name, &owner)) {
		if (GPOINTER_TO_UINT(owner) == (guint)pid && count++ == 0) {
			found = g_strdup(name);
		}
	}
	g_mutex_unlock(&atspi->mutex);
	if (count != 1 || breaker_is_open(atspi, found)) {
		g_clear_pointer(&found, g_free);
	}
	return found;
}

GPtrArray *application_of(const GPtrArray *all, pid_t pid)
{
	GPtrArray *own = g_ptr_array_new();
	for (guint i = 0; i < all->len; i++) {
		const struct application *application = all->pdata[i];
		if (pid > 0 && application->pid == pid) {
			g_ptr_array_add(own, application->object);
		}
	}
	return own;
}
