/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/ending.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "apps/process.h"

/* How long the kernel may take to take a killed process away. */
#define DEATH_MS 3000

static bool is_ancestor(pid_t pid)
{
	struct process process = { .parent = getpid() };
	while (process.parent > 1 && process.parent != pid && process_read(process.parent, &process)) {
	}
	return process.parent == pid;
}

/* Other processes of this driver, and other drivers of the same user. */
static bool is_driver(pid_t pid)
{
	g_autofree char *own = process_program(getpid());
	g_autofree char *other = process_program(pid);
	return own != NULL && g_strcmp0(own, other) == 0;
}

/* Why the process may not be ended; NULL if it may. */
static const char *protection(const struct process *process)
{
	if (process->pid == getpid() || is_driver(process->pid)) {
		return "is cua-driver itself";
	}
	if (process->pid == 1 || process->kernel) {
		return "belongs to the system";
	}
	if (is_ancestor(process->pid)) {
		return "is one that cua-driver runs under";
	}
	if (!process_is_ours(process->pid)) {
		return "belongs to another user";
	}
	return NULL;
}

static bool send_signal(int pidfd, pid_t pid, int signal, GError **error)
{
	if (syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) == 0 || errno == ESRCH) {
		return true;
	}
	error_set(error, ERROR_PROCESS_PROTECTED, "Process %d may not be signalled: %s",
		(int)pid, g_strerror(errno));
	return false;
}

static bool wait_end(int pidfd, struct deadline deadline, int ms)
{
	return deadline_poll(deadline_within(deadline, ms), pidfd, POLLIN, "the process", NULL);
}

static bool end(int pidfd, pid_t pid, int patience_ms, struct deadline deadline, struct ending *ending,
	GError **error)
{
	ending->signal = SIGTERM;
	if (!send_signal(pidfd, pid, SIGTERM, error)) {
		return false;
	}
	if (wait_end(pidfd, deadline, patience_ms)) {
		return true;
	}
	if (g_cancellable_is_cancelled(deadline.cancel)) {
		return deadline_over(deadline, "the process", error) && false;
	}
	ending->signal = SIGKILL;
	if (!send_signal(pidfd, pid, SIGKILL, error)) {
		return false;
	}
	/* Killed is killed, however late the call is: this has a time of its own. */
	if (!wait_end(pidfd, deadline_in(DEATH_MS, deadline.cancel), DEATH_MS)) {
		g_set_error(error, CUA_ERROR, ERROR_PROCESS_REMAINS, "Process %d was killed and is still there",
			(int)pid);
		return false;
	}
	return true;
}

/* From here on the descriptor names the process, whatever becomes of its number. */
static int open_process(pid_t pid, struct process *process)
{
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pidfd >= 0 && (!process_read(pid, process) || process->state == 'Z')) {
		close(pidfd);
		return -1;
	}
	return pidfd;
}

bool ending_run(pid_t pid, int patience_ms, struct deadline deadline, struct ending *ending,
	GError **error)
{
	struct process process;
	*ending = (struct ending){ 0 };
	int pidfd = open_process(pid, &process);
	if (pidfd < 0) {
		g_set_error(error, CUA_ERROR, ERROR_APP_NOT_FOUND, "There is no process %d (any more)", (int)pid);
		return false;
	}
	guint64 meant = process_meant(pid);
	const char *why = protection(&process);
	bool ended = false;
	if (why != NULL) {
		error_set(error, ERROR_PROCESS_PROTECTED, "Process %d %s", (int)pid, why);
	} else if (meant != 0 && meant != process.start) {
		g_set_error(error, CUA_ERROR, ERROR_PROCESS_REPLACED,
			"The process %d that was meant has ended, and another one has its number now", (int)pid);
	} else {
		g_autofree char *program = process_program(pid);
		ending->name = g_path_get_basename(program != NULL ? program : "");
		ended = end(pidfd, pid, patience_ms, deadline, ending, error);
	}
	close(pidfd);
	return ended;
}
