/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/lookout.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "x11/sentry.h"

/* What the server may take for one probe. */
#define PROBE_MS 1000

/* One probe that somebody waits for. Shared by the worker and the thread. */
struct ticket {
	gatomicrefcount references;
	struct window *window;
	enum probe_time time;
	bool allow_grab;
	bool leaves;           /* nobody waits: the window is only let go of */
	bool forgives;         /* no probe: the window's process may take the focus */
	bool done;             /* guarded by the lookout's lock, like all below */
	struct probe probe;
	GError *error;
};

struct lookout {
	char *display;
	struct past *past;
	int wake;              /* eventfd */

	GMutex lock;
	GCond changed;
	GThread *thread;       /* NULL while nobody looks out */
	bool stop;
	GQueue tickets;        /* struct ticket */
	unsigned attending;    /* how many want to know of all windows */
};

struct lookout *lookout_new(const char *display, struct past *past)
{
	struct lookout *lookout = g_new0(struct lookout, 1);
	lookout->display = g_strdup(display != NULL ? display : g_getenv("DISPLAY"));
	lookout->past = past;
	lookout->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	g_mutex_init(&lookout->lock);
	g_cond_init(&lookout->changed);
	g_queue_init(&lookout->tickets);
	return lookout;
}

static void ticket_unref(struct ticket *ticket)
{
	if (!g_atomic_ref_count_dec(&ticket->references)) {
		return;
	}
	window_free(ticket->window);
	probe_clear(&ticket->probe);
	g_clear_error(&ticket->error);
	g_free(ticket);
}

void lookout_rest(struct lookout *lookout)
{
	g_mutex_lock(&lookout->lock);
	GThread *thread = g_steal_pointer(&lookout->thread);
	lookout->stop = true;
	g_mutex_unlock(&lookout->lock);
	if (thread != NULL) {
		eventfd_write(lookout->wake, 1);
		g_thread_join(thread);
	}
}

void lookout_free(struct lookout *lookout)
{
	if (lookout == NULL) {
		return;
	}
	lookout_rest(lookout);
	close(lookout->wake);
	g_mutex_clear(&lookout->lock);
	g_cond_clear(&lookout->changed);
	g_free(lookout->display);
	g_free(lookout);
}

static void finish(struct lookout *lookout, struct ticket *ticket, GError *error)
{
	g_mutex_lock(&lookout->lock);
	ticket->error = error;
	ticket->done = true;
	g_cond_broadcast(&lookout->changed);
	g_mutex_unlock(&lookout->lock);
	ticket_unref(ticket);
}

static struct ticket *next_ticket(struct lookout *lookout)
{
	g_mutex_lock(&lookout->lock);
	struct ticket *ticket = g_queue_pop_head(&lookout->tickets);
	g_mutex_unlock(&lookout->lock);
	return ticket;
}

/* False when the connection is of no use any more. */
static bool serve(struct lookout *lookout, struct x11_sentry *sentry, struct ticket *ticket)
{
	struct x11_server *server = sentry->server;
	server->deadline = deadline_in(PROBE_MS, NULL);
	if (ticket->forgives) {
		x11_sentry_forgive(sentry, ticket->window->pid);
		finish(lookout, ticket, NULL);
		return true;
	}
	if (!ticket->leaves && ticket->time == PROBE_BEFORE) {
		x11_sentry_watch(sentry, ticket->window, ticket->allow_grab);
	}
	if (!ticket->leaves) {
		x11_probe_read(sentry, ticket->time, ticket->window, &ticket->probe);
	}
	if (ticket->leaves || ticket->time == PROBE_AFTER) {
		x11_sentry_unwatch(sentry, ticket->window);
		xcb_flush(server->c);
	}
	bool lost = x11_failed(server) || xcb_connection_has_error(server->c) != 0;
	GError *error = g_steal_pointer(&server->failure);
	if (lost && error == NULL) {
		error = g_error_new(CUA_ERROR, ERROR_NO_DISPLAY, "The X server went away");
	}
	finish(lookout, ticket, error);
	return !lost;
}

static void wait_for(struct lookout *lookout, struct x11_sentry *sentry)
{
	gint64 next = x11_sentry_next(sentry);
	struct pollfd fds[2] = {
		{ .fd = lookout->wake, .events = POLLIN },
		{ .fd = xcb_get_file_descriptor(sentry->server->c), .events = POLLIN },
	};
	int timeout = next == G_MAXINT64 ? -1
		: (int)CLAMP((next - g_get_monotonic_time()) / 1000 + 1, 0, 60000);
	poll(fds, 2, timeout);
}

