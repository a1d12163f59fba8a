/* SPDX-License-Identifier: MIT */
/* The driver's side of the guardian. */
#include "config.h"

#include "x11/guardian.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "x11/notice.h"

/* What a guardian may take to start on a busy machine. */
#define READY_MS 8000

struct guardian {
	char *display;
	GMutex lock;
	struct undo_log *log;
	int memory;            /* its descriptor */
	int socket;            /* -1: no guardian was started */
	gint stamps;
	int fds[UNDO_CONNECTIONS]; /* ours, to tell a new guardian; -1: free */
	bool stands[UNDO_CONNECTIONS];   /* the user's keyboard may stop for it */
	bool holds[UNDO_CONNECTIONS];    /* the same for now */
};

struct guardian *guardian_new(const char *display)
{
	struct guardian *guardian = g_new0(struct guardian, 1);
	guardian->display = g_strdup(display != NULL ? display : g_getenv("DISPLAY"));
	guardian->socket = guardian->memory = -1;
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		guardian->fds[i] = -1;
	}
	g_mutex_init(&guardian->lock);
	return guardian;
}

void guardian_free(struct guardian *guardian)
{
	if (guardian == NULL) {
		return;
	}
	if (guardian->socket >= 0) {
		/* It sees the end of the line, looks at the log, and goes. */
		close(guardian->socket);
		close(guardian->memory);
	}
	undo_free(guardian->log);
	g_mutex_clear(&guardian->lock);
	g_free(guardian->display);
	g_free(guardian);
}

/* A descriptor may go with it; -1: none does. False if nobody listens. */
static bool tell(struct guardian *guardian, struct notice notice, int fd)
{
	struct iovec data = { &notice, sizeof notice };
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
	if (fd >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof control.bytes;
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &fd, sizeof fd);
	}
	return sendmsg(guardian->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof notice;
}

/*
 * Waits until the guardian has its own connection. It must not connect while we hold the server's grab: it
 * would wait for us, holding our socket open, and nobody would be left to end the grab if we died then.
 */
static bool greet(int socket, GError **error)
{
	struct notice notice;
	if (!deadline_poll(deadline_in(READY_MS, NULL), socket, POLLIN, "the guardian", error)) {
		return false;
	}
	if (recv(socket, &notice, sizeof notice, 0) != (ssize_t)sizeof notice) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE, "The guardian ended at once");
		return false;
	}
	return true;
}

static bool start(struct guardian *guardian, GError **error)
{
	int pair[2];
	if (guardian->log == NULL) {
		guardian->log = undo_new(&guardian->memory);
	}
	if (guardian->log == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		g_set_error(error, CUA_ERROR, ERROR_NO_INPUT_DEVICE, "No memory for a record of what is changed");
		return false;
	}
	/* Not by our name: the file may have been replaced since. */
	const char *const argv[] = { "/proc/self/exe", "guardian", guardian->display, NULL };
	g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_NONE);
	g_subprocess_launcher_set_stdout_file_path(launcher, "/dev/null");
	g_subprocess_launcher_take_fd(launcher, pair[1], GUARDIAN_SOCKET);
	g_subprocess_launcher_take_fd(launcher, dup(guardian->memory), GUARDIAN_MEMORY);
	g_autoptr(GError) reason = NULL;
	g_autoptr(GSubprocess) process = g_subprocess_launcher_spawnv(launcher, argv, &reason);
	g_subprocess_launcher_close(launcher);
	if (process == NULL) {
		error_set(error, ERROR_NO_INPUT_DEVICE, "Cannot start the guardian: %s",
			reason->message);
		close(pair[0]);
		return false;
	}
	if (!greet(pair[0], error)) {
		close(pair[0]);
		return false;
	}
	guardian->socket = pair[0];
	for (int i = 0; i < UNDO_CONNECTIONS; i++) {
		if (guardian->fds[i] >= 0) {
			tell(guardian, (struct notice){ NOTICE_ADD, i, 0 }, guardian->fds[i]);
		}
		if (guardian->fds[i] >= 0 && guardian->stands[i]) {
			tell(guardian, (struct notice){ NOTICE_STAND, i, 0 }, -1);
		}
		if (guardian->fds[i] >= 0 && guardian->holds[i]) {
			tell(guardian, (struct notice){ NOTICE_HOLD, i, 1 }, -1);
		}
	}
	return true;
}

struct undo_log *guardian_log(struct guardian *guardian, GError **error)
{
	g_mutex_lock(&guardian->lock);
	if (guardian->socket >= 0 && !tell(guardian, (struct notice){ NOTICE_HELLO, 0, 0 }, -1)) {
		/* Somebody ended it. */
		close(guardian->socket);
		guardian->socket = -1;
	}
	bool there = guardian->socket >= 0 || start(guardian, error);
	g_mutex_unlock(&guardian->lock);
	return there ? guardian->log : NULL;
}

int guardian_add(struct guardian *guardian, int fd)
{
	int number = -1;
	g_mutex_lock(&guardian->lock);
	for (int i = 0; i < UNDO_CONNECTIONS && number < 0; i++) {
		if (guardian->fds[i] < 0) {
			number = i;
			guardian->fds[i] = fd;
			tell(guardian, (struct notice){ NOTICE_ADD, i, 0 }, fd);
		}
	}
	g_mutex_unlock(&guardian->lock);
	return number;
}

void guardian_remove(struct guardian *guardian, int connection)
{
	if (connection < 0) {
		return;
	}
	g_mutex_lock(&guardian->lock);
	guardian->fds[connection] = -1;
	guardian->stands[connection] = guardian->holds[connection] = false;
	tell(guardian, (struct notice){ NOTICE_REMOVE, connection, 0 }, -1);
	g_mutex_unlock(&guardian->lock);
}

void guardian_standing(struct guardian *guardian, int connection)
{
	if (connection < 0) {
		return;
	}
	g_mutex_lock(&guardian->lock);
	guardian->stands[connection] = true;
	tell(guardian, (struct notice){ NOTICE_STAND, connection, 0 }, -1);
	g_mutex_unlock(&guardian->lock);
}

void guardian_holding(struct guardian *guardian, int connection, bool on)
{
	if (connection < 0) {
		return;
	}
	g_mutex_lock(&guardian->lock);
	guardian->holds[connection] = on;
	tell(guardian, (struct notice){ NOTICE_HOLD, connection, on }, -1);
	g_mutex_unlock(&guardian->lock);
}

void guardian_grabbing(struct guardian *guardian, int connection, bool on)
{
	if (connection < 0) {
		return;
	}
	gint stamp = on ? g_atomic_int_add(&guardian->stamps, 1) + 1 : 0;
	g_atomic_int_set(&guardian->log->grabbing[connection], stamp);
	if (on) {
		g_mutex_lock(&guardian->lock);
		tell(guardian, (struct notice){ NOTICE_GRAB, connection, stamp }, -1);
		g_mutex_unlock(&guardian->lock);
	}
}
