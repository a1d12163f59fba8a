/* SPDX-License-Identifier: MIT */
/* The guardian itself: `cua-driver guardian DISPLAY`, with a socket and a log for descriptors. */
#include "config.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli.h"
#include "x11/conn.h"
#include "x11/guardian.h"
#include "x11/notice.h"
#include "x11/replay.h"

/*
 * A grab of the server stops the user's desktop. This is as long as one may last whose driver does not run; one that
 * does is slow because the machine is, and breaking it would lose an action in the middle.
 */
#define GRAB_US (250 * G_TIME_SPAN_MILLISECOND)
#define SLOW_GRAB_US (3 * G_TIME_SPAN_SECOND)
/* How often a driver that may hold a key of the user's (x11/hold.h) is looked at: half of how long
 * it may. */
#define HOLD_MS 20
/* What the server, and applications, may take when the driver is gone. */
#define REPLAY_MS 30000
/* Applications that still handle the last input die if its device is gone (x11/devices.c): they
 * have this long. */
#define QUIET_MS 600
/* The pair of a dead driver that is still there so much later has no guardian any more. */
#define ORPHAN_MS 5000
/* How long a quiet moment for the removal of a pair is waited for: nobody waits for the guardian.
 */
#define FAREWELL_MS 3000

struct watch {
	struct undo_log *log;
	struct x11 *x11;
	int fds[UNDO_CONNECTIONS];
	gint stamps[UNDO_CONNECTIONS];   /* of the last grab told; 0: none */
	gint64 since[UNDO_CONNECTIONS];
	bool stands[UNDO_CONNECTIONS];   /* the user's keyboard may stop for it */
	bool holds[UNDO_CONNECTIONS];    /* or may for now */
	const char *display;
	GArray *orphans;                 /* struct master: pairs that nobody had when we came */
};

static int received_fd(struct msghdr *message)
{
	int fd = -1;
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	if (header != NULL && header->cmsg_type == SCM_RIGHTS) {
		memcpy(&fd, CMSG_DATA(header), sizeof fd);
	}
	return fd;
}

static void take(struct watch *watch, const struct notice *notice, int fd)
{
	int i = notice->connection;
	if (i < 0 || i >= UNDO_CONNECTIONS) {
		return;
	}
	if (notice->kind == NOTICE_GRAB) {
		watch->stamps[i] = notice->stamp;
		watch->since[i] = g_get_monotonic_time();
		return;
	}
	if (notice->kind == NOTICE_STAND) {
		watch->stands[i] = true;
		return;
	}
	if (notice->kind == NOTICE_HOLD) {
		watch->holds[i] = notice->stamp != 0;
		return;
	}
	if (notice->kind == NOTICE_ADD || notice->kind == NOTICE_REMOVE) {
		watch->stands[i] = watch->holds[i] = false;
		if (watch->fds[i] >= 0) {
			close(watch->fds[i]);
		}
		watch->fds[i] = fd;
		watch->stamps[i] = 0;
	}
}

/* False at the end of the line: the driver is gone. */
static bool listen_once(struct watch *watch)
{
	struct notice notice = { 0 };
	struct iovec data = { &notice, sizeof notice };
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes,
		.msg_controllen = sizeof control.bytes };
	ssize_t size = recvmsg(GUARDIAN_SOCKET, &message, MSG_CMSG_CLOEXEC);
	if (size == (ssize_t)sizeof notice) {
		take(watch, &notice, received_fd(&message));
	}
	return size > 0;
}

/* Lets go of what is pressed; the pairs stay for a moment. Nobody tells when an application is done with them. */
static void release(struct watch *watch)
{
	struct x11_server *server = x11_begin(watch->x11, deadline_in(REPLAY_MS, NULL), NULL);
	if (server != NULL) {
		replay_release(server, watch->log, NULL);
		x11_end(server, NULL);
		poll(NULL, 0, QUIET_MS);
	}
}

static void undo(struct watch *watch, const char *master, bool drop)
{
	g_autoptr(GError) error = NULL;
	struct x11_server *server = x11_begin(watch->x11, deadline_in(REPLAY_MS, NULL), &error);
	if (server == NULL) {
		fprintf(stderr, "cua-driver: the driver left input devices or shapes behind, and the display does "
			"not answer: %s\n", error->message);
		return;
	}
	replay_log(server, watch->log, &(struct replay){ .master = master, .drop = drop, .patience_ms = FAREWELL_MS });
	x11_end(server, NULL);
}

/* Whether the driver is stopped, by a signal or a debugger, or gone. */
static bool is_stopped(void)
{
	struct ucred driver;
	socklen_t size = sizeof driver;
	g_autofree char *text = NULL;
	if (getsockopt(GUARDIAN_SOCKET, SOL_SOCKET, SO_PEERCRED, &driver, &size) != 0) {
		return true;
	}
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)driver.pid);
	const char *name_end = g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
	return name_end == NULL || strchr("RSD", name_end[2]) == NULL;
}

/* A driver that does not go on must not hold the desktop, and its holes must not stay open. */
static void break_grab(struct watch *watch, int connection)
{
	fprintf(stderr, "cua-driver: broke a connection that held the X server for %d ms\n",
		(int)((g_get_monotonic_time() - watch->since[connection]) / 1000));
	shutdown(watch->fds[connection], SHUT_RDWR);
	watch->stamps[connection] = 0;
	undo(watch, watch->log->masters[connection], false);
}

