/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/where.h"

#include "core/error.h"
#include "discovery/discovery.h"

/* A bus that is there but silent must not eat the whole call. */
#define CANDIDATE_MS 1000

#define DBUS "org.freedesktop.DBus"

static void on_string(struct message *reply, void *data)
{
	char **text = data;
	const char *got;
	if (!message_is_error(reply) && message_read(reply, "s", &got) > 0
		&& got[0] != '\0') {
		g_free(*text);
		*text = g_strdup(got);
	}
}

static void on_bool(struct message *reply, void *data)
{
	int got;
	if (!message_is_error(reply) && message_read(reply, "b", &got) > 0) {
		*(bool *)data = got != 0;
	}
}

static void on_count(struct message *reply, void *data)
{
	gint32 got;
	if (!message_is_error(reply)
		&& message_read(reply, "v", "i", &got) > 0) {
		*(gint32 *)data = got;
	}
}

struct link *where_connect(const char *address, struct deadline deadline, GError **error)
{
	struct link *link = link_open(address, error);
	if (link == NULL) {
		return NULL;
	}
	link_send(link, DBUS, "/org/freedesktop/DBus", DBUS ".Peer", "Ping", link_ignore, NULL, NULL);
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
	link->bus_id = g_str_hash(wire_bus_id(link->bus));
	return link;
}

char *where_ask(const char *session, bool start, struct deadline deadline)
{
	char *address = NULL;
	bool owned = start;
	struct link *link = link_open(session, NULL);
	if (link == NULL) {
		return NULL;
	}
	if (!start) {
		link_send(link, DBUS, "/org/freedesktop/DBus", DBUS, "NameHasOwner", on_bool, &owned, "s",
			"org.a11y.Bus");
		owned = link_pump(link, deadline, NULL) && owned;
	}
	if (owned) {
		link_send(link, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", on_string, &address,
			NULL);
		link_pump(link, deadline, NULL);
	}
	link_close(link);
	return address;
}

int where_count(struct link *link, struct deadline deadline)
{
	bool owned = false;
	gint32 count = -1;
	link_send(link, DBUS, "/org/freedesktop/DBus", DBUS, "NameHasOwner", on_bool, &owned, "s",
		"org.a11y.atspi.Registry");
	if (!link_pump(link, deadline, NULL) || !owned) {
		return -1;
	}
	link_send(link, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root",
		DBUS ".Properties", "Get", on_count, &count, "ss", "org.a11y.atspi.Accessible", "ChildCount");
	return link_pump(link, deadline, NULL) ? count : -1;
}

/* The best so far. */
struct choice {
	struct link *link;
	char *address, *origin;
	int applications;
};

/* Tries an accessibility bus (taken over, may be NULL); true if there is no need to look further. */
static bool consider(struct choice *choice, char *address, const char *origin, struct deadline deadline)
{
	struct deadline patience = deadline_within(deadline, CANDIDATE_MS);
	struct link *link = address != NULL && g_strcmp0(address, choice->address) != 0
		? where_connect(address, patience, NULL) : NULL;
	int applications = link != NULL ? where_count(link, patience) : -1;
	if (applications > choice->applications) {
		g_clear_pointer(&choice->link, link_close);
		g_free(choice->address);
		g_free(choice->origin);
		choice->link = g_steal_pointer(&link);
		choice->address = g_steal_pointer(&address);
		choice->origin = g_strdup(origin);
		choice->applications = applications;
	}
	if (link != NULL) {
		link_close(link);
	}
	g_free(address);
	return choice->applications > 0;
}

/* Everything that runs already, in the order of trust. */
static void look_around(struct choice *choice, const struct discovery *discovery,
	where_root_address root_address, void *data, struct deadline deadline)
{
	bool enough = consider(choice, g_strdup(g_getenv("AT_SPI_BUS_ADDRESS")), "AT_SPI_BUS_ADDRESS",
		deadline);
	bool asked = false;
	for (guint i = 0; i <= discovery->buses->len && !enough; i++) {
		const struct clue *bus = i < discovery->buses->len
			? &g_array_index(discovery->buses, struct clue, i) : NULL;
		/* The display's own word comes before the environment of processes. */
		if (!asked && (bus == NULL || g_str_has_suffix(bus->origin, ")"))) {
			asked = true;
			enough = root_address != NULL && consider(choice, root_address(data, deadline),
				"the AT_SPI_BUS property of the display", deadline);
		}
		if (!enough && bus != NULL) {
			enough = consider(choice, where_ask(bus->value, false,
				deadline_within(deadline, CANDIDATE_MS)), bus->origin, deadline);
		}
	}
}

/* What runs already, if anything. `*discovery` is what was looked at last, the caller's. */
static struct choice find_running(where_root_address root_address, void *data,
	struct discovery **discovery, struct deadline deadline)
{
	struct choice choice = { .applications = -1 };
	*discovery = discovery_new(false);
	look_around(&choice, *discovery, root_address, data, deadline);
	if (choice.link == NULL) {
		/* Not where it should be: what do the programs of the session know? */
		discovery_free(*discovery);
		*discovery = discovery_new(true);
		look_around(&choice, *discovery, root_address, data, deadline);
	}
	return choice;
}

struct link *where_running(where_root_address root_address, void *data, char **address, char **origin,
	struct deadline deadline)
{
	struct discovery *discovery;
	struct choice choice = find_running(root_address, data, &discovery, deadline);
	discovery_free(discovery);
	*address = choice.address;
	*origin = choice.origin;
	return choice.link;
}

struct link *where_find(where_root_address root_address, void *data, char **address, char **origin,
	struct deadline deadline, GError **error)
{
	struct discovery *discovery;
	struct choice choice = find_running(root_address, data, &discovery, deadline);
	/* Nothing runs: a session bus can start what is missing. */
	for (guint i = 0; i < discovery->buses->len && choice.link == NULL; i++) {
		const struct clue *bus = &g_array_index(discovery->buses, struct clue, i);
		char *started = where_ask(bus->value, true, deadline_within(deadline, 2 * CANDIDATE_MS));
		choice.link = started != NULL ? where_connect(started, deadline, NULL) : NULL;
		choice.address = choice.link != NULL ? g_strdup(started) : NULL;
		choice.origin = choice.link != NULL ? g_strdup(bus->origin) : NULL;
		g_free(started);
	}
	if (choice.link == NULL && !deadline_over(deadline, "the session bus", error)) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY,
			"Neither the session bus nor the display knows an accessibility bus");
	}
	discovery_free(discovery);
	*address = choice.address;
	if (origin != NULL) {
		*origin = choice.origin;
	} else {
		g_free(choice.origin);
	}
	return choice.link;
}
