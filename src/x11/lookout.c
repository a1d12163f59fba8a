/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/lookout.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/wakeup.h"
#include "x11/sentry.h"

/* What the server may take for one probe. */
#define PROBE_MS 1000
/* What is due is looked at no more often than this. */
#define SOONEST_US (1 * G_TIME_SPAN_MILLISECOND)
/*
 * The thread is not woken by the answers to a probe, nor by what happens while a short action lasts: who acts takes
 * that in with them. After this long it listens all the same.
 */
#define DEAF_US (5 * G_TIME_SPAN_MILLISECOND)

/* One probe under way; its caller's alone. */
struct ticket {
	const struct window *window; /* borrowed */
	enum probe_time time;
	struct x11_probing asked;
	unsigned connection;   /* the one it was asked on */
	GError *error;         /* it could not be asked */
};

struct lookout {
	char *display;
	struct past *past;
	struct hold *hold;
	int wake;              /* eventfd */
	int timer;             /* timerfd: when the thread looks even if nothing happens */
	int set;               /* epoll: what the thread waits for */

	GMutex lock;
	GCond changed;
	unsigned waiting;      /* how many wait for that */
	GThread *thread;       /* NULL while nobody looks out */
	bool stop;
	bool open;             /* there is a sentry */
	bool lost;             /* its connection is of no use any more */
	bool taken;            /* somebody has it */
	unsigned connections;  /* so far */
	GQueue leaving;        /* struct window that is to be let go of */
	unsigned attending;    /* how many want to know of all windows */

	/* Belongs to who has taken it; to the thread while it is not open. */
	struct x11_sentry sentry;
	bool deaf;             /* the thread does not wait for what comes from the server */
	gint64 until;          /* for that long, if it is */
	gint64 alarm;          /* when the timer rings, or rang and the thread has not come yet; it may be too soon */
};

struct lookout *lookout_new(const char *display, struct past *past, struct hold *hold)
{
	struct lookout *lookout = g_new0(struct lookout, 1);
	lookout->display = g_strdup(display != NULL ? display : g_getenv("DISPLAY"));
	lookout->past = past;
	lookout->hold = hold;
	lookout->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	lookout->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	lookout->set = epoll_create1(EPOLL_CLOEXEC);
	epoll_ctl(lookout->set, EPOLL_CTL_ADD, lookout->wake, &(struct epoll_event){ .events = EPOLLIN,
		.data.fd = lookout->wake });
	epoll_ctl(lookout->set, EPOLL_CTL_ADD, lookout->timer, &(struct epoll_event){ .events = EPOLLIN,
		.data.fd = lookout->timer });
	g_mutex_init(&lookout->lock);
	g_cond_init(&lookout->changed);
	g_queue_init(&lookout->leaving);
	return lookout;
}

void lookout_rest(struct lookout *lookout)
{
	g_mutex_lock(&lookout->lock);
	/* It is in its place until it has ended: there is one sentry, and so one thread at a time. */
	GThread *thread = lookout->thread != NULL ? g_thread_ref(lookout->thread) : NULL;
	lookout->stop = true;
	g_mutex_unlock(&lookout->lock);
	if (thread != NULL) {
		eventfd_write(lookout->wake, 1);
		g_thread_join(thread);
	}
	hold_rest(lookout->hold);
}

void lookout_free(struct lookout *lookout)
{
	if (lookout == NULL) {
		return;
	}
	lookout_rest(lookout);
	g_queue_clear_full(&lookout->leaving, (GDestroyNotify)window_free);
	close(lookout->set);
	close(lookout->timer);
	close(lookout->wake);
	g_mutex_clear(&lookout->lock);
	g_cond_clear(&lookout->changed);
	g_free(lookout->display);
	g_free(lookout);
}

/* Whether what comes from the server wakes the thread. */
static void hear(struct lookout *lookout, bool on)
{
	if (lookout->deaf == on) {
		lookout->deaf = !on;
		epoll_ctl(lookout->set, EPOLL_CTL_MOD, xcb_get_file_descriptor(lookout->sentry.server->c),
			&(struct epoll_event){ .events = on ? EPOLLIN : 0, .data.fd = -1 });
	}
}

/* The thread comes at this time, or sooner and then sets it again. */
static void set_alarm(struct lookout *lookout, gint64 at)
{
	if (at < lookout->alarm) {
		at = MAX(at, g_get_monotonic_time() + SOONEST_US);
		const struct itimerspec when = { .it_value = { at / G_USEC_PER_SEC, at % G_USEC_PER_SEC * 1000 } };
		lookout->alarm = at;
		timerfd_settime(lookout->timer, TFD_TIMER_ABSTIME, &when, NULL);
	}
}

/* Who acts takes in by itself what comes next. */
static void deafen(struct lookout *lookout)
{
	if (!lookout->deaf) {
		lookout->until = g_get_monotonic_time() + DEAF_US;
		set_alarm(lookout, lookout->until);
		hear(lookout, false);
	}
}