/* For a driver that is stopped the user's keyboard would stop, too; and nobody hears it where its pairs are in the way. */
static void break_all(struct watch *watch)
{
	fprintf(stderr, "cua-driver: the driver is stopped; its input devices are removed\n");
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		if (watch->fds[i] >= 0) {
			shutdown(watch->fds[i], SHUT_RDWR);
		}
		watch->stamps[i] = 0;
		watch->stands[i] = watch->holds[i] = false;
	}
	undo(watch, NULL, false);
}

/* Looks after connections that the user's keyboard may stop for; the same. Nobody tells that a process was stopped. */
static int look_at_stands(struct watch *watch)
{
	bool stands = false;
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		stands |= watch->stands[i];
	}
	if (stands && is_stopped()) {
		break_all(watch);
		return -1;
	}
	return stands ? GRAB_US / 1000 : -1;
}

/* Breaks connections that may hold a key of the user's if the driver is stopped; the same. */
static int look_at_holds(struct watch *watch)
{
	bool holds = false;
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		holds |= watch->holds[i];
	}
	if (!holds || !is_stopped()) {
		return holds ? HOLD_MS : -1;
	}
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		if (watch->holds[i] && watch->fds[i] >= 0) {
			shutdown(watch->fds[i], SHUT_RDWR);
		}
		watch->holds[i] = false;
	}
	return -1;
}

/* The sooner of two; -1: never. */
static int sooner(int a, int b)
{
	return a < 0 ? b : b < 0 ? a : MIN(a, b);
}

/* Breaks connections that hold the grab for too long. Returns the milliseconds to the next look; -1: none. */
static int look_at_grabs(struct watch *watch)
{
	int next = -1;
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		if (watch->stamps[i] == 0) {
			continue;
		}
		gint64 left = watch->since[i] + GRAB_US - g_get_monotonic_time();
		if (left <= 0 && left + SLOW_GRAB_US - GRAB_US > 0 && !is_stopped()) {
			left = GRAB_US;
		}
		if (g_atomic_int_get(&watch->log->grabbing[i]) != watch->stamps[i]) {
			watch->stamps[i] = 0;
		} else if (left <= 0) {
			break_grab(watch, i);
		} else {
			int ms = (int)(left / 1000) + 1;
			next = next < 0 ? ms : MIN(next, ms);
		}
	}
	return next;
}

/*
 * Removes those orphans that still are ones. A thread with a connection of its own: if the driver died holding the
 * server's grab, who waits for the server waits for whoever watches the driver.
 */
static gpointer sweep(gpointer data)
{
	struct watch *watch = data;
	poll(NULL, 0, ORPHAN_MS);
	struct x11 *x11 = x11_new(watch->display);
	struct x11_server *server = x11_begin(x11, deadline_in(REPLAY_MS, NULL), NULL);
	if (server != NULL) {
		g_autoptr(GArray) left = masters_orphans(server);
		for (guint i = watch->orphans->len; i-- > 0;) {
			struct master master;
			if (!masters_find(left, g_array_index(watch->orphans, struct master, i).name, &master)) {
				g_array_remove_index(watch->orphans, i);
			}
		}
		if (watch->orphans->len > 0) {
			replay_orphans(server, watch->orphans);
		}
		x11_end(server, NULL);
	}
	x11_destroy(x11);
	return NULL;
}

int guardian_main(int argc, char **argv)
{
	struct watch watch = { .log = argc == 2 ? undo_open(GUARDIAN_MEMORY) : NULL };
	if (watch.log == NULL) {
		fprintf(stderr, "cua-driver guardian: the driver starts it by itself when it needs it\n");
		return EXIT_BAD_USAGE;
	}
	/* What ends the driver's terminal or service must not end it before its work is done. */
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	memset(watch.fds, -1, sizeof watch.fds);

	/* Connected now: later the server may have no place for one more. */
	watch.x11 = x11_new(argv[1]);
	struct x11_server *server = x11_begin(watch.x11, deadline_in(REPLAY_MS, NULL), NULL);
	if (server != NULL) {
		watch.orphans = masters_orphans(server);
		x11_end(server, NULL);
	}
	const struct notice ready = { .kind = NOTICE_HELLO };
	if (server == NULL || send(GUARDIAN_SOCKET, &ready, sizeof ready, MSG_NOSIGNAL) < 0) {
		x11_destroy(watch.x11);
		g_clear_pointer(&watch.orphans, g_array_unref);
		return EXIT_UNAVAILABLE;
	}
	watch.display = argv[1];
	GThread *sweeper = watch.orphans->len > 0 ? g_thread_new("sweep", sweep, &watch) : NULL;
	struct pollfd wanted = { .fd = GUARDIAN_SOCKET, .events = POLLIN };
	do {
		wanted.revents = 0;
		int grabs = look_at_grabs(&watch), stands = look_at_stands(&watch);
		poll(&wanted, 1, sooner(sooner(grabs, stands), look_at_holds(&watch)));
	} while (wanted.revents == 0 || listen_once(&watch));
	/* Ours are copies of the driver's sockets: while they are open the server thinks it lives. */
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		if (watch.fds[i] >= 0) {
			shutdown(watch.fds[i], SHUT_RDWR);
		}
	}
	if (undo_last(watch.log, NULL, G_MAXUINT32) != NULL) {
		release(&watch);
		undo(&watch, NULL, true);
	}
	if (sweeper != NULL) {
		g_thread_join(sweeper);
	}
	g_array_unref(watch.orphans);
	x11_destroy(watch.x11);
	return 0;
}
