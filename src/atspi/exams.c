/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/exams.h"

#include <string.h>
#include <unistd.h>

#include "atspi/pool.h"
#include "atspi/where.h"
#include "discovery/discovery.h"

/* A bus that is there but silent must not eat the whole exam. */
#define BUS_MS 1000

#define DBUS "org.freedesktop.DBus"
#define DBUS_PATH "/org/freedesktop/DBus"
#define A11Y "org.a11y.Bus"

/* Where distributions put the program that brings up the accessibility bus. */
static const char *const launchers[] = {
	"/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher",
	"/usr/lib/at-spi-bus-launcher",
};

/* An address as people need it: the guid only tells one daemon from the next at the same place. */
static char *spoken(const char *address)
{
	const char *guid = strstr(address, ",guid=");
	return guid != NULL ? g_strndup(address, (gsize)(guid - address)) : g_strdup(address);
}

/* --- Session bus ------------------------------------------------------------------------------ */

/* The first session bus that answers, connected; NULL if none does. */
static struct link *open_session(const struct discovery *discovery, const struct clue **which,
	struct deadline deadline)
{
	struct link *link = NULL;
	for (guint i = 0; i < discovery->buses->len && link == NULL; i++) {
		*which = &g_array_index(discovery->buses, struct clue, i);
		link = where_connect((*which)->value, deadline_within(deadline, BUS_MS), NULL);
	}
	return link;
}

/* No session bus answers. */
static void miss_session(struct atspi *atspi, const struct clue *named, struct deadline deadline,
	struct check *check)
{
	g_autofree char *run = g_find_program_in_path("dbus-run-session"), *self = health_command("doctor");
	g_autofree char *address = NULL, *origin = NULL;
	/* The display may know what a session bus would be asked for. */
	struct link *link = where_running(atspi->root_address, atspi->data, &address, &origin, deadline);
	enum health health = link != NULL ? HEALTH_NOTE : HEALTH_FAIL;
	link_close(link);
	if (named != NULL) {
		check_set(check, health, "nobody answers at \"%s\"", named->value);
		check_origin(check, named->origin);
	} else {
		check_set(check, health, "none: DBUS_SESSION_BUS_ADDRESS is not set, and no session has one");
	}
	if (run == NULL) {
		check_advise(check, health_install("dbus-daemon at-spi2-core"), "Install one");
	} else {
		check_advise(check, g_strdup_printf("dbus-run-session -- %s", self),
			"Applications and driver have to be on one bus; start both inside of "
			"dbus-run-session, as this does with the doctor");
	}
}

void exam_session_bus(struct atspi *atspi, const struct patient *patient, struct check *check)
{
	struct discovery *discovery = discovery_new(true);
	const struct clue *bus = NULL;
	struct link *link = open_session(discovery, &bus, patient->deadline);
	const struct clue *named = discovery->buses->len > 0
		? &g_array_index(discovery->buses, struct clue, 0) : NULL;
	if (link == NULL) {
		miss_session(atspi, named, patient->deadline, check);
	} else {
		g_autofree char *address = spoken(bus->value);
		if (named == NULL || bus == named) {
			check_set(check, HEALTH_OK, "%s", address);
		} else {
			check_set(check, HEALTH_NOTE,
				"\"%s\"; nobody answers at \"%s\", which %s has", address,
				named->value, named->origin);
		}
		check_origin(check, bus->origin);
		link_close(link);
	}
	discovery_free(discovery);
}

/* --- Accessibility bus ------------------------------------------------------------------------ */

/* What there is besides a registry that lives. */
struct remains {
	char *address, *origin;      /* of a bus without a registry; NULL: there is none */
	bool startable;              /* a session bus can start one */
	bool session;                /* there is a session bus */
};

static void remains_clear(struct remains *remains)
{
	g_free(remains->address);
	g_free(remains->origin);
}

/* Takes the address over. */
static void consider(struct remains *remains, char *address, const char *origin, struct deadline deadline)
{
	struct link *link = address != NULL && remains->address == NULL
		? where_connect(address, deadline_within(deadline, BUS_MS), NULL) : NULL;
	if (link != NULL) {
		remains->address = g_steal_pointer(&address);
		remains->origin = g_strdup(origin);
		link_close(link);
	}
	g_free(address);
}

