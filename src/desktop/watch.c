/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desktop/watch.h"

int watch_signals(void)
{
	static const int ending[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < G_N_ELEMENTS(ending); i++) {
		/* Blocked, an ignored signal is queued all the same: nohup must keep its meaning. */
		if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
			sigaddset(&set, ending[i]);
		}
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int watch_milliseconds(int64_t deadline)
{
	if (deadline == INT64_MAX) {
		return -1;
	}
	int64_t left = deadline - g_get_monotonic_time();
	return left <= 0 ? 0 : (int)MIN((left + 999) / 1000, G_MAXINT);
}

void watch_init(struct watch *watch, int signal_fd, int front_fd)
{
	*watch = (struct watch){
		.signal_fd = signal_fd,
		.front_fd = front_fd,
		.ended = g_hash_table_new(NULL, NULL),
		.living = g_hash_table_new(NULL, NULL),
	};
}

void watch_finish(struct watch *watch)
{
	close(watch->signal_fd);
	close(watch->front_fd);
	g_clear_pointer(&watch->ended, g_hash_table_unref);
	g_clear_pointer(&watch->living, g_hash_table_unref);
}

void watch_child(struct watch *watch, pid_t pid)
{
	g_hash_table_remove(watch->ended, GINT_TO_POINTER(pid)); /* a pid may come again */
	g_hash_table_add(watch->living, GINT_TO_POINTER(pid));
}

bool watch_ended(const struct watch *watch, pid_t pid, int *status)
{
	gpointer value;

	if (!g_hash_table_lookup_extended(watch->ended, GINT_TO_POINTER(pid), NULL, &value)) {
		return false;
	}
	if (status != NULL) {
		*status = GPOINTER_TO_INT(value);
	}
	return true;
}

/* True when one of ours was among them; orphans that came to us are only reaped. */
static bool reap(struct watch *watch)
{
	bool ours = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (g_hash_table_remove(watch->living, GINT_TO_POINTER(pid))) {
			g_hash_table_insert(watch->ended, GINT_TO_POINTER(pid),
			                    GINT_TO_POINTER(status));
			ours = true;
		}
	}
	return ours;
}

static bool take_signals(struct watch *watch)
{
	struct signalfd_siginfo info;
	bool ours = false;

	while (read(watch->signal_fd, &info, sizeof info) == sizeof info) {
		if (info.ssi_signo == SIGCHLD) {
			ours = reap(watch) || ours;
		} else {
			watch->stop_signal = (int)info.ssi_signo;
			watch->stop_by_tty = info.ssi_code == SI_KERNEL;
		}
	}
	return ours;
}

/* The front passes its signals on as signalfd reads them. */
static void take_front(struct watch *watch)
{
	struct signalfd_siginfo info;
	ssize_t length = recv(watch->front_fd, &info, sizeof info, MSG_DONTWAIT);

	if (length == sizeof info) {
		watch->stop_signal = (int)info.ssi_signo;
		watch->stop_by_tty = info.ssi_code == SI_KERNEL;
	} else if (length >= 0 || (errno != EAGAIN && errno != EINTR)) {
		watch->front_gone = true;
		watch->stop_signal = SIGHUP;
		watch->stop_by_tty = false;
	}
}

enum wake watch_wait(struct watch *watch, int fd, short events, int64_t deadline)
{
	for (;;) {
		if (watch->stop_signal != 0) {
			return WAKE_STOP;
		}
		struct pollfd fds[] = {
			{ .fd = watch->signal_fd, .events = POLLIN },
			/* poll() leaves negative ones out: a dead front is ready for ever */
			{ .fd = watch->front_gone ? -1 : watch->front_fd, .events = POLLIN },
			{ .fd = fd, .events = events },
		};
		int n = poll(fds, G_N_ELEMENTS(fds), watch_milliseconds(deadline));

		if (n == 0) {
			return WAKE_TIMEOUT;
		}
		if (n < 0) {
			continue; /* EINTR, or short of memory */
		}
		bool ours = fds[0].revents != 0 && take_signals(watch);
		if (fds[1].revents != 0) {
			take_front(watch);
		}
		if (watch->stop_signal != 0) {
			return WAKE_STOP;
		}
		if (fds[2].revents != 0) {
			return WAKE_READY;
		}
		if (ours) {
			return WAKE_CHILD;
		}
	}
}
