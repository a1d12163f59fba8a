/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "bare.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/wakeup.h"
#include "wire.h"

enum {
	QUIET_MS = 600,        /* after a press: GTK3 keeps a button down for 100, GTK4 acts after 250 */
	SILENCE_MS = 300,      /* after that */
	SERVER_QUIET_MS = 400, /* less: it is done with it before anybody presses anything else */
	ANSWER_MS = 10000,
};

struct bare {
	struct wire *wire;
	struct wire *own;   /* a private socket of the application's; NULL if there is none */
};

/* What calculators and pages say when a button did something. */
static bool tells_effect(const struct wire_message *message)
{
	static const char *const details[] = {
		"checked", "accessible-name", "accessible-value", "insert", "delete", "insert:system",
		"delete:system", "insert/system", "delete/system",
	};
	if (message->type != 4) {
		return false;
	}
	struct wire_cursor cursor = wire_read(message);
	const char *detail = wire_string(&cursor);
	for (gsize i = 0; i < G_N_ELEMENTS(details); i++) {
		if (strcmp(detail, details[i]) == 0) {
			return true;
		}
	}
	return false;
}

struct bare *bare_open(struct lab_desk *desk)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(desk->x, xcb_get_property(desk->x, 0,
		desk->root, lab_atom(desk, "AT_SPI_BUS"), XCB_ATOM_ANY, 0, 256), NULL);
	g_autofree char *address = reply != NULL ? g_strndup(xcb_get_property_value(reply),
		(gsize)xcb_get_property_value_length(reply)) : NULL;
	free(reply);
	struct bare *bare = g_new0(struct bare, 1);
	bare->wire = address != NULL ? wire_open(address, true) : NULL;
	if (bare->wire == NULL) {
		lab_fail("cannot connect to the accessibility bus");
	}
	return bare;
}

void bare_close(struct bare *bare)
{
	wire_close(bare->own);
	wire_close(bare->wire);
	g_free(bare);
}

void bare_target_clear(struct bare_target *target)
{
	for (int i = 0; i < BARE_SEATS; i++) {
		g_free(target->seats[i]);
	}
	*target = (struct bare_target){ 0 };
}

void bare_talk(struct bare *bare)
{
	struct wire_message message;
	uint32_t serial = wire_call(bare->wire, "org.freedesktop.DBus", "/org/freedesktop/DBus",
		"org.freedesktop.DBus", "GetId", "");
	while (wire_next(bare->wire, &message) && message.reply_to != serial) {
	}
}

/* What has come `ms` from now. */
static void drain_after(struct bare *bare, int ms)
{
	g_usleep((gulong)ms * 1000);
	bare_talk(bare);
}

void bare_drain(struct bare *bare)
{
	drain_after(bare, QUIET_MS);
	/* Then silence: who has just talked to the bus, and the bus, are much faster than a driver that waited for its client to think. */
	g_usleep(SILENCE_MS * 1000);
}

void bare_listen(struct bare *bare, const struct lab_node *node)
{
	static const char *const events[] = {
		"object:state-changed:checked", "object:property-change:accessible-name",
		"object:property-change:accessible-value", "object:text-changed",
	};
	g_autofree char *rule = g_strdup_printf("type='signal',sender='%s'", node->bus);
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		/* As registries of any age take it: the event alone. */
		wire_call(bare->wire, "org.a11y.atspi.Registry", "/org/a11y/atspi/registry",
			"org.a11y.atspi.Registry", "RegisterEvent", "s", events[i]);
	}
	wire_call(bare->wire, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
		"AddMatch", "s", rule);
	bare_drain(bare);
}

bool bare_wait(struct bare *bare)
{
	struct wire_message message;
	while (wire_next(bare->wire, &message)) {
		if (tells_effect(&message)) {
			return true;
		}
	}
	return false;
}

bool bare_press(struct bare *bare, const struct lab_node *node, double *ms)
{
	struct wire_message message;
	bool answered = false, told = false;
	gint64 began = g_get_monotonic_time();
	uint32_t serial = wire_call(bare->wire, node->bus, node->path, "org.a11y.atspi.Action", "DoAction",
		"i", 0);
	while (!(answered && told) && wire_next(bare->wire, &message)) {
		answered |= message.reply_to == serial;
		told |= tells_effect(&message);
	}
	*ms = (double)(g_get_monotonic_time() - began) / 1000;
	return answered && told;
}

/* The answer to one call; what else comes is dropped. */
static bool answer_to(struct wire *wire, uint32_t serial, struct wire_message *message)
{
	while (wire_next(wire, message)) {
		if (message->reply_to == serial) {
			return message->type == 2;
		}
	}
	return false;
}

void bare_find_seats(struct bare *bare, struct bare_target *target)
{
	const char *bus = target->node.bus;
	g_autofree char *path = g_strdup(target->node.path);
	struct wire_message message;
	for (int i = 0; i < BARE_SEATS; i++) {
		if (!answer_to(bare->wire, wire_call(bare->wire, bus, path, "org.a11y.atspi.Accessible",
			"GetIndexInParent", ""), &message)) {
			return;
		}
		struct wire_cursor cursor = wire_read(&message);
		int place = (int)wire_u32(&cursor);
		if (place < 0 || !answer_to(bare->wire, wire_call(bare->wire, bus, path,
			"org.freedesktop.DBus.Properties", "Get", "ss", "org.a11y.atspi.Accessible", "Parent"),
			&message)) {
			return;
		}
		cursor = wire_read(&message);
		wire_variant(&cursor);
		wire_align(&cursor, 8);
		const char *name = wire_string(&cursor), *parent = wire_string(&cursor);
		if (cursor.bad || strcmp(name, bus) != 0) {
			return;
		}
		target->seats[i] = g_strdup(parent);
		target->places[i] = place;
		g_free(path);
		path = g_strdup(parent);
	}
}

