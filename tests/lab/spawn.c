/* SPDX-License-Identifier: MIT */
/* Time and processes. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

gint64 lab_deadline(int ms)
{
	return MIN(g_get_monotonic_time() + ms * (gint64)1000, lab_test_end());
}

int lab_left(gint64 deadline)
{
	gint64 left = deadline - g_get_monotonic_time();

	return left <= 0 ? 0 : (int)MIN((left + 999) / 1000, G_MAXINT);
}

bool lab_readable(int fd, gint64 deadline)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	int got;

	do {
		got = poll(&poller, 1, lab_left(deadline));
	} while (got < 0 && errno == EINTR);
	return got > 0;
}

const char *lab_driver_path(void)
{
	return g_getenv("CUA_DRIVER");
}

static void use_fd(int fd, int as)
{
	if (fd == as) {
		fcntl(fd, F_SETFD, 0);
	} else {
		dup2(fd, as);
	}
}

pid_t lab_spawn(const struct lab_spawn *spec)
{
	g_autofree char *program = g_find_program_in_path(spec->argv[0]);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (!program) {
		lab_fail("%s is not installed", spec->argv[0]);
	}
	fflush(NULL);
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid < 0) {
		lab_fail("fork: %s", g_strerror(errno));
	}
	if (pid > 0) {
		close(null);
		return pid;
	}
	if (!spec->outlives) {
		/* Also ends what is stopped with SIGSTOP and would never see the X server go. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent) {
			_exit(1);
		}
	}
	signal(SIGPIPE, SIG_DFL);
	use_fd(spec->in > 0 ? spec->in : null, STDIN_FILENO);
	if (spec->out > 0) {
		use_fd(spec->out, STDOUT_FILENO);
	} else {
		dup2(STDERR_FILENO, STDOUT_FILENO); /* stdout is our TAP */
	}
	if (spec->err > 0) {
		use_fd(spec->err, STDERR_FILENO);
	}
	execve(program, (char **)(uintptr_t)spec->argv, spec->env ? spec->env : environ);
	_exit(127);
}

static bool wait_pidfd(pid_t pid, int ms)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0) {
		return errno == ESRCH;
	}
	bool gone = lab_readable(fd, lab_deadline(ms));
	close(fd);
	return gone;
}

int lab_reap(pid_t pid, int ms)
{
	int status;

	if (!wait_pidfd(pid, ms) || waitpid(pid, &status, 0) != pid) {
		return -1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool lab_gone(pid_t pid, int ms)
{
	return wait_pidfd(pid, ms);
}

static int memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0) {
		lab_fail("memfd: %s", g_strerror(errno));
	}
	return fd;
}

static char *contents(int fd, gsize *size)
{
	struct stat info;

	fstat(fd, &info);
	char *text = g_malloc0(info.st_size + 1);
	ssize_t got = pread(fd, text, info.st_size, 0);
	text[MAX(got, 0)] = '\0';
	if (size) {
		*size = MAX(got, 0);
	}
	close(fd);
	return text;
}

struct lab_run lab_run(char **env, const char *const *argv, const char *input, int ms)
{
	struct lab_run run = { 0 };
	int in = memory_file("stdin"), out = memory_file("stdout"), err = memory_file("stderr");

	if (input && write(in, input, strlen(input)) < 0) {
		lab_fail("write: %s", g_strerror(errno));
	}
	lseek(in, 0, SEEK_SET);
	pid_t pid = lab_spawn(&(struct lab_spawn){
		.argv = argv, .env = env, .in = in, .out = out, .err = err });
	close(in);
	run.code = lab_reap(pid, ms);
	if (run.code < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	run.out = contents(out, &run.out_size);
	run.err = contents(err, NULL);
	return run;
}

void lab_run_tap(char **env, const char *const *argv, int ms)
{
	int ends[2], err = memory_file("stderr");
	int failed = 0, seen = 0;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		lab_fail("pipe: %s", g_strerror(errno));
	}
	pid_t pid = lab_spawn(&(struct lab_spawn){
		.argv = argv, .env = env, .out = ends[1], .err = err });
	close(ends[1]);
	gint64 deadline = lab_deadline(ms);
	g_autoptr(GString) line = g_string_new(NULL);
	char letter;
	while (lab_readable(ends[0], deadline) && read(ends[0], &letter, 1) == 1) {
		if (letter != '\n') {
			g_string_append_c(line, letter);
			continue;
		}
		/* Indented by four: a subtest, which a TAP reader shows but does not count. */
		printf("    %s\n", line->str);
		seen += g_str_has_prefix(line->str, "ok ") || g_str_has_prefix(line->str, "not ok ");
		failed += g_str_has_prefix(line->str, "not ok ") && !strstr(line->str, "# TODO");
		g_string_truncate(line, 0);
	}
	int code = lab_reap(pid, lab_left(deadline));
	if (code != 0 || failed > 0 || seen == 0) {
		if (code < 0) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
		}
		g_autofree char *text = contents(err, NULL);
		lab_fail("%s: exit code %d, %d of %d failed\n%s", argv[0], code, failed, seen, text);
	}
}

char *lab_line_of(int fd, int ms)
{
	GString *line = g_string_new(NULL);
	gint64 deadline = lab_deadline(ms);
	char byte = 0;

	while (byte != '\n') {
		if (!lab_readable(fd, deadline) || read(fd, &byte, 1) != 1) {
			lab_fail("it said only: %s", line->str);
		}
		g_string_append_c(line, byte);
	}
	return g_strchomp(g_string_free(line, FALSE));
}

int lab_memory_kb(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)pid), *text = NULL;
	const char *found = g_file_get_contents(path, &text, NULL, NULL) ? strstr(text, "RssAnon:") : NULL;

	lab_assert(found);
	return atoi(found + strlen("RssAnon:"));
}