static void on_names(struct message *reply, void *data)
{
	bool *found = data;
	const char *name;
	if (message_is_error(reply) || message_enter(reply, 'a', "s") <= 0) {
		return;
	}
	while (message_read(reply, "s", &name) > 0) {
		*found = *found || strcmp(name, A11Y) == 0;
	}
}

static void look_at_session(struct remains *remains, const struct clue *bus, struct deadline deadline)
{
	struct deadline patience = deadline_within(deadline, BUS_MS);
	struct link *link = where_connect(bus->value, patience, NULL);
	if (link == NULL) {
		return;
	}
	bool startable = false;
	remains->session = true;
	link_send(link, DBUS, DBUS_PATH, DBUS, "ListActivatableNames", on_names, &startable, NULL);
	remains->startable = (link_pump(link, patience, NULL) && startable) || remains->startable;
	link_close(link);
	consider(remains, where_ask(bus->value, false, patience), bus->origin, deadline);
}

static struct remains find_remains(struct atspi *atspi, struct deadline deadline)
{
	struct remains remains = { 0 };
	struct discovery *discovery = discovery_new(true);
	consider(&remains, g_strdup(g_getenv("AT_SPI_BUS_ADDRESS")), "AT_SPI_BUS_ADDRESS", deadline);
	for (guint i = 0; i < discovery->buses->len; i++) {
		look_at_session(&remains, &g_array_index(discovery->buses, struct clue, i), deadline);
	}
	if (atspi->root_address != NULL) {
		consider(&remains, atspi->root_address(atspi->data, deadline),
			"the AT_SPI_BUS property of the display", deadline);
	}
	discovery_free(discovery);
	return remains;
}

static void advise_start(struct check *check)
{
	for (gsize i = 0; i < G_N_ELEMENTS(launchers); i++) {
		if (access(launchers[i], X_OK) == 0) {
			check_advise(check, g_strdup_printf("%s --launch-immediately &", launchers[i]),
				"The session bus cannot start it by itself; start it");
			return;
		}
	}
	check_advise(check, health_install("at-spi2-core"), "Install it");
}

static void tell_bus(struct check *check, const char *address, const char *origin)
{
	g_autofree char *text = spoken(address);
	/* Of others it is the session bus that was asked. */
	bool itself = strstr(origin, "AT_SPI") != NULL;
	g_autofree char *from = g_strconcat(itself ? "" : "the session bus of ", origin, NULL);
	check_set(check, HEALTH_OK, "%s", text);
	check_origin(check, from);
}

void exam_accessibility_bus(struct atspi *atspi, const struct patient *patient, struct check *check)
{
	g_autofree char *address = NULL, *origin = NULL;
	struct link *link = where_running(atspi->root_address, atspi->data, &address, &origin, patient->deadline);
	if (link != NULL) {
		tell_bus(check, address, origin);
		link_close(link);
		return;
	}
	struct remains remains = find_remains(atspi, patient->deadline);
	if (remains.address != NULL) {
		tell_bus(check, remains.address, remains.origin);
	} else if (remains.startable) {
		check_set(check, HEALTH_NOTE, "not started yet; it starts when it is first needed");
		check_advise(check, health_command("doctor --repair"), "Start it now");
	} else {
		check_set(check, HEALTH_FAIL, "none, so no element of any application can be seen or pressed");
		if (remains.session) {
			advise_start(check);
		} else {
			check_advise(check, NULL, "It belongs to a session bus; that comes first");
		}
	}
	remains_clear(&remains);
}

void exam_registry(struct atspi *atspi, const struct patient *patient, struct check *check)
{
	g_autofree char *address = NULL, *origin = NULL;
	struct link *link = where_running(atspi->root_address, atspi->data, &address, &origin, patient->deadline);
	if (link == NULL) {
		struct remains remains = find_remains(atspi, patient->deadline);
		if (remains.address != NULL) {
			check_set(check, HEALTH_NOTE, "asleep; it wakes when it is first needed");
			check_advise(check, health_command("doctor --repair"), "Wake it now");
		} else {
			check_set(check, HEALTH_SKIPPED, "not examined: it comes with the accessibility bus");
		}
		remains_clear(&remains);
		return;
	}
	int count = where_count(link, patient->deadline);
	check_set(check, HEALTH_OK, "answers; %d application%s there", count, count == 1 ? " is" : "s are");
	link_close(link);
}