/* The sentry is up to date: from now on the thread waits for what comes. */
static void settle(struct lookout *lookout)
{
	struct x11_sentry *sentry = &lookout->sentry;
	if (sentry->watched && sentry->drawn) {
		/* What is drawn there again is told again. */
		x11_sentry_wipe(sentry);
		xcb_flush(sentry->server->c);
	}
	set_alarm(lookout, x11_sentry_next(sentry));
	hear(lookout, true);
}

/* Lets go of windows that nobody does anything to any more. */
static void leave_all(struct lookout *lookout)
{
	g_mutex_lock(&lookout->lock);
	GQueue leaving = lookout->leaving;
	g_queue_init(&lookout->leaving);
	g_mutex_unlock(&lookout->lock);
	struct window *window;
	while ((window = g_queue_pop_head(&leaving)) != NULL) {
		x11_sentry_unwatch(&lookout->sentry, window);
		window_free(window);
	}
}

/* With the lock held. */
static void wake_all(struct lookout *lookout)
{
	if (lookout->waiting > 0) {
		g_cond_broadcast(&lookout->changed);
	}
}

static void give(struct lookout *lookout, bool lost)
{
	g_mutex_lock(&lookout->lock);
	lookout->taken = false;
	lookout->lost |= lost;
	wake_all(lookout);
	g_mutex_unlock(&lookout->lock);
	if (lost) {
		eventfd_write(lookout->wake, 1);
	}
}

/* Waits until there is something for the thread to do. True if it is because of the time. */
static bool wait_for_work(struct lookout *lookout)
{
	enum { SOURCES = 3 };
	struct epoll_event events[SOURCES];
	bool rang = false;
	int count = epoll_wait(lookout->set, events, SOURCES, -1);
	for (int i = 0; i < count; i++) {
		eventfd_t unused;
		/* The server's is read by who has the sentry. */
		if (events[i].data.fd >= 0 && eventfd_read(events[i].data.fd, &unused) == 0) {
			rang |= events[i].data.fd == lookout->timer;
		}
	}
	return rang;
}

/* Works until it is told to stop, or the connection is lost; has the sentry then. */
static void look_out(struct lookout *lookout)
{
	struct x11_sentry *sentry = &lookout->sentry;
	bool rang = false;
	for (;;) {
		g_mutex_lock(&lookout->lock);
		lookout->waiting++;
		while (lookout->taken) {
			g_cond_wait(&lookout->changed, &lookout->lock);
		}
		lookout->waiting--;
		lookout->taken = true;
		bool goes_on = !lookout->stop && !lookout->lost, attends = lookout->attending > 0;
		g_mutex_unlock(&lookout->lock);
		if (rang) {
			lookout->alarm = G_MAXINT64;
		}
		if (goes_on && attends != sentry->attends) {
			x11_sentry_attend(sentry, attends);
		}
		if (!goes_on || !x11_sentry_listen(sentry)) {
			return;
		}
		leave_all(lookout);
		if (lookout->deaf && g_get_monotonic_time() < lookout->until) {
			set_alarm(lookout, lookout->until);
		} else {
			settle(lookout);
		}
		/* Replies bring events along, which nothing tells of later. */
		if (!x11_sentry_catch_up(sentry)) {
			return;
		}
		give(lookout, false);
		rang = wait_for_work(lookout);
	}
}

static void set_open(struct lookout *lookout, bool open)
{
	g_mutex_lock(&lookout->lock);
	lookout->open = open;
	lookout->taken = lookout->lost = false;
	lookout->connections += open;
	if (!open) {
		/* Whoever asks from now on starts another thread. */
		g_thread_unref(g_steal_pointer(&lookout->thread));
	}
	wake_all(lookout);
	g_mutex_unlock(&lookout->lock);
}

