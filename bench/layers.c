/* SPDX-License-Identifier: MIT */
/*
 * What a D-Bus layer costs its caller: the same few thousand pipelined requests to a calculator by bare
 * writes, sd-bus and GDBus. Processor time counts, which is ours alone; the time on the wall is mostly
 * the daemon's and the calculator's. See README.md.
 */
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <systemd/sd-bus.h>

#include "lab/lab.h"
#include "wire.h"

#define REQUESTS 4000
#define ROUNDS 5
#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define PROPERTIES "org.freedesktop.DBus.Properties"

struct target {
	const char *address, *name, *path;
};

static int left;

static void by_wire(const struct target *target)
{
	struct wire *wire = wire_open(target->address, true);
	struct wire_message message;
	for (int i = 0; i < REQUESTS; i++) {
		wire_call(wire, target->name, target->path, PROPERTIES, "Get", "ss", ACCESSIBLE, "Name");
	}
	for (left = REQUESTS; left > 0 && wire_next(wire, &message);) {
		struct wire_cursor cursor = wire_read(&message);
		wire_variant(&cursor);
		wire_string(&cursor);
		left -= message.reply_to != 0;
	}
	wire_close(wire);
}

static int on_sd_bus(sd_bus_message *reply, void *data, sd_bus_error *problem)
{
	const char *name;
	(void)data;
	(void)problem;
	sd_bus_message_read(reply, "v", "s", &name);
	left--;
	return 1;
}

static void by_sd_bus(const struct target *target)
{
	sd_bus *bus = NULL;
	if (sd_bus_new(&bus) < 0 || sd_bus_set_address(bus, target->address) < 0
		|| sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0) {
		lab_fail("sd-bus does not connect");
	}
	left = REQUESTS;
	for (int i = 0; i < REQUESTS; i++) {
		sd_bus_call_method_async(bus, NULL, target->name, target->path, PROPERTIES, "Get", on_sd_bus,
			NULL, "ss", ACCESSIBLE, "Name");
	}
	while (left > 0) {
		if (sd_bus_process(bus, NULL) == 0) {
			sd_bus_wait(bus, UINT64_MAX);
		}
	}
	sd_bus_close_unref(bus);
}

static void on_gdbus(GObject *object, GAsyncResult *result, gpointer data)
{
	g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(object), result, NULL);
	g_autoptr(GVariant) name = NULL;
	(void)data;
	if (reply != NULL) {
		g_variant_get(reply, "(v)", &name);
	}
	left--;
}

static void by_gdbus(const struct target *target)
{
	g_autoptr(GDBusConnection) bus = g_dbus_connection_new_for_address_sync(target->address,
		G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
		NULL, NULL, NULL);
	if (bus == NULL) {
		lab_fail("GDBus does not connect");
	}
	left = REQUESTS;
	for (int i = 0; i < REQUESTS; i++) {
		g_dbus_connection_call(bus, target->name, target->path, PROPERTIES, "Get",
			g_variant_new("(ss)", ACCESSIBLE, "Name"), G_VARIANT_TYPE("(v)"), 0, -1, NULL, on_gdbus,
			NULL);
	}
	while (left > 0) {
		g_main_context_iteration(NULL, TRUE);
	}
}

/* Processor time of this process, microseconds. */
static double used(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
		+ (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(const struct target *target);
	} layers[] = { { "bare writes", by_wire }, { "sd-bus", by_sd_bus }, { "GDBus", by_gdbus } };
	double least[G_N_ELEMENTS(layers)] = { 0 };

	if (!lab_driver_path()) {
		fprintf(stderr, "layers: start it by bench/run\n");
		return 64;
	}
	signal(SIGPIPE, SIG_IGN);
	struct lab_desk *desk = lab_desk_start("xvfb", "openbox");
	struct lab_app app = lab_galculator(desk, false);
	struct lab_node node = lab_atspi_find(desk, app.pid, "application", NULL);
	xcb_get_property_reply_t *address = xcb_get_property_reply(desk->x, xcb_get_property(desk->x, 0,
		desk->root, lab_atom(desk, "AT_SPI_BUS"), XCB_ATOM_ANY, 0, 256), NULL);
	g_autofree char *text = g_strndup(xcb_get_property_value(address),
		(gsize)xcb_get_property_value_length(address));
	struct target target = { text, node.bus, node.path };

	for (int round = 0; round < ROUNDS; round++) {
		for (gsize i = 0; i < G_N_ELEMENTS(layers); i++) {
			double before = used();
			layers[i].run(&target);
			double each = (used() - before) / REQUESTS;
			least[i] = round == 0 ? each : MIN(least[i], each);
		}
	}
	printf("%-20s %24s %8s\n", "", "least us a request", "ratio");
	for (gsize i = 0; i < G_N_ELEMENTS(layers); i++) {
		printf("%-20s %24.2f %7.1fx\n", layers[i].name, least[i], least[i] / least[0]);
	}
	free(address);
	lab_app_kill(&app);
	lab_desk_stop(desk);
	return 0;
}
