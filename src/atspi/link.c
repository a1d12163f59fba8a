/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/link.h"

#include <poll.h>
#include <string.h>

#include "core/error.h"

/* So few answers are waited for one by one. */
#define FEW_PENDING 6
/* No application was seen to take less for an answer. */
#define QUICKEST_US 20
#define LONGEST_GATHER_US 2000
/* Messages taken in one go. */
#define MOST_AT_ONCE 10000

/* Made up for somebody who will not answer: by the daemon, or by us when that is gone. */
static bool is_lost(const struct message *message)
{
	return message_is_error(message)
		&& (strcmp(message->error, WIRE_NO_REPLY) == 0 || strcmp(message->error, WIRE_SERVICE_UNKNOWN) == 0);
}

static void note_answer(struct link *link, const struct message *message)
{
	link->pending--;
	link->heard = g_get_monotonic_time();
	link->lost |= is_lost(message);
}

static void on_bus_answer(struct message *message, void *data)
{
	struct link *link = data;
	link->by_bus--;
	link->moment = message->serial;
	note_answer(link, message);
}

/* A private socket's messages are numbered from the beginning again, and no event is among them. */
static void on_own_answer(struct message *message, void *data)
{
	note_answer(data, message);
}

struct link *link_open(const char *address, GError **error)
{
	struct wire *bus = wire_open(address, true, error);
	if (bus == NULL) {
		return NULL;
	}
	struct link *link = g_new0(struct link, 1);
	link->bus = bus;
	wire_on_answer(bus, on_bus_answer, link);
	link->heard = g_get_monotonic_time();
	return link;
}

void link_close(struct link *link)
{
	if (link == NULL) {
		return;
	}
	/* What is still queued is dropped: nobody waits for it. */
	wire_close(link->bus);
	wire_close(link->own);
	g_free(link->own_name);
	g_free(link->own_address);
	g_free(link->own_asked);
	g_free(link);
}

struct wire *link_open_own(const char *address)
{
	return wire_open(address, false, NULL);
}

/* Whatever has come. What talks faster than it is understood is interrupted, and goes on the next time. */
static void take_all(struct wire *wire)
{
	wire_wake(wire);
	for (int i = 0; i < MOST_AT_ONCE && wire_step(wire) > 0; i++) {
	}
}

int link_own_ready(struct wire *own)
{
	take_all(own);
	return !wire_is_open(own) ? -1 : wire_is_ready(own);
}

bool link_is_alive(struct link *link)
{
	take_all(link->bus);
	return wire_is_open(link->bus);
}

void link_attach(struct link *link, struct wire *own, const char *name)
{
	link->own = own;
	link->own_name = g_strdup(name);
	wire_on_answer(own, on_own_answer, link);
}

struct wire *link_detach(struct link *link)
{
	g_clear_pointer(&link->own_name, g_free);
	wire_on_answer(link->own, NULL, NULL);
	return g_steal_pointer(&link->own);
}

/* The connection that leads to that name. */
static struct wire *way_to(const struct link *link, const char *name)
{
	return link->own != NULL && strcmp(name, link->own_name) == 0 ? link->own : link->bus;
}

static bool send_args(struct link *link, struct wire *wire, struct wire_call call, const char *types,
	va_list args)
{
	bool by_bus = wire == link->bus;
	if (link->broken) {
		if (call.destroy != NULL) {
			call.destroy(call.data);
		}
		return false;
	}
	if (!by_bus) {
		call.name = NULL;
	}
	if (!wire_send(wire, &call, types, args)) {
		return false;
	}
	if (call.reply == NULL) {
		return true;
	}
	if (link->pending++ == 0) {
		link->heard = g_get_monotonic_time();
	}
	link->by_bus += by_bus;
	link->requests++;
	return true;
}

bool link_send(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	bool sent = send_args(link, way_to(link, name),
		(struct wire_call){ name, path, interface, method, reply, data, NULL }, types, args);
	va_end(args);
	return sent;
}

bool link_send_ordered(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	bool sent = send_args(link, link->bus, (struct wire_call){ name, path, interface, method, reply, data, NULL },
		types, args);
	va_end(args);
	return sent;
}

void link_send_owned(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, GDestroyNotify destroy, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	send_args(link, way_to(link, name), (struct wire_call){ name, path, interface, method, reply, data, destroy },
		types, args);
	va_end(args);
}

bool link_get(struct link *link, const char *name, const char *path, const char *interface,
	const char *property, link_reply reply, void *data)
{
	return link_send(link, name, path, "org.freedesktop.DBus.Properties", "Get", reply, data, "ss",
		interface, property);
}

void link_ignore(struct message *reply, void *data)
{
	(void)reply;
	(void)data;
}

void link_match(struct link *link, const char *rule, bool on, link_reply reply, void *data)
{
	link_send(link, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
		on ? "AddMatch" : "RemoveMatch", reply != NULL ? reply : link_ignore, data, "s", rule);
}

