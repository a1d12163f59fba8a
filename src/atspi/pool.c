/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/pool.h"

#include <string.h>
#include <systemd/sd-id128.h>

#include "atspi/atspi.h"
#include "core/error.h"

/* More would only be used by as many applications at once. */
#define IDLE_LINKS 4
/* A session bus that is there but silent must not eat the whole call. */
#define DISCOVERY_MS 2000

struct atspi *atspi_new(char *(*root_address)(void *data, struct deadline deadline),
	GPtrArray *(*windows)(void *data, struct deadline deadline, GError **error), void *data,
	struct past *past)
{
	struct atspi *atspi = g_new0(struct atspi, 1);
	g_mutex_init(&atspi->mutex);
	g_queue_init(&atspi->idle);
	atspi->pids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	atspi->asleep = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	atspi->root_address = root_address;
	atspi->windows = windows;
	atspi->data = data;
	atspi->ear = ear_new(past);
	return atspi;
}

void atspi_destroy(struct atspi *atspi)
{
	if (atspi == NULL) {
		return;
	}
	ear_free(atspi->ear);
	g_queue_clear_full(&atspi->idle, (GDestroyNotify)link_close);
	link_close(atspi->listener);
	g_hash_table_unref(atspi->pids);
	g_hash_table_unref(atspi->asleep);
	g_mutex_clear(&atspi->mutex);
	g_free(atspi->address);
	g_free(atspi);
}

void atspi_rest(struct atspi *atspi)
{
	ear_rest(atspi->ear);
}

void pool_attend(struct atspi *atspi, const char *provider)
{
	g_mutex_lock(&atspi->mutex);
	g_autofree char *address = g_strdup(atspi->address);
	g_mutex_unlock(&atspi->mutex);
	if (address != NULL) {
		ear_attend(atspi->ear, address, provider);
	}
}

static void on_address(sd_bus_message *reply, void *data)
{
	char **address = data;
	const char *text;
	if (sd_bus_message_is_method_error(reply, NULL) <= 0
		&& sd_bus_message_read(reply, "s", &text) > 0 && text[0] != '\0') {
		*address = g_strdup(text);
	}
}

/* Asks the session bus; NULL without an error if it does not know. */
static char *ask_session_bus(struct deadline deadline)
{
	g_autofree char *session = g_strdup(g_getenv("DBUS_SESSION_BUS_ADDRESS"));
	char *address = NULL;
	if (session == NULL) {
		g_autofree char *path = g_build_filename(g_get_user_runtime_dir(), "bus", NULL);
		if (g_file_test(path, G_FILE_TEST_EXISTS)) {
			session = g_strdup_printf("unix:path=%s", path);
		}
	}
	struct link *link = session != NULL ? link_open(session, NULL) : NULL;
	if (link != NULL) {
		link_send(link, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", on_address,
			&address, NULL);
		link_pump(link, deadline_within(deadline, DISCOVERY_MS), NULL);
		link_close(link);
	}
	return address;
}

static char *find_address(struct atspi *atspi, struct deadline deadline, GError **error)
{
	char *address = g_strdup(g_getenv("AT_SPI_BUS_ADDRESS"));
	if (address == NULL) {
		address = ask_session_bus(deadline);
	}
	if (address == NULL && atspi->root_address != NULL) {
		address = atspi->root_address(atspi->data, deadline);
	}
	if (address == NULL && !deadline_over(deadline, "the session bus", error)) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY,
			"Neither the session bus nor the display knows an accessibility bus");
	}
	return address;
}

static void ignore(sd_bus_message *reply, void *data)
{
	(void)reply;
	(void)data;
}

/* A connection that the bus daemon has answered on. */
static struct link *connect_to(const char *address, struct deadline deadline, GError **error)
{
	struct link *link = link_open(address, error);
	if (link == NULL) {
		return NULL;
	}
	link_send(link, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer",
		"Ping", ignore, NULL, NULL);
	GError *problem = NULL;
	if (!link_pump(link, deadline, &problem)) {
		if (problem->code == ERROR_APP_UNRESPONSIVE) {
			/* It was the bus that did not answer, no application was asked. */
			problem->code = deadline_left(deadline) > 0 ? ERROR_NO_ACCESSIBILITY
				: ERROR_DEADLINE_EXCEEDED;
		}
		g_propagate_prefixed_error(error, problem, "Accessibility bus %s: ", address);
		link_close(link);
		return NULL;
	}
	sd_id128_t id;
	if (sd_bus_get_bus_id(link->bus, &id) >= 0) {
		link->bus_id = g_str_hash(SD_ID128_TO_STRING(id));
	}
	return link;
}

struct link *pool_borrow(struct atspi *atspi, struct deadline deadline, GError **error)
{
	g_mutex_lock(&atspi->mutex);
	struct link *link = g_queue_pop_head(&atspi->idle);
	g_autofree char *address = g_strdup(atspi->address);
	g_mutex_unlock(&atspi->mutex);

	/* An idle connection may have died with its bus; processing it shows that. */
	while (link != NULL && (sd_bus_process(link->bus, NULL) < 0 || sd_bus_is_open(link->bus) <= 0)) {
		link_close(link);
		g_mutex_lock(&atspi->mutex);
		link = g_queue_pop_head(&atspi->idle);
		g_clear_pointer(&atspi->address, g_free);
		g_mutex_unlock(&atspi->mutex);
		g_clear_pointer(&address, g_free);
	}
	if (link != NULL) {
		return link;
	}
	if (address != NULL) {
		link = connect_to(address, deadline, NULL);
	}
	if (link == NULL) {
		/* First use, or the bus was restarted at another address. */
		g_free(address);
		address = find_address(atspi, deadline, error);
		link = address != NULL ? connect_to(address, deadline, error) : NULL;
	}
	g_mutex_lock(&atspi->mutex);
	if (link == NULL || link->bus_id != atspi->bus_id) {
		/* Another bus: its names mean other processes. */
		g_hash_table_remove_all(atspi->pids);
		g_hash_table_remove_all(atspi->asleep);
		g_clear_pointer(&atspi->listener, link_close);
		atspi->bus_id = link != NULL ? link->bus_id : 0;
	}
	g_free(atspi->address);
	atspi->address = link != NULL ? g_steal_pointer(&address) : NULL;
	g_mutex_unlock(&atspi->mutex);
	return link;
}

void pool_listen(struct atspi *atspi)
{
	g_mutex_lock(&atspi->mutex);
	if (atspi->listener == NULL && atspi->address != NULL) {
		atspi->listener = link_open(atspi->address, NULL);
		/* An event that hardly ever happens: applications shall not emit more because of us. */
		if (atspi->listener != NULL) {
			link_send(atspi->listener, REGISTRY, "/org/a11y/atspi/registry", REGISTRY,
				"RegisterEvent", ignore, NULL, "sass", "window:desktop-create", 0, "");
		}
	}
	/* Whatever has come is taken; what has not, the next time. */
	for (int i = 0; i < 100 && atspi->listener != NULL; i++) {
		if (sd_bus_process(atspi->listener->bus, NULL) <= 0) {
			break;
		}
	}
	g_mutex_unlock(&atspi->mutex);
}

void pool_return(struct atspi *atspi, struct link *link)
{
	if (link == NULL) {
		return;
	}
	g_mutex_lock(&atspi->mutex);
	if (!link->broken && link->pending == 0 && atspi->idle.length < IDLE_LINKS) {
		g_queue_push_head(&atspi->idle, g_steal_pointer(&link));
	}
	g_mutex_unlock(&atspi->mutex);
	link_close(link);
}
