/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "cli.h"
#include "desktop/bus.h"
#include "desktop/buses.h"
#include "desktop/child.h"

/* Where distributions put it; it is nobody's command, so not in PATH. */
static const char *const launchers[] = {
	"/usr/libexec/at-spi-bus-launcher",
	"/usr/lib/at-spi2-core/at-spi-bus-launcher",
	"/usr/lib/at-spi2/at-spi-bus-launcher",
	"/usr/lib/at-spi-bus-launcher",
	"/usr/libexec/at-spi2/at-spi-bus-launcher",
	"/usr/local/libexec/at-spi-bus-launcher",
};

bool buses_choose(struct desk *desk, GError **error)
{
	g_autofree char *daemon = g_find_program_in_path("dbus-daemon");

	if (daemon == NULL) {
		g_set_error(error, DESK_ERROR, EXIT_UNAVAILABLE,
		            "dbus-daemon is not installed: apt-get install dbus-daemon");
		return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(launchers); i++) {
		if (access(launchers[i], X_OK) == 0) {
			desk->launcher_program = g_strdup(launchers[i]);
			return true;
		}
	}
	g_set_error(error, DESK_ERROR, EXIT_UNAVAILABLE,
	            "at-spi-bus-launcher is not installed: apt-get install at-spi2-core");
	return false;
}

static int take_owner(sd_bus_message *message, void *data, sd_bus_error *unused)
{
	const char *name, *before, *after;
	bool *owned = data;

	(void)unused;
	if (sd_bus_message_read(message, "sss", &name, &before, &after) >= 0 && after[0] != '\0') {
		*owned = true;
	}
	return 0;
}

/* Not a call to the name itself: that would activate a second launcher beside ours. */
static bool await_launcher(struct desk *desk, sd_bus *bus, GError **error)
{
	static const char what[] = "waiting for org.a11y.Bus";
	g_autoptr(sd_bus_message) call = NULL, reply = NULL;
	sd_bus_slot *slot = NULL;
	bool owned = false;
	int yes = 0;
	int n;

	if ((n = sd_bus_add_match_async(bus, &slot, "type='signal',sender='org.freedesktop.DBus',"
	                                "member='NameOwnerChanged',arg0='org.a11y.Bus'",
	                                take_owner, NULL, &owned)) < 0 ||
	    (n = sd_bus_message_new_method_call(bus, &call, "org.freedesktop.DBus",
	                                        "/org/freedesktop/DBus", "org.freedesktop.DBus",
	                                        "NameHasOwner")) < 0 ||
	    (n = sd_bus_message_append(call, "s", "org.a11y.Bus")) < 0) {
		sd_bus_slot_unref(slot);
		return bus_fail(error, what, n);
	}
	reply = bus_ask(desk, bus, call, what, error);
	bool ok = reply != NULL;
	if (ok && (sd_bus_message_read(reply, "b", &yes) < 0 || !yes)) {
		ok = bus_drive(desk, bus, &owned, g_get_monotonic_time() + BUS_LIMIT, what, error);
	}
	sd_bus_slot_unref(slot);
	return ok;
}

/* The daemon writes its address when it listens. */
static bool start_session_bus(struct desk *desk, GError **error)
{
	g_autofree char *path = g_build_filename(desk->directory, "bus", NULL);
	g_autofree char *escaped = g_dbus_address_escape_value(path);
	g_autofree char *listen = g_strconcat("--address=unix:path=", escaped, NULL);
	g_autofree char *print = NULL;
	char address[512];
	int pipe_fds[2];

	if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
		return bus_fail(error, "no pipe", errno);
	}
	print = g_strdup_printf("--print-address=%d", pipe_fds[1]);
	const char *argv[] = { "dbus-daemon", "--session", "--nofork", "--nopidfile",
	                       "--nosyslog", listen, print, NULL };
	pid_t pid = child_start(desk, "dbus-daemon", argv, pipe_fds[1], error);
	desk->bus = MAX(pid, 0);
	close(pipe_fds[1]);

	enum wake wake = WAKE_CHILD;
	while (pid > 0 && wake == WAKE_CHILD && !watch_ended(&desk->watch, pid, NULL)) {
		wake = watch_wait(&desk->watch, pipe_fds[0], POLLIN,
		                  g_get_monotonic_time() + BUS_LIMIT);
	}
	ssize_t length = wake == WAKE_READY ? read(pipe_fds[0], address, sizeof address - 1) : 0;
	close(pipe_fds[0]);
	if (pid < 0) {
		return false;
	}
	if (length <= 0) {
		int status = -1;

		watch_ended(&desk->watch, pid, &status);
		child_set_error(desk, error, "dbus-daemon", status, "the session bus did not start");
		return false;
	}
	address[length] = '\0';
	g_setenv("DBUS_SESSION_BUS_ADDRESS", g_strchomp(address), TRUE);
	desk_say(desk, "session bus is ready, %s", path);
	return true;
}

