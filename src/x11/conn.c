/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/conn.h"

#include <poll.h>
#include <stdlib.h>
#include <xcb/xcbext.h>

#include "core/error.h"
#include "discovery/discovery.h"

#define WHO "the X server"

/*
 * A monitor around one connection. Opening a connection blocks in libxcb for as long as the server
 * is stopped, so a thread of its own does it; callers wait for the outcome with their own deadline
 * and the outcome is kept for whoever comes next.
 */
struct x11 {
	gatomicrefcount refs; /* the owner and the connecting thread */
	char *display;        /* NULL: there is none */
	GMutex lock;
	GCond changed;
	struct x11_server *server; /* NULL: not connected */
	bool taken;                /* a call has the connection */
	bool connecting;
	bool destroyed;
	unsigned attempts;         /* to connect, so far */
	char *why;                 /* the last one failed */
	GMutex toolkits_lock;
	GHashTable *toolkits;
};

struct x11 *x11_new(const char *display)
{
	struct x11 *x11 = g_new0(struct x11, 1);
	g_atomic_ref_count_init(&x11->refs);
	x11->display = g_strdup(display != NULL ? display : g_getenv("DISPLAY"));
	g_mutex_init(&x11->lock);
	g_cond_init(&x11->changed);
	g_mutex_init(&x11->toolkits_lock);
	x11->toolkits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return x11;
}

static void unref(struct x11 *x11)
{
	if (!g_atomic_ref_count_dec(&x11->refs)) {
		return;
	}
	x11_server_close(x11->server);
	g_mutex_clear(&x11->lock);
	g_cond_clear(&x11->changed);
	g_mutex_clear(&x11->toolkits_lock);
	g_hash_table_unref(x11->toolkits);
	g_free(x11->display);
	g_free(x11->why);
	g_free(x11);
}

void x11_destroy(struct x11 *x11)
{
	if (x11 == NULL) {
		return;
	}
	g_mutex_lock(&x11->lock);
	x11->destroyed = true;
	struct x11_server *server = g_steal_pointer(&x11->server);
	g_mutex_unlock(&x11->lock);
	x11_server_close(server);
	unref(x11);
}

static gpointer connect_thread(gpointer data)
{
	struct x11 *x11 = data;
	g_autofree char *why = NULL;
	struct x11_server *server = x11_server_open(x11->display, &why);

	g_mutex_lock(&x11->lock);
	if (!x11->destroyed) {
		if (server != NULL) {
			server->x11 = x11;
		}
		x11->server = g_steal_pointer(&server);
	}
	x11->connecting = false;
	g_free(x11->why);
	x11->why = g_steal_pointer(&why);
	g_cond_broadcast(&x11->changed);
	g_mutex_unlock(&x11->lock);

	x11_server_close(server);
	unref(x11);
	return NULL;
}

static void start_connecting(struct x11 *x11)
{
	x11->attempts++;
	g_atomic_ref_count_inc(&x11->refs);
	GThread *thread = g_thread_try_new("x11-connect", connect_thread, x11, NULL);
	if (thread == NULL) {
		g_atomic_ref_count_dec(&x11->refs);
		return;
	}
	x11->connecting = true;
	g_thread_unref(thread);
}

/* Reads what has come, which is how libxcb notices a closed connection. Never blocks. */
static bool alive(struct x11_server *server)
{
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_event(server->c)) != NULL) {
		free(event);
	}
	return xcb_connection_has_error(server->c) == 0;
}

static struct x11_server *take(struct x11 *x11, struct deadline deadline, GError **error)
{
	unsigned before = x11->attempts;
	for (;;) {
		if (!x11->taken && x11->server != NULL) {
			if (alive(x11->server)) {
				x11->taken = true;
				return x11->server;
			}
			x11_server_close(g_steal_pointer(&x11->server));
		}
		if (deadline_over(deadline, WHO, error)) {
			return NULL;
		}
		if (!x11->taken && !x11->connecting) {
			/* An attempt made for an earlier call says nothing about the server of now. */
			if (x11->attempts != before) {
				error_set(error, ERROR_NO_DISPLAY, "%s",
					x11->why != NULL ? x11->why : "The X server went away");
				return NULL;
			}
			start_connecting(x11);
			continue;
		}
		g_cond_wait_until(&x11->changed, &x11->lock, deadline.at);
	}
}