bool exam_wake(struct atspi *atspi, const struct patient *patient, struct check *check)
{
	g_autofree char *address = NULL;
	struct link *link = where_find(atspi->root_address, atspi->data, &address, NULL, patient->deadline, NULL);
	if (link == NULL) {
		struct remains remains = find_remains(atspi, patient->deadline);
		link = remains.address != NULL ? where_connect(remains.address, patient->deadline, NULL) : NULL;
		remains_clear(&remains);
	}
	if (link == NULL) {
		return false;
	}
	/* Whoever asks for the registry is the reason to start it. */
	link_get(link, REGISTRY, DESKTOP_ROOT, ACCESSIBLE, "ChildCount", link_ignore, NULL);
	bool awake = link_pump(link, patient->deadline, NULL) && where_count(link, patient->deadline) >= 0;
	link_close(link);
	if (awake) {
		check->repaired = g_strdup("woken");
	}
	return awake;
}

/* --- Events and toolkits ---------------------------------------------------------------------- */

struct listener {
	const char *name;    /* ours on the bus */
	bool found;
};

static void on_listeners(struct message *reply, void *data)
{
	struct listener *listener = data;
	const char *who, *what;
	if (message_is_error(reply)
		|| message_enter(reply, 'a', "(ss)") <= 0) {
		return;
	}
	while (message_read(reply, "(ss)", &who, &what) > 0) {
		listener->found = listener->found || g_strcmp0(who, listener->name) == 0;
	}
}

void exam_accessibility_events(struct atspi *atspi, const struct patient *patient, struct check *check)
{
	g_autofree char *address = NULL, *origin = NULL;
	g_autoptr(GError) error = NULL;
	struct listener listener = { 0 };
	struct link *link = where_running(atspi->root_address, atspi->data, &address, &origin, patient->deadline);
	if (link == NULL) {
		check_set(check, HEALTH_SKIPPED, "not examined: the registry sleeps");
		return;
	}
	/* An event that hardly ever happens: applications shall not emit more because of us. */
	listener.name = wire_name(link->bus);
	link_send(link, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "RegisterEvent", link_ignore, NULL, "sass",
		"window:desktop-create", 0, "");
	link_send(link, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "GetRegisteredEvents", on_listeners,
		&listener, NULL);
	link_pump(link, patient->deadline, &error);
	if (listener.found) {
		check_set(check, HEALTH_OK, "the registry took a listener of ours");
	} else {
		check_set(check, HEALTH_FAIL, "the registry takes no listener%s%s", error != NULL ? ": " : "",
			error != NULL ? error->message : "");
		check_advise(check, g_strdup("pkill -u $(id -u) at-spi2-registr"),
			"It hangs; it is started anew when it has ended");
	}
	link_close(link);
}

static void on_enabled(struct message *reply, void *data)
{
	int enabled;
	if (!message_is_error(reply)
		&& message_read(reply, "v", "b", &enabled) > 0) {
		*(int *)data = enabled;
	}
}

void exam_toolkits(struct atspi *atspi, const struct patient *patient, struct check *check)
{
	struct discovery *discovery = discovery_new(true);
	const struct clue *bus = NULL;
	int enabled = -1;
	(void)atspi;
	struct link *link = open_session(discovery, &bus, patient->deadline);
	/* Asking who is not there would start it. */
	g_autofree char *running = link != NULL ? where_ask(bus->value, false, patient->deadline) : NULL;
	if (running != NULL) {
		link_get(link, A11Y, "/org/a11y/bus", "org.a11y.Status", "IsEnabled", on_enabled, &enabled);
		link_pump(link, patient->deadline, NULL);
	}
	link_close(link);
	if (enabled == 0) {
		check_set(check, HEALTH_NOTE, "not told to be accessible: Qt and some others show no elements");
		/* The shell that this is pasted into has what the environment has, and no more. */
		g_autofree char *address = g_shell_quote(bus->value);
		bool known = g_str_equal(bus->origin, "the environment");
		check_advise(check, g_strdup_printf("%s%s%sbusctl --user set-property org.a11y.Bus /org/a11y/bus "
			"org.a11y.Status IsEnabled b true", known ? "" : "DBUS_SESSION_BUS_ADDRESS=",
			known ? "" : address, known ? "" : " "), "Tell applications, also those that run");
	} else if (enabled < 0) {
		check_set(check, HEALTH_SKIPPED, "not examined: the session bus does not tell");
	} else {
		check_set(check, HEALTH_OK, "told to be accessible");
	}
	discovery_free(discovery);
}
