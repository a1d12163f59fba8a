/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <stdlib.h>

#include "cli.h"
#include "desktop/bus.h"
#include "desktop/child.h"

bool bus_fail(GError **error, const char *what, int reason)
{
	g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "%s: %s", what, g_strerror(abs(reason)));
	return false;
}

/* Without one of them no answer will come: say so now, not at the deadline. */
static bool is_served(struct desk *desk, const char *what, GError **error)
{
	int status;

	if (desk->bus > 0 && watch_ended(&desk->watch, desk->bus, &status)) {
		child_set_error(desk, error, "dbus-daemon", status, "%s", what);
		return false;
	}
	if (desk->launcher > 0 && watch_ended(&desk->watch, desk->launcher, &status)) {
		child_set_error(desk, error, "at-spi-bus-launcher", status, "%s", what);
		return false;
	}
	return true;
}

bool bus_drive(struct desk *desk, sd_bus *bus, const bool *done, int64_t deadline,
               const char *what, GError **error)
{
	while (!*done) {
		int n = sd_bus_process(bus, NULL);

		if (n < 0) {
			return bus_fail(error, what, n);
		}
		if (n > 0) {
			continue;
		}
		if (!is_served(desk, what, error)) {
			return false;
		}
		int events = sd_bus_get_events(bus);
		enum wake wake = watch_wait(&desk->watch, sd_bus_get_fd(bus),
		                            (short)(events < 0 ? POLLIN : events), deadline);
		if (wake == WAKE_TIMEOUT) {
			return bus_fail(error, what, ETIMEDOUT);
		}
		if (wake == WAKE_STOP) {
			return bus_fail(error, what, ECANCELED);
		}
	}
	return true;
}

struct pending {
	sd_bus_message *reply;
	bool done;
};

static int take_reply(sd_bus_message *message, void *data, sd_bus_error *unused)
{
	struct pending *pending = data;

	(void)unused;
	pending->reply = sd_bus_message_ref(message);
	pending->done = true;
	return 1;
}

sd_bus_message *bus_ask(struct desk *desk, sd_bus *bus, sd_bus_message *call, const char *what,
                        GError **error)
{
	g_autoptr(sd_bus_message) reply = NULL;
	sd_bus_slot *slot = NULL;
	struct pending pending = { NULL, false };

	int n = sd_bus_call_async(bus, &slot, call, take_reply, &pending, BUS_LIMIT);
	if (n < 0) {
		bus_fail(error, what, n);
		return NULL;
	}
	bool answered = bus_drive(desk, bus, &pending.done, g_get_monotonic_time() + BUS_LIMIT,
	                          what, error);
	sd_bus_slot_unref(slot);
	reply = pending.reply;
	if (!answered) {
		return NULL;
	}
	const sd_bus_error *refusal = sd_bus_message_get_error(reply);
	if (refusal != NULL) {
		g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "%s: %s", what,
		            refusal->message != NULL ? refusal->message : refusal->name);
		return NULL;
	}
	return g_steal_pointer(&reply);
}

sd_bus *bus_connect(const char *address, GError **error)
{
	g_autoptr(sd_bus) bus = NULL;
	int n;

	/* Does not block: the greeting goes out with the first call. */
	if ((n = sd_bus_new(&bus)) < 0 || (n = sd_bus_set_address(bus, address)) < 0 ||
	    (n = sd_bus_set_bus_client(bus, 1)) < 0 || (n = sd_bus_start(bus)) < 0) {
		bus_fail(error, address, n);
		return NULL;
	}
	return g_steal_pointer(&bus);
}

sd_bus_message *bus_method(sd_bus *bus, const char *name, const char *path,
                           const char *interface, const char *member)
{
	sd_bus_message *call = NULL;
	int n = sd_bus_message_new_method_call(bus, &call, name, path, interface, member);

	return n < 0 ? NULL : call;
}
