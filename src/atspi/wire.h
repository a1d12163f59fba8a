/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_WIRE_H
#define ATSPI_WIRE_H

#include <poll.h>
#include <stdarg.h>

#include "atspi/message.h"

/*
 * A D-Bus connection over a Unix socket, to a bus or straight to an application, for one thread at a time. Calls are
 * gathered and written together, answers are read as many as have come: a tree is thousands of small ones, and with a
 * write and two reads for each, as libraries do it, most of the time would go there. Nothing here waits.
 */
struct wire;

/* Takes the answer to a call, an error, too; one is made up if none will come. */
typedef void (*wire_reply)(struct message *reply, void *data);

/* Begins to connect; `to_bus`: there is a daemon that wants to be greeted. NULL with a reason if it cannot. */
struct wire *wire_open(const char *address, bool to_bus, GError **error);
/* Closes it; answers that have not come are not waited for, but their data is destroyed. Takes NULL. */
void wire_close(struct wire *wire);

/* Who takes signals, and who is told of every answer before it is taken. NULL: nobody. */
void wire_on_signal(struct wire *wire, wire_reply take, void *data);
void wire_on_answer(struct wire *wire, wire_reply told, void *data);

/*
 * A call; `types` and `args` as in message_read(), by value, and an array of strings (as) as their number and then they; NULL
 * for none. `reply` may be NULL: nobody waits for it. `destroy`, if any, is called with the data in the end, also if
 * it cannot be sent: false then.
 */
struct wire_call {
	const char *name, *path, *interface, *method; /* `name` is NULL without a bus */
	wire_reply reply;
	void *data;
	GDestroyNotify destroy;
};
bool wire_send(struct wire *wire, const struct wire_call *call, const char *types, va_list args);

/* Writes what was gathered, as far as the socket takes it. Whether it took any. */
bool wire_flush(struct wire *wire);

/*
 * Takes one step: writes what is to be written, runs the callback of a message that has come. Positive if it did anything, 0 if there
 * is nothing to do before poll() says so, negative if the connection is lost and everything has been answered.
 */
int wire_step(struct wire *wire);
/* What to wait for; then wire_wake() says that there is something, or that there may be. */
struct pollfd wire_poll(const struct wire *wire);
void wire_wake(struct wire *wire);

/* It can be used: messages come and go. */
bool wire_is_ready(const struct wire *wire);
bool wire_is_open(const struct wire *wire);
/* Which bus it is, and our name there; NULL until it is ready. */
const char *wire_bus_id(const struct wire *wire);
const char *wire_name(const struct wire *wire);

#define WIRE_NO_REPLY "org.freedesktop.DBus.Error.NoReply"
#define WIRE_SERVICE_UNKNOWN "org.freedesktop.DBus.Error.ServiceUnknown"

#endif
