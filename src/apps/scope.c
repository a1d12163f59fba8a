/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/scope.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-login.h>

/* A manager that is not stuck takes a few milliseconds. */
#define PATIENCE_MS 1000
/* A unit's name has 255 bytes. */
#define MOST_NAME 160

#define SYSTEMD "org.freedesktop.systemd1"
#define OBJECT "/org/freedesktop/systemd1"
#define MANAGER SYSTEMD ".Manager"

/* One scope that is being made. */
struct making {
	const char *name;
	bool over;
	char *problem;           /* once over; NULL: it is there */
};

/* The service we run in, as in "cua-driver.service"; NULL: in none. */
static char *find_service(void)
{
	char *unit = NULL;
	/* Another kind of unit goes on when the first of its processes ends. */
	if (sd_pid_get_user_unit(0, &unit) < 0 || !g_str_has_suffix(unit, ".service")) {
		g_clear_pointer(&unit, free);
	}
	char *name = g_strdup(unit);
	free(unit);
	return name;
}

static char *name_scope(const char *entry, pid_t pid)
{
	g_autofree char *base = g_path_get_basename(entry);
	GString *name = g_string_new("app-cua\\x2ddriver-");
	if (g_str_has_suffix(base, ".desktop")) {
		base[strlen(base) - strlen(".desktop")] = '\0';
	}
	for (const char *at = base; *at != '\0' && name->len < MOST_NAME; at++) {
		if (g_ascii_isalnum(*at) || strchr(":_.", *at) != NULL) {
			g_string_append_c(name, *at);
		} else {
			g_string_append_printf(name, "\\x%02x", (guchar)*at);
		}
	}
	g_string_append_printf(name, "-%d.scope", (int)pid);
	return g_string_free(name, FALSE);
}

static void finish(struct making *making, const char *problem)
{
	if (!making->over) {
		making->over = true;
		making->problem = g_strdup(problem);
	}
}

static int on_reply(sd_bus_message *message, void *data, sd_bus_error *unused)
{
	(void)unused;
	const sd_bus_error *problem = sd_bus_message_get_error(message);
	if (problem != NULL) {
		finish(data, problem->message != NULL ? problem->message : problem->name);
	}
	return 0;
}

/* That a scope was asked for is not yet that the process is in it. */
static int on_job(sd_bus_message *message, void *data, sd_bus_error *unused)
{
	struct making *making = data;
	const char *name, *result;
	uint32_t id;
	(void)unused;
	if (sd_bus_message_read(message, "uoss", &id, NULL, &name, &result) >= 0
		&& g_str_equal(name, making->name)) {
		finish(making, g_str_equal(result, "done") ? NULL : result);
	}
	return 0;
}

/* Queues the request; 0 or a negative error number. */
static int ask(sd_bus *bus, struct making *making, pid_t pid)
{
	sd_bus_message *message = NULL;
	int result = sd_bus_match_signal(bus, NULL, NULL, OBJECT, MANAGER, "JobRemoved", on_job, making);
	if (result >= 0) {
		result = sd_bus_message_new_method_call(bus, &message, SYSTEMD, OBJECT, MANAGER,
			"StartTransientUnit");
	}
	if (result >= 0) {
		/* One that failed is forgotten, too. */
		result = sd_bus_message_append(message, "ssa(sv)a(sa(sv))", making->name, "fail", 3,
			"Description", "s", "Application launched by cua-driver",
			"CollectMode", "s", "inactive-or-failed",
			"PIDs", "au", 1, (uint32_t)pid, 0);
	}
	if (result >= 0) {
		result = sd_bus_call_async(bus, NULL, message, on_reply, making, 0);
	}
	sd_bus_message_unref(message);
	return result;
}

/* Not by the session bus, which need not be the manager's: by the socket systemctl uses. */
static int open_manager(sd_bus **bus)
{
	g_autofree char *path = g_build_filename(g_get_user_runtime_dir(), "systemd/private", NULL);
	g_autofree char *escaped = g_dbus_address_escape_value(path);
	g_autofree char *address = g_strconcat("unix:path=", escaped, NULL);
	int result = sd_bus_new(bus);
	if (result >= 0) {
		result = sd_bus_set_address(*bus, address);
	}
	return result >= 0 ? sd_bus_start(*bus) : result;
}

/* 0 when it is over, or a negative error number. */
static int drive(sd_bus *bus, const struct making *making, struct deadline deadline)
{
	int result = 0;
	while (!making->over && (result = sd_bus_process(bus, NULL)) >= 0) {
		int events = sd_bus_get_events(bus);
		if (result == 0 && (events < 0 || !deadline_poll(deadline, sd_bus_get_fd(bus), (short)events,
			"the service manager", NULL))) {
			return events < 0 ? events : -ETIMEDOUT;
		}
	}
	return making->over ? 0 : result;
}

/* NULL when the process is in the scope, else why it is not; the caller frees it. */
static char *move(const char *name, pid_t pid, struct deadline deadline)
{
	struct making making = { .name = name };
	sd_bus *bus = NULL;
	int result = open_manager(&bus);
	if (result >= 0) {
		result = ask(bus, &making, pid);
	}
	if (result >= 0) {
		result = drive(bus, &making, deadline);
	}
	sd_bus_close_unref(bus);
	return result < 0 ? g_strdup(g_strerror(-result)) : making.problem;
}

char *scope_release(const char *entry, pid_t pid, struct deadline deadline)
{
	g_autofree char *service = find_service();
	if (service == NULL) {
		return NULL;
	}
	g_autofree char *name = name_scope(entry, pid);
	g_autofree char *problem = move(name, pid, deadline_within(deadline, PATIENCE_MS));
	if (problem == NULL) {
		return NULL;
	}
	char *word = g_strdup_printf("It ends with %s: the service manager made no %s: %s", service, name,
		problem);
	g_warning("Process %d: %s", (int)pid, word);
	return word;
}