/*
 * Each answer wakes whoever waits for it, and that costs the application at the other end of a private
 * socket, which does the waking, about as much as the answer. While many are under way some of them may
 * as well gather: never so many that the application could be done, for none answers that quickly. What was asked by the
 * bus goes the longer way: when that is answered most of the others are, too.
 * False if there is no point in it.
 */
static bool gather(struct link *link, struct pollfd bus, struct deadline deadline)
{
	unsigned answered = link->requests - (unsigned)link->pending;
	if (link->own == NULL || (link->pending <= FEW_PENDING && link->by_bus == 0) || answered == link->gathered) {
		return false;
	}
	gint64 patience = link->by_bus > 0 ? LONGEST_GATHER_US : MIN(link->pending / 2 * QUICKEST_US, LONGEST_GATHER_US);
	gint64 until = g_get_monotonic_time() + patience;
	link->gathered = answered;
	deadline_poll_all((struct deadline){ MIN(until, deadline.at), deadline.cancel }, &bus, 1, "the bus",
		NULL);
	wire_wake(link->bus);
	wire_wake(link->own);
	return true;
}

/* Waits until a socket has something to do for us. */
static bool wait_io(struct link *link, struct deadline deadline, GError **error)
{
	struct pollfd fds[2] = { wire_poll(link->bus) };
	int count = 1;
	if (gather(link, fds[0], deadline)) {
		return true;
	}
	if (link->own != NULL) {
		fds[count++] = wire_poll(link->own);
	}
	if (!deadline_poll_all(deadline, fds, count, "the application", error)) {
		return false;
	}
	if (fds[0].revents != 0) {
		wire_wake(link->bus);
	}
	if (count > 1 && fds[1].revents != 0) {
		wire_wake(link->own);
	}
	return true;
}

/* One step of the private socket. When it breaks, everything on it has been answered. */
static int step_own(struct link *link)
{
	int result = wire_step(link->own);
	if (result < 0) {
		wire_close(link_detach(link));
		return 0;
	}
	return result;
}

/* One step: runs what is there, otherwise waits. */
static bool step(struct link *link, struct deadline deadline, GError **error)
{
	/* Looked at each time: an application that never stops answering must not go on for ever. */
	if (deadline_over(deadline, "the application", error)) {
		return false;
	}
	/* The bus has its turn when the private socket, where most answers come, has none. */
	if (link->own != NULL && step_own(link) > 0) {
		return true;
	}
	int result = wire_step(link->bus);
	if (result < 0) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY, "The accessibility bus is gone");
		return false;
	}
	return result > 0 || wait_io(link, deadline, error);
}

void link_flush(struct link *link)
{
	/* Its way is the longer one. */
	wire_flush(link->bus);
	if (link->own != NULL) {
		wire_flush(link->own);
	}
}

void link_take(struct link *link)
{
	if (link->own != NULL) {
		wire_wake(link->own);
		for (int i = 0; i < MOST_AT_ONCE && link->own != NULL && step_own(link) > 0; i++) {
		}
	}
	take_all(link->bus);
}

bool link_pump(struct link *link, struct deadline deadline, GError **error)
{
	link_flush(link);
	if (link->pending > 0 && g_get_monotonic_time() - link->heard > LINK_SILENCE_MS * 1000) {
		/* Who asked long ago was away; an application that answered meanwhile was not silent. */
		link_take(link);
	}
	while (link->pending > 0 && !link->broken) {
		GError *problem = NULL;
		struct deadline silence = { link->heard + LINK_SILENCE_MS * 1000, deadline.cancel };
		struct deadline sooner = silence.at < deadline.at ? silence : deadline;
		if (step(link, sooner, &problem)) {
			continue;
		}
		link->broken = true;
		link->overtime = problem->code == ERROR_DEADLINE_EXCEEDED && sooner.at != silence.at;
		if (problem->code == ERROR_DEADLINE_EXCEEDED) {
			g_clear_error(&problem);
			problem = sooner.at == silence.at
				? g_error_new(CUA_ERROR, ERROR_APP_UNRESPONSIVE,
					"The application has not answered for %d ms", LINK_SILENCE_MS)
				: g_error_new(CUA_ERROR, ERROR_APP_UNRESPONSIVE,
					"The application was not done answering when the call's time was over");
		}
		g_propagate_error(error, problem);
	}
	/* When the daemon goes, everything is answered as if by it. */
	link->broken |= !wire_is_open(link->bus);
	if (link->broken && error != NULL && *error == NULL) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY, "The accessibility bus is gone");
	}
	return !link->broken;
}

bool link_wait(struct link *link, const bool *seen, struct deadline deadline)
{
	while (!*seen && !link->broken) {
		GError *problem = NULL;
		if (!step(link, deadline, &problem)) {
			link->broken = problem->code == ERROR_NO_ACCESSIBILITY;
			g_error_free(problem);
			return false;
		}
	}
	return *seen;
}