static void wake(GCancellable *cancellable, gpointer data)
{
	(void)cancellable;
	struct x11 *x11 = data;
	g_mutex_lock(&x11->lock);
	g_cond_broadcast(&x11->changed);
	g_mutex_unlock(&x11->lock);
}

struct x11_server *x11_begin(struct x11 *x11, struct deadline deadline, GError **error)
{
	if (x11->display == NULL || *x11->display == '\0') {
		g_autofree char *several = discovery_why_ambiguous();
		error_set(error, several != NULL ? ERROR_AMBIGUOUS_SESSION : ERROR_NO_DISPLAY, "%s",
			several != NULL ? several : "DISPLAY is not set");
		return NULL;
	}
	if (deadline_over(deadline, WHO, error)) {
		return NULL;
	}
	/* Connected outside the lock, which wake() takes. */
	gulong handler = deadline.cancel == NULL ? 0 :
		g_cancellable_connect(deadline.cancel, G_CALLBACK(wake), x11, NULL);
	g_mutex_lock(&x11->lock);
	struct x11_server *server = take(x11, deadline, error);
	g_mutex_unlock(&x11->lock);
	if (handler != 0) {
		g_cancellable_disconnect(deadline.cancel, handler);
	}
	if (server == NULL) {
		return NULL;
	}
	server->deadline = deadline;
	if (server->marker != 0) {
		free(x11_reply(server, server->marker));
		if (x11_failed(server)) {
			x11_end(server, error);
			return NULL;
		}
		server->marker = 0;
	}
	return server;
}

bool x11_end(struct x11_server *server, GError **error)
{
	struct x11 *x11 = server->x11;
	GError *failure = g_steal_pointer(&server->failure);
	xcb_generic_event_t *event;
	while ((event = xcb_poll_for_queued_event(server->c)) != NULL) {
		free(event);
	}
	server->deadline = (struct deadline){ 0 };

	g_mutex_lock(&x11->lock);
	x11->taken = false;
	if (xcb_connection_has_error(server->c) != 0) {
		x11_server_close(g_steal_pointer(&x11->server));
	}
	g_cond_broadcast(&x11->changed);
	g_mutex_unlock(&x11->lock);

	if (failure != NULL) {
		g_propagate_error(error, failure);
		return false;
	}
	return true;
}

bool x11_failed(const struct x11_server *server)
{
	return server->failure != NULL;
}

/*
 * The server owes replies from `sequence` on that nobody will fetch. They are discarded as they
 * come, and the next call waits for the marker before it sends anything: calls on a stopped server
 * must not fill the socket, because then libxcb blocks in writing, where no deadline counts.
 */
static void give_up(struct x11_server *server, unsigned sequence)
{
	if (sequence == server->marker) {
		return;
	}
	sequence = server->oldest != 0 ? server->oldest : sequence;
	server->marker = xcb_get_input_focus(server->c).sequence;
	for (; sequence != server->marker; sequence++) {
		xcb_discard_reply(server->c, sequence);
	}
}

void *x11_reply(struct x11_server *server, unsigned sequence)
{
	void *reply = NULL;
	xcb_generic_error_t *refusal = NULL;
	if (sequence == 0 || x11_failed(server)) {
		return NULL;
	}
	xcb_flush(server->c);
	while (!xcb_poll_for_reply(server->c, sequence, &reply, &refusal)) {
		int fd = xcb_get_file_descriptor(server->c);
		if (!deadline_poll(server->deadline, fd, POLLIN, WHO, &server->failure)) {
			give_up(server, sequence);
			return NULL;
		}
	}
	free(refusal);
	if (xcb_connection_has_error(server->c) != 0) {
		g_set_error(&server->failure, CUA_ERROR, ERROR_NO_DISPLAY, "The X server went away");
		g_clear_pointer(&reply, free);
	}
	return reply;
}

GHashTable *x11_lock_toolkits(struct x11 *x11)
{
	g_mutex_lock(&x11->toolkits_lock);
	return x11->toolkits;
}

void x11_unlock_toolkits(struct x11 *x11)
{
	g_mutex_unlock(&x11->toolkits_lock);
}
