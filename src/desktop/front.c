/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "desktop/desk.h"
#include "desktop/displays.h"
#include "desktop/rundir.h"

/* The supervisor bounds its own waits; these are for one that hangs all the same. */
#define START_BACKSTOP (90 * G_USEC_PER_SEC)
#define END_BACKSTOP (30 * G_USEC_PER_SEC)
#define KILL_GRACE (2 * G_USEC_PER_SEC)

#define NO_RESULT (-1)

/* Hands every ending signal on. True when there was one. */
static bool pass_signals(int signal_fd, int peer_fd, int *last)
{
	struct signalfd_siginfo info;
	bool any = false;

	while (read(signal_fd, &info, sizeof info) == sizeof info) {
		if (info.ssi_signo != SIGCHLD) {
			send(peer_fd, &info, sizeof info, MSG_NOSIGNAL);
			*last = (int)info.ssi_signo;
			any = true;
		}
	}
	return any;
}

/* Until the supervisor has said how it ended, or is gone without: NO_RESULT. */
static int await_result(int signal_fd, int peer_fd, int *last_signal)
{
	int64_t deadline = g_get_monotonic_time() + START_BACKSTOP;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = signal_fd, .events = POLLIN },
			{ .fd = peer_fd, .events = POLLIN },
		};
		struct word word;
		int n = poll(fds, G_N_ELEMENTS(fds), watch_milliseconds(deadline));

		if (n == 0) {
			desk_complain("the supervisor does not come to an end");
			return NO_RESULT;
		}
		if (n < 0) {
			continue;
		}
		if (fds[0].revents != 0 && pass_signals(signal_fd, peer_fd, last_signal)) {
			deadline = MIN(deadline, g_get_monotonic_time() + END_BACKSTOP);
		}
		if (fds[1].revents == 0) {
			continue;
		}
		ssize_t length = recv(peer_fd, &word, sizeof word, MSG_DONTWAIT);
		if (length == sizeof word && word.kind == WORD_RESULT) {
			return word.value;
		}
		if (length == sizeof word && word.kind == WORD_STARTED) {
			deadline = *last_signal == 0 ? INT64_MAX : deadline;
		} else if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
			return NO_RESULT;
		}
	}
}

void desk_let_go_of_streams(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		dup2(fd, STDIN_FILENO);
		dup2(fd, STDOUT_FILENO);
		close(fd);
	}
}

static void save_origin(struct desk_origin *origin)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction plain = { .sa_handler = SIG_DFL };

	origin->group = getpgrp();
	sigprocmask(SIG_SETMASK, NULL, &origin->mask);
	sigaction(SIGTTOU, NULL, &origin->ttou);
	sigaction(SIGPIPE, &ignore, &origin->pipe); /* a closed stderr is no reason to leave */
	sigaction(SIGCHLD, &plain, &origin->chld);  /* ignored, children would reap themselves */
}

int front_run(struct desk *desk)
{
	int pair[2];
	int last_signal = 0;

	save_origin(&desk->origin);
	int signal_fd = watch_signals();
	if (signal_fd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		desk_complain("cannot start: %s", g_strerror(errno));
		return EXIT_INTERNAL;
	}
	tree_init(&desk->tree);
	fflush(NULL);
	pid_t supervisor = fork();
	if (supervisor < 0) {
		desk_complain("cannot fork: %s", g_strerror(errno));
		return EXIT_INTERNAL;
	}
	if (supervisor == 0) {
		close(pair[0]);
		close(signal_fd);
		supervisor_run(desk, pair[1]);
	}
	close(pair[1]);
	desk_let_go_of_streams();

	int code = await_result(signal_fd, pair[0], &last_signal);
	if (code == NO_RESULT) {
		desk_complain("the supervisor died; ending all it started");
		kill(supervisor, SIGKILL); /* ours and not reaped, so nobody else has the pid */
		code = last_signal != 0 ? 128 + last_signal : EXIT_INTERNAL;
	}
	/* Normally there is only the supervisor to reap; if it died, its children came to us. */
	tree_end(&desk->tree, NULL, 0, KILL_GRACE);
	displays_sweep(desk->tree.ended, desk->begun_wall);
	rundir_remove(desk->directory);
	close(pair[0]);
	close(signal_fd);
	return code;
}