/* Asks whether it is what it was; `name` is NULL on a private socket. */
static bool check(struct wire *wire, const char *name, const struct bare_target *target)
{
	static const char accessible[] = "org.a11y.atspi.Accessible";
	const char *path = target->node.path;
	struct wire_message message;
	wire_call(wire, name, path, accessible, "GetState", "");
	wire_call(wire, name, path, accessible, "GetRole", "");
	wire_call(wire, name, path, "org.freedesktop.DBus.Properties", "Get", "ss", accessible, "Name");
	uint32_t last = wire_call(wire, name, path, "org.a11y.atspi.Action", "GetActions", "");
	for (int i = 0; i < BARE_SEATS && target->seats[i] != NULL; i++) {
		last = wire_call(wire, name, target->seats[i], accessible, "GetChildAtIndex", "i", target->places[i]);
	}
	return answer_to(wire, last, &message);
}

bool bare_press_checked(struct bare *bare, const struct bare_target *target, double *ms)
{
	double press_ms;
	gint64 began = g_get_monotonic_time();
	bool pressed = check(bare->wire, target->node.bus, target) && bare_press(bare, &target->node, &press_ms);
	*ms = (double)(g_get_monotonic_time() - began) / 1000;
	return pressed;
}

/* --- Behind pipes ---------------------------------------------------------------------------------- */

struct bare_server {
	pid_t pid;
	int in, out;
};

/* The application's private socket, if it has one: who asks there does without the daemon, but for the event. */
static struct wire *open_own(struct bare *bare, const char *bus)
{
	struct wire_message message;
	if (!answer_to(bare->wire, wire_call(bare->wire, bus, "/org/a11y/atspi/accessible/root",
		"org.a11y.atspi.Application", "GetApplicationBusAddress", ""), &message)) {
		return NULL;
	}
	struct wire_cursor cursor = wire_read(&message);
	const char *address = wire_string(&cursor);
	return address[0] != '\0' ? wire_open(address, false) : NULL;
}

/* The same as bare_press_checked() by the private socket. */
static bool press_own(struct bare *bare, const struct bare_target *target)
{
	struct wire_message message;
	if (!check(bare->own, NULL, target)) {
		return false;
	}
	uint32_t serial = wire_call(bare->own, NULL, target->node.path, "org.a11y.atspi.Action", "DoAction", "i", 0);
	return wire_flush(bare->own) && bare_wait(bare) && answer_to(bare->own, serial, &message);
}

/* The process: presses for each byte it reads, and writes whether that went well. */
static void serve(struct bare *bare, const struct bare_target *target, const struct lab_node *again, int in, int out)
{
	char order;
	double ms;
	wakeup_soon();
	bare_listen(bare, &target->node);
	bare->own = open_own(bare, target->node.bus);
	char ready = 'y';
	while (write(out, &ready, 1) == 1 && read(in, &order, 1) == 1) {
		bool pressed = order == 'a' ? bare_press(bare, again, &ms) : bare->own != NULL ? press_own(bare, target)
			: bare_press_checked(bare, target, &ms);
		char said = pressed ? 'y' : 'n';
		if (write(out, &said, 1) != 1) {
			break;
		}
		drain_after(bare, SERVER_QUIET_MS);
	}
	_exit(0);
}

/* The next byte it writes; 0 if there is none. */
static char next_byte(struct bare_server *server)
{
	char byte = 0;
	return poll(&(struct pollfd){ server->out, POLLIN, 0 }, 1, ANSWER_MS) > 0 && read(server->out, &byte, 1) == 1 ? byte : 0;
}

struct bare_server *bare_serve(struct lab_desk *desk, const struct bare_target *target, const struct lab_node *again)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) {
		return NULL;
	}
	struct bare_server *server = g_new0(struct bare_server, 1);
	/* Here: the connection to the X server cannot be shared. */
	struct bare *bare = bare_open(desk);
	server->pid = fork();
	if (server->pid == 0) {
		close(in[1]);
		close(out[0]);
		serve(bare, target, again, in[0], out[1]);
	}
	bare_close(bare);
	server->in = in[1];
	server->out = out[0];
	close(in[0]);
	close(out[1]);
	return server;
}

void bare_server_stop(struct bare_server *server)
{
	if (server == NULL) {
		return;
	}
	close(server->in);
	close(server->out);
	kill(server->pid, SIGTERM);
	waitpid(server->pid, NULL, 0);
	g_free(server);
}

bool bare_server_press(struct bare_server *server, bool again, double *ms)
{
	/* It says when it is ready. */
	if (next_byte(server) == 0) {
		return false;
	}
	gint64 began = g_get_monotonic_time();
	bool asked = write(server->in, again ? "a" : "p", 1) == 1;
	bool pressed = asked && next_byte(server) == 'y';
	*ms = (double)(g_get_monotonic_time() - began) / 1000;
	return pressed;
}
