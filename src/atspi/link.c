/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "core/error.h"

/* So few answers are waited for one by one. */
#define FEW_PENDING 6
/* No application was seen to take less for an answer. */
#define QUICKEST_US 20
#define LONGEST_GATHER_US 2000

struct request {
	struct link *link;
	link_reply reply;
	void *data;
	GDestroyNotify destroy; /* of the data, whether it was answered or not; may be NULL */
};

static void request_free(void *data)
{
	struct request *request = data;
	if (request->destroy != NULL) {
		request->destroy(request->data);
	}
	g_free(request);
}

/* Starts connecting; 0 or a negative error number. */
static int start(sd_bus **bus, const char *address, bool to_daemon)
{
	int result = sd_bus_new(bus);
	if (result >= 0) {
		result = sd_bus_set_address(*bus, address);
	}
	if (result >= 0) {
		result = sd_bus_set_bus_client(*bus, to_daemon);
	}
	return result >= 0 ? sd_bus_start(*bus) : result;
}

struct link *link_open(const char *address, GError **error)
{
	struct link *link = g_new0(struct link, 1);
	int result = start(&link->bus, address, true);
	if (result < 0) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY, "Cannot connect to the bus %s: %s",
			address, g_strerror(-result));
		link_close(link);
		return NULL;
	}
	link->heard = g_get_monotonic_time();
	return link;
}

void link_close(struct link *link)
{
	if (link == NULL) {
		return;
	}
	/* What is still queued is dropped: nobody waits for it. */
	sd_bus_close_unref(link->bus);
	sd_bus_close_unref(link->own);
	g_free(link->own_name);
	g_free(link->own_address);
	g_free(link->own_asked);
	g_free(link);
}

sd_bus *link_open_own(const char *address)
{
	sd_bus *own = NULL;
	/* An application names its socket itself; commands and other machines are not followed. */
	if (!g_str_has_prefix(address, "unix:") || start(&own, address, false) < 0) {
		sd_bus_unref(own);
		return NULL;
	}
	return own;
}

int link_own_ready(sd_bus *own)
{
	int result;
	while ((result = sd_bus_process(own, NULL)) > 0) {
	}
	return result < 0 || sd_bus_is_open(own) <= 0 ? -1 : sd_bus_is_ready(own) > 0;
}

void link_attach(struct link *link, sd_bus *own, const char *name)
{
	link->own = own;
	link->own_name = g_strdup(name);
}

sd_bus *link_detach(struct link *link)
{
	g_clear_pointer(&link->own_name, g_free);
	return g_steal_pointer(&link->own);
}

static int on_reply(sd_bus_message *message, void *data, sd_bus_error *problem)
{
	struct request *request = data;
	struct link *link = request->link;
	(void)problem;
	link->pending--;
	link->heard = g_get_monotonic_time();
	uint64_t cookie;
	/* On a private socket it counts from the beginning again, and no event is counted there. */
	if (sd_bus_message_get_bus(message) == link->bus
		&& sd_bus_message_get_cookie(message, &cookie) >= 0) {
		link->moment = cookie;
	}
	/* Made up by the daemon, or by sd-bus when the daemon is gone, for somebody who will not answer. */
	link->lost |= sd_bus_message_is_method_error(message, SD_BUS_ERROR_NO_REPLY) > 0
		|| sd_bus_message_is_method_error(message, SD_BUS_ERROR_SERVICE_UNKNOWN) > 0;
	request->reply(message, request->data);
	return 1;
}

/* Sends a finished message; takes it over. */
static bool send_message(struct link *link, sd_bus *bus, sd_bus_message *message,
	struct request wanted)
{
	struct request *request = g_memdup2(&wanted, sizeof wanted);
	sd_bus_slot *slot = NULL;
	/* The pump has the deadlines; a timer for each request would cost more than the request. */
	int result = sd_bus_call_async(bus, &slot, message, on_reply, request, UINT64_MAX);
	sd_bus_message_unref(message);
	if (result < 0) {
		request_free(request);
		return false;
	}
	sd_bus_slot_set_destroy_callback(slot, request_free);
	sd_bus_slot_set_floating(slot, 1);
	sd_bus_slot_unref(slot);
	if (link->pending++ == 0) {
		link->heard = g_get_monotonic_time();
	}
	link->requests++;
	return true;
}

/* The connection that leads to that name. */
static sd_bus *way_to(const struct link *link, const char *name)
{
	return link->own != NULL && strcmp(name, link->own_name) == 0 ? link->own : link->bus;
}

static sd_bus_message *new_call(struct link *link, sd_bus *bus, const char *name, const char *path,
	const char *interface, const char *method)
{
	sd_bus_message *message = NULL;
	return !link->broken && sd_bus_message_new_method_call(bus, &message,
		bus == link->own ? NULL : name, path, interface, method) >= 0 ? message : NULL;
}