static gpointer thread_main(gpointer data)
{
	struct lookout *lookout = data;
	struct x11_sentry *sentry = &lookout->sentry;
	lookout->deaf = false;
	lookout->alarm = G_MAXINT64;
	wakeup_soon();
	if (x11_sentry_open(sentry, lookout->display, lookout->past, lookout->hold)) {
		int fd = xcb_get_file_descriptor(sentry->server->c);
		epoll_ctl(lookout->set, EPOLL_CTL_ADD, fd, &(struct epoll_event){ .events = EPOLLIN, .data.fd = -1 });
		set_open(lookout, true);
		look_out(lookout);
		epoll_ctl(lookout->set, EPOLL_CTL_DEL, fd, NULL);
		leave_all(lookout);
	}
	x11_sentry_close(sentry);
	set_open(lookout, false);
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

static bool is_free(const struct lookout *lookout)
{
	return lookout->open && !lookout->taken && !lookout->lost && !lookout->stop;
}

/* Takes the sentry, for which there must be a connection; false with an error if that is not in time. */
static bool take(struct lookout *lookout, struct deadline deadline, GError **error)
{
	bool in_time = true, started = false;
	g_mutex_lock(&lookout->lock);
	lookout->waiting++;
	while (in_time && !is_free(lookout) && (lookout->thread != NULL || !started)) {
		if (lookout->thread == NULL) {
			start(lookout);
			started = true;
		}
		in_time = g_cond_wait_until(&lookout->changed, &lookout->lock, deadline.at);
	}
	lookout->waiting--;
	bool there = is_free(lookout);
	if (there) {
		lookout->taken = true;
	} else if (!in_time) {
		g_set_error(error, CUA_ERROR, ERROR_DEADLINE_EXCEEDED, "No answer in time from the X server");
	} else {
		error_set(error, ERROR_NO_DISPLAY, "Cannot connect to the X server %s",
			lookout->display);
	}
	g_mutex_unlock(&lookout->lock);
	if (there) {
		lookout->sentry.server->deadline = deadline_in(PROBE_MS, NULL);
	}
	return there;
}

/* Gives it back; false with an error if the connection is of no use any more. */
static bool give_back(struct lookout *lookout, GError **error)
{
	struct x11_sentry *sentry = &lookout->sentry;
	struct x11_server *server = sentry->server;
	bool lost = x11_failed(server) || !x11_sentry_catch_up(sentry);
	/* Otherwise the thread comes soon, and does it. */
	if (!lost && !lookout->deaf) {
		settle(lookout);
		lost = !x11_sentry_catch_up(sentry);
	}
	GError *why = g_steal_pointer(&server->failure);
	give(lookout, lost);
	if (lost && why == NULL) {
		why = g_error_new(CUA_ERROR, ERROR_NO_DISPLAY, "The X server went away");
	}
	if (why != NULL) {
		g_propagate_error(error, why);
	}
	return !lost;
}

void *lookout_ask(struct lookout *lookout, const struct window *window, enum probe_time time,
	bool allow_grab)
{
	struct ticket *ticket = g_new0(struct ticket, 1);
	ticket->window = window;
	ticket->time = time;
	if (!take(lookout, deadline_in(PROBE_MS, NULL), &ticket->error)) {
		return ticket;
	}
	struct x11_sentry *sentry = &lookout->sentry;
	ticket->connection = lookout->connections;
	deafen(lookout);
	bool lost = false;
	if (time == PROBE_BEFORE) {
		/* What has come is no answer to an action that begins only now. */
		lost = !x11_sentry_listen(sentry);
		x11_sentry_watch(sentry, window, allow_grab);
	}
	if (!lost) {
		x11_probe_ask(sentry, time, window, &ticket->asked);
		xcb_flush(sentry->server->c);
		lost = x11_failed(sentry->server) || xcb_connection_has_error(sentry->server->c) != 0;
	}
	give(lookout, lost);
	return ticket;
}

void lookout_leave(struct lookout *lookout, const struct window *window)
{
	g_mutex_lock(&lookout->lock);
	bool there = is_free(lookout);
	if (there) {
		lookout->taken = true;
	} else if (lookout->thread != NULL) {
		g_queue_push_tail(&lookout->leaving, window_copy(window));
	}
	g_mutex_unlock(&lookout->lock);
	if (there) {
		x11_sentry_unwatch(&lookout->sentry, window);
		give_back(lookout, NULL);
	} else {
		eventfd_write(lookout->wake, 1);
	}
}

bool lookout_answer(struct lookout *lookout, void *data, struct deadline deadline,
	struct probe *probe, GError **error)
{
	struct ticket *ticket = data;
	bool answered = false;
	if (ticket->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&ticket->error));
	} else if (take(lookout, deadline, error)) {
		bool same = ticket->connection == lookout->connections;
		if (same) {
			x11_probe_collect(&lookout->sentry, ticket->time, ticket->window, &ticket->asked, probe);
		}
		if (same && ticket->time == PROBE_AFTER) {
			x11_sentry_unwatch(&lookout->sentry, ticket->window);
		}
		if (ticket->window->id == 0) {
			/* What is started is told something before it shows its window, so it is looked out for now. */
			hear(lookout, true);
		}
		answered = give_back(lookout, error);
		if (answered && !same) {
			g_set_error(error, CUA_ERROR, ERROR_NO_DISPLAY, "The X server went away");
		} else if (!answered && same) {
			probe_clear(probe);
		}
		answered = answered && same;
	}
	g_free(ticket);
	return answered;
}

void lookout_forgive(struct lookout *lookout, const struct window *window, struct deadline deadline)
{
	g_mutex_lock(&lookout->lock);
	/* Who does not look out does not put anybody back. */
	bool looks_out = lookout->thread != NULL;
	g_mutex_unlock(&lookout->lock);
	hold_drop(lookout->hold, deadline);
	if (looks_out && take(lookout, deadline, NULL)) {
		x11_sentry_forgive(&lookout->sentry, window->pid);
		give_back(lookout, NULL);
	}
}