/* Works until it is told to stop, or the connection is lost. */
static void look_out(struct lookout *lookout, struct x11_sentry *sentry)
{
	for (;;) {
		eventfd_t unused;
		eventfd_read(lookout->wake, &unused);
		g_mutex_lock(&lookout->lock);
		bool stop = lookout->stop, attends = lookout->attending > 0;
		g_mutex_unlock(&lookout->lock);
		struct ticket *ticket;
		if (attends != sentry->attends) {
			x11_sentry_attend(sentry, attends);
		}
		if (stop || !x11_sentry_listen(sentry)) {
			return;
		}
		while ((ticket = next_ticket(lookout)) != NULL) {
			if (!serve(lookout, sentry, ticket)) {
				return;
			}
		}
		/* Replies bring events along, which poll() does not tell of. */
		if (!x11_sentry_listen(sentry)) {
			return;
		}
		wait_for(lookout, sentry);
	}
}

static gpointer thread_main(gpointer data)
{
	struct lookout *lookout = data;
	struct x11_sentry sentry = { 0 };
	bool open = x11_sentry_open(&sentry, lookout->display, lookout->past);
	if (open) {
		look_out(lookout, &sentry);
	}
	x11_sentry_close(&sentry);

	/* Whoever asks from now on starts another thread. */
	g_mutex_lock(&lookout->lock);
	GQueue orphans = lookout->tickets;
	g_queue_init(&lookout->tickets);
	if (!lookout->stop) {
		g_thread_unref(g_steal_pointer(&lookout->thread));
	}
	g_mutex_unlock(&lookout->lock);
	struct ticket *ticket;
	while ((ticket = g_queue_pop_head(&orphans)) != NULL) {
		finish(lookout, ticket, g_error_new(CUA_ERROR, ERROR_NO_DISPLAY, open
			? "The X server went away" : "Cannot connect to the X server %s", lookout->display));
	}
	return NULL;
}

static void start(struct lookout *lookout)
{
	if (lookout->thread == NULL) {
		lookout->stop = false;
		lookout->thread = g_thread_new("lookout", thread_main, lookout);
	}
}

void lookout_attend(struct lookout *lookout, bool on)
{
	g_mutex_lock(&lookout->lock);
	lookout->attending += on ? 1 : -1;
	if (on) {
		start(lookout);
	}
	g_mutex_unlock(&lookout->lock);
	eventfd_write(lookout->wake, 1);
}

/* One of its two references is the caller's. */
static struct ticket *ticket_new(const struct window *window)
{
	struct ticket *ticket = g_new0(struct ticket, 1);
	g_atomic_ref_count_init(&ticket->references);
	g_atomic_ref_count_inc(&ticket->references);
	ticket->window = window_copy(window);
	return ticket;
}

static void hand_in(struct lookout *lookout, struct ticket *ticket)
{
	g_mutex_lock(&lookout->lock);
	g_queue_push_tail(&lookout->tickets, ticket);
	start(lookout);
	g_mutex_unlock(&lookout->lock);
	eventfd_write(lookout->wake, 1);
}

void *lookout_ask(struct lookout *lookout, const struct window *window, enum probe_time time,
	bool allow_grab)
{
	struct ticket *ticket = ticket_new(window);
	ticket->time = time;
	ticket->allow_grab = allow_grab;
	hand_in(lookout, ticket);
	return ticket;
}

void lookout_leave(struct lookout *lookout, const struct window *window)
{
	struct ticket *ticket = ticket_new(window);
	ticket->leaves = true;
	hand_in(lookout, ticket);
	ticket_unref(ticket);
}

bool lookout_answer(struct lookout *lookout, void *data, struct deadline deadline,
	struct probe *probe, GError **error)
{
	struct ticket *ticket = data;
	bool answered = false;
	g_mutex_lock(&lookout->lock);
	while (!ticket->done
		&& g_cond_wait_until(&lookout->changed, &lookout->lock, deadline.at)) {
	}
	if (!ticket->done) {
		g_set_error(error, CUA_ERROR, ERROR_DEADLINE_EXCEEDED, "No answer in time from the X server");
	} else if (ticket->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&ticket->error));
	} else {
		*probe = ticket->probe;
		ticket->probe = (struct probe){ 0 };
		answered = true;
	}
	g_mutex_unlock(&lookout->lock);
	ticket_unref(ticket);
	return answered;
}

void lookout_forgive(struct lookout *lookout, const struct window *window, struct deadline deadline)
{
	struct probe unused;
	g_mutex_lock(&lookout->lock);
	/* Who does not look out does not put anybody back. */
	bool looks_out = lookout->thread != NULL;
	g_mutex_unlock(&lookout->lock);
	if (looks_out) {
		struct ticket *ticket = ticket_new(window);
		ticket->forgives = true;
		hand_in(lookout, ticket);
		lookout_answer(lookout, ticket, deadline, &unused, NULL);
	}
}
