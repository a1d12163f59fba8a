/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/link.h"

#include <errno.h>
#include <poll.h>

#include "core/error.h"

struct request {
	struct link *link;
	link_reply reply;
	void *data;
};

struct link *link_open(const char *address, GError **error)
{
	struct link *link = g_new0(struct link, 1);
	int result = sd_bus_new(&link->bus);
	if (result >= 0) {
		result = sd_bus_set_address(link->bus, address);
	}
	if (result >= 0) {
		result = sd_bus_set_bus_client(link->bus, 1);
	}
	if (result >= 0) {
		result = sd_bus_start(link->bus);
	}
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
	g_free(link);
}

static int on_reply(sd_bus_message *message, void *data, sd_bus_error *problem)
{
	struct request *request = data;
	struct link *link = request->link;
	(void)problem;
	link->pending--;
	link->heard = g_get_monotonic_time();
	uint64_t cookie;
	if (sd_bus_message_get_cookie(message, &cookie) >= 0) {
		link->moment = cookie;
	}
	/* Made up by the daemon, or by sd-bus when the daemon is gone, for somebody who will not answer. */
	link->lost |= sd_bus_message_is_method_error(message, SD_BUS_ERROR_NO_REPLY) > 0
		|| sd_bus_message_is_method_error(message, SD_BUS_ERROR_SERVICE_UNKNOWN) > 0;
	request->reply(message, request->data);
	return 1;
}

/* Sends a finished message; takes it over. */
static bool send_message(struct link *link, sd_bus_message *message, link_reply reply, void *data)
{
	struct request *request = g_new(struct request, 1);
	*request = (struct request){ link, reply, data };
	sd_bus_slot *slot = NULL;
	/* The pump has the deadlines; a timer for each request would cost more than the request. */
	int result = sd_bus_call_async(link->bus, &slot, message, on_reply, request, UINT64_MAX);
	sd_bus_message_unref(message);
	if (result < 0) {
		g_free(request);
		return false;
	}
	sd_bus_slot_set_destroy_callback(slot, g_free);
	sd_bus_slot_set_floating(slot, 1);
	sd_bus_slot_unref(slot);
	if (link->pending++ == 0) {
		link->heard = g_get_monotonic_time();
	}
	link->requests++;
	return true;
}

bool link_send(struct link *link, const char *name, const char *path, const char *interface,
	const char *method, link_reply reply, void *data, const char *types, ...)
{
	sd_bus_message *message = NULL;
	if (link->broken
		|| sd_bus_message_new_method_call(link->bus, &message, name, path, interface, method) < 0) {
		return false;
	}
	if (types != NULL) {
		va_list args;
		va_start(args, types);
		int result = sd_bus_message_appendv(message, types, args);
		va_end(args);
		if (result < 0) {
			sd_bus_message_unref(message);
			return false;
		}
	}
	return send_message(link, message, reply, data);
}

bool link_get(struct link *link, const char *name, const char *path, const char *interface,
	const char *property, link_reply reply, void *data)
{
	return link_send(link, name, path, "org.freedesktop.DBus.Properties", "Get", reply, data, "ss",
		interface, property);
}

/* Waits until the socket has something to do for us. */
static bool wait_io(struct link *link, struct deadline deadline, GError **error)
{
	int events = sd_bus_get_events(link->bus);
	uint64_t timeout;
	if (events < 0 || sd_bus_get_timeout(link->bus, &timeout) < 0) {
		g_set_error(error, CUA_ERROR, ERROR_NO_ACCESSIBILITY, "The accessibility bus is gone");
		return false;
	}
	/* sd-bus wants to be called again by then, e.g. when the authentication takes too long. */
	if (timeout != UINT64_MAX && (gint64)timeout < deadline.at) {
		deadline.at = MAX((gint64)timeout, g_get_monotonic_time() + 1000);
		deadline_poll(deadline, sd_bus_get_fd(link->bus), (short)events, "the bus", NULL);
		return !g_cancellable_is_cancelled(deadline.cancel)
			|| !deadline_over(deadline, "the bus", error);
	}
	return deadline_poll(deadline, sd_bus_get_fd(link->bus), (short)events, "the application", error);
}

/* One step: runs what is there, otherwise waits. */
static bool step(struct link *link, struct deadline deadline, GError **error)
{
	/* Looked at each time: an application that never stops answering must not go on for ever. */
	if (deadline_over(deadline, "the application", error)) {
		return false;
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