static bool send_args(struct link *link, sd_bus *bus, sd_bus_message *message,
	struct request request, const char *types, va_list args)
{
	if (message == NULL || (types != NULL && sd_bus_message_appendv(message, types, args) < 0)) {
		sd_bus_message_unref(message);
		if (request.destroy != NULL) {
			request.destroy(request.data);
		}
		return false;
	}
	return send_message(link, bus, message, request);
}

bool link_send(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...)
{
	va_list args;
	sd_bus *bus = way_to(link, name);
	va_start(args, types);
	bool sent = send_args(link, bus, new_call(link, bus, name, path, interface, method),
		(struct request){ link, reply, data, NULL }, types, args);
	va_end(args);
	return sent;
}

bool link_send_ordered(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...)
{
	va_list args;
	va_start(args, types);
	bool sent = send_args(link, link->bus, new_call(link, link->bus, name, path, interface, method),
		(struct request){ link, reply, data, NULL }, types, args);
	va_end(args);
	return sent;
}

void link_send_owned(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, GDestroyNotify destroy, const char *types, ...)
{
	va_list args;
	sd_bus *bus = way_to(link, name);
	va_start(args, types);
	send_args(link, bus, new_call(link, bus, name, path, interface, method),
		(struct request){ link, reply, data, destroy }, types, args);
	va_end(args);
}

bool link_get(struct link *link, const char *name, const char *path, const char *interface,
	const char *property, link_reply reply, void *data)
{
	return link_send(link, name, path, "org.freedesktop.DBus.Properties", "Get", reply, data, "ss",
		interface, property);
}

/* Adds what the connection waits for, and when it wants to be called again at the latest. */
static bool prepare(sd_bus *bus, struct pollfd *fd, gint64 *wake)
{
	uint64_t timeout;
	int events = sd_bus_get_events(bus);
	if (events < 0 || sd_bus_get_timeout(bus, &timeout) < 0) {
		return false;
	}
	*fd = (struct pollfd){ sd_bus_get_fd(bus), (short)events, 0 };
	*wake = timeout != UINT64_MAX ? MIN(*wake, (gint64)timeout) : *wake;
	return true;
}

/*
 * Each answer wakes whoever waits for it, and that costs the application at the other end of a private
 * socket, which does the waking, about as much as the answer. While many are under way some of them may
 * as well gather: never so many that the application could be done, for none answers that quickly.
 * False if there is no point in it.
 */
static bool gather(struct link *link, const struct pollfd *bus, struct deadline deadline)
{
	unsigned answered = link->requests - (unsigned)link->pending;
	if (link->own == NULL || link->pending <= FEW_PENDING || answered == link->gathered) {
		return false;
	}
	gint64 until = g_get_monotonic_time() + MIN(link->pending / 2 * QUICKEST_US, LONGEST_GATHER_US);
	link->gathered = answered;
	deadline_poll_all((struct deadline){ MIN(until, deadline.at), deadline.cancel }, bus, 1, "the bus",
		NULL);
	return true;
}

/* Waits until a socket has something to do for us. */
static bool wait_io(struct link *link, struct deadline deadline, GError **error)
{
	struct pollfd fds[2];
	gint64 wake = deadline.at;
	int count = 1;
	if (!prepare(link->bus, &fds[0], &wake)) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY, "The accessibility bus is gone");
		return false;
	}
	if (gather(link, &fds[0], deadline)) {
		return true;
	}
	if (link->own != NULL && prepare(link->own, &fds[1], &wake)) {
		count++;
	}
	/* sd-bus wants to be called again by then, e.g. when the authentication takes too long. */
	if (wake < deadline.at) {
		deadline.at = MAX(wake, g_get_monotonic_time() + 1000);
		deadline_poll_all(deadline, fds, count, "the bus", NULL);
		return !g_cancellable_is_cancelled(deadline.cancel)
			|| !deadline_over(deadline, "the bus", error);
	}
	return deadline_poll_all(deadline, fds, count, "the application", error);
}

/* One step of the private socket. When it breaks, sd-bus has answered everything on it by itself. */
static int step_own(struct link *link)
{
	int result = sd_bus_process(link->own, NULL);
	if (result < 0 || (result == 0 && sd_bus_is_open(link->own) <= 0)) {
		sd_bus_close_unref(link_detach(link));
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
	int result = sd_bus_process(link->bus, NULL);
	if (result < 0) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY, "The accessibility bus is gone: %s",
			g_strerror(-result));
		return false;
	}
	return result > 0 || wait_io(link, deadline, error);
}

bool link_pump(struct link *link, struct deadline deadline, GError **error)
{
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
	/* When the daemon goes, sd-bus answers everything by itself. */
	link->broken |= sd_bus_is_open(link->bus) <= 0;
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
