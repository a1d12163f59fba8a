/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "core/quote.h"
#include "desktop/child.h"

#define TAIL_BYTES 2048
#define TAIL_LINES 12

static char *log_path(const struct desk *desk, const char *name)
{
	return g_strdup_printf("%s/log/%s.log", desk->directory, name);
}

/* In the child: the reason goes up the pipe, which a successful exec closes. */
G_NORETURN static void give_up(int report_fd)
{
	int reason = errno;

	(void)!write(report_fd, &reason, sizeof reason);
	_exit(127);
}

static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	if (getppid() != parent) {
		_exit(127); /* it died before we asked */
	}
}

/* In the parent. Returns 0 when the program runs, else errno of what failed in the child. */
static int await_exec(int report_fd)
{
	int reason = 0;
	ssize_t length;

	do {
		length = read(report_fd, &reason, sizeof reason);
	} while (length < 0 && errno == EINTR);
	close(report_fd);
	return length == sizeof reason ? reason : 0;
}

static pid_t fork_reporting(struct desk *desk, int report[2], GError **error)
{
	pid_t pid = -1;

	if (pipe2(report, O_CLOEXEC) == 0 && (pid = fork()) < 0) {
		close(report[0]);
		close(report[1]);
	}
	if (pid < 0) {
		g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "cannot fork: %s", g_strerror(errno));
	} else if (pid > 0) {
		close(report[1]);
		watch_child(&desk->watch, pid);
	}
	return pid;
}

pid_t child_start(struct desk *desk, const char *name, const char *const *argv, int keep_fd,
                  GError **error)
{
	g_autofree char *path = log_path(desk, name);
	pid_t parent = getpid();
	int report[2];
	pid_t pid = fork_reporting(desk, report, error);

	if (pid < 0) {
		return -1;
	}
	if (pid == 0) {
		struct sigaction plain = { .sa_handler = SIG_DFL };
		sigset_t none;
		int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		int log_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);

		end_with(parent);
		/* Also SIGUSR1: an X server that finds it ignored sends it to its parent. */
		for (int sig = 1; sig < NSIG; sig++) {
			sigaction(sig, &plain, NULL);
		}
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (null_fd < 0 || log_fd < 0 || dup2(null_fd, 0) < 0 || dup2(log_fd, 1) < 0 ||
		    dup2(log_fd, 2) < 0 || chdir("/") != 0 ||
		    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0 ||
		    (keep_fd >= 0 && fcntl(keep_fd, F_SETFD, 0) != 0)) {
			give_up(report[1]);
		}
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		give_up(report[1]);
	}
	int reason = await_exec(report[0]);
	if (reason != 0) {
		g_set_error(error, DESK_ERROR, EXIT_UNAVAILABLE, "cannot start %s: %s", argv[0],
		            g_strerror(reason));
		return -1;
	}
	desk_say(desk, "%s is process %d", name, (int)pid);
	return pid;
}

pid_t child_start_command(struct desk *desk, GError **error)
{
	char **argv = desk->options.command;
	pid_t parent = getpid();
	int report[2];
	pid_t pid = fork_reporting(desk, report, error);

	if (pid < 0) {
		return -1;
	}
	if (pid == 0) {
		end_with(parent);
		/* With the front, so that the terminal's foreground and its Ctrl-C are COMMAND's. */
		setpgid(0, desk->origin.group);
		sigaction(SIGPIPE, &desk->origin.pipe, NULL);
		sigaction(SIGTTOU, &desk->origin.ttou, NULL);
		sigaction(SIGCHLD, &desk->origin.chld, NULL);
		sigprocmask(SIG_SETMASK, &desk->origin.mask, NULL);
		execvp(argv[0], argv);
		give_up(report[1]);
	}
	int reason = await_exec(report[0]);
	if (reason != 0) {
		/* as a shell has it */
		g_set_error(error, DESK_ERROR, reason == ENOENT ? 127 : 126, "cannot run %s: %s",
		            argv[0], g_strerror(reason));
		return -1;
	}
	return pid;
}

char *child_describe(int status)
{
	if (WIFSIGNALED(status)) {
		return g_strdup_printf("was ended by signal %d (%s)", WTERMSIG(status),
		                       strsignal(WTERMSIG(status)));
	}
	return g_strdup_printf("exited with %d", WEXITSTATUS(status));
}

/* The last lines of a log, each on a line of its own behind a bar; "" when it is empty. */
static char *read_tail(const char *path)
{
	char text[TAIL_BYTES + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return g_strdup("");
	}
	off_t size = lseek(fd, 0, SEEK_END);
	ssize_t length = pread(fd, text, TAIL_BYTES, MAX(size - TAIL_BYTES, 0));
	close(fd);
	text[MAX(length, 0)] = '\0';

	g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
	guint n = g_strv_length(lines);
	GString *tail = g_string_new(NULL);
	for (guint i = n > TAIL_LINES ? n - TAIL_LINES : 0; i < n; i++) {
		g_autofree char *clean = g_utf8_make_valid(lines[i], -1);

		quote_printf(tail, "\n  | %s", clean);
	}
	return g_string_free(tail, FALSE);
}

void child_set_error(struct desk *desk, GError **error, const char *name, int status,
                     const char *format, ...)
{
	g_autofree char *path = log_path(desk, name);
	g_autofree char *end = status < 0 ? g_strdup("still runs") : child_describe(status);
	g_autofree char *tail = read_tail(path);
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "%s (%s %s)%s%s", what, name, end,
	            tail[0] != '\0' ? "; it said:" : "; it said nothing", tail);
}