bool buses_start(struct desk *desk, GError **error)
{
	const char *argv[] = { desk->launcher_program, "--launch-immediately", NULL };

	if (!start_session_bus(desk, error)) {
		return false;
	}
	pid_t pid = child_start(desk, "at-spi-bus-launcher", argv, -1, error);
	desk->launcher = MAX(pid, 0);
	if (pid < 0) {
		return false;
	}
	g_autoptr(sd_bus) bus = bus_connect(g_getenv("DBUS_SESSION_BUS_ADDRESS"), error);
	return bus != NULL && await_launcher(desk, bus, error);
}

/* Enables accessibility for toolkits that ask, and returns the address of its bus. */
static char *enable(struct desk *desk, GError **error)
{
	g_autoptr(sd_bus) bus = bus_connect(g_getenv("DBUS_SESSION_BUS_ADDRESS"), error);
	const char *address;

	if (bus == NULL) {
		return NULL;
	}
	g_autoptr(sd_bus_message) set = bus_method(bus, "org.a11y.Bus", "/org/a11y/bus",
	                                           "org.freedesktop.DBus.Properties", "Set");
	g_autoptr(sd_bus_message) get = bus_method(bus, "org.a11y.Bus", "/org/a11y/bus",
	                                           "org.a11y.Bus", "GetAddress");
	if (set == NULL || get == NULL ||
	    sd_bus_message_append(set, "ssv", "org.a11y.Status", "IsEnabled", "b", 1) < 0) {
		bus_fail(error, "org.a11y.Bus", ENOMEM);
		return NULL;
	}
	g_autoptr(sd_bus_message) done = bus_ask(desk, bus, set, "enabling accessibility", error);
	if (done == NULL) {
		return NULL;
	}
	g_autoptr(sd_bus_message) reply = bus_ask(desk, bus, get, "the accessibility bus", error);
	if (reply == NULL) {
		return NULL;
	}
	if (sd_bus_message_read(reply, "s", &address) < 0 || address[0] == '\0') {
		int status = -1;

		watch_ended(&desk->watch, desk->launcher, &status);
		child_set_error(desk, error, "at-spi-bus-launcher", status,
		                "there is no accessibility bus");
		return NULL;
	}
	return g_strdup(address);
}

/*
 * Any call starts the registry. Qt does not call before it looks whether somebody is there, so
 * what starts earlier than the registry never appears in it.
 */
static bool wake_registry(struct desk *desk, const char *address, GError **error)
{
	static const char name[] = "org.a11y.atspi.Registry"; /* of bus and interface */
	g_autoptr(sd_bus) bus = bus_connect(address, error);

	if (bus == NULL) {
		return false;
	}
	g_autoptr(sd_bus_message) call = bus_method(bus, name, "/org/a11y/atspi/registry", name,
	                                            "GetRegisteredEvents");
	if (call == NULL) {
		return bus_fail(error, name, ENOMEM);
	}
	g_autoptr(sd_bus_message) reply = bus_ask(desk, bus, call, "the accessibility registry",
	                                          error);
	return reply != NULL;
}

/* Qt run as root asks the root window only. The launcher sets it, but not in every setup. */
static void publish(xcb_connection_t *display, const char *address)
{
	static const char name[] = "AT_SPI_BUS";
	xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(display)).data->root;
	xcb_intern_atom_reply_t *atom = xcb_intern_atom_reply(display,
		xcb_intern_atom(display, 0, strlen(name), name), NULL);

	if (atom == NULL) {
		return;
	}
	xcb_get_property_reply_t *old = xcb_get_property_reply(display,
		xcb_get_property(display, 0, root, atom->atom, XCB_ATOM_STRING, 0, 1), NULL);
	if (old == NULL || xcb_get_property_value_length(old) == 0) {
		xcb_change_property(display, XCB_PROP_MODE_REPLACE, root, atom->atom,
		                    XCB_ATOM_STRING, 8, (uint32_t)strlen(address), address);
		xcb_flush(display);
	}
	free(old);
	free(atom);
}

bool buses_wake(struct desk *desk, GError **error)
{
	g_autofree char *address = enable(desk, error);

	if (address == NULL || !wake_registry(desk, address, error)) {
		return false;
	}
	publish(desk->display, address);
	desk_say(desk, "accessibility is ready, %s", address);
	return true;
}
