/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/nursery.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include "apps/process.h"
#include "core/error.h"

/* Executing a file takes this long at most, unless its file system is stuck. */
#define EXEC_MS 5000

struct child {
	gatomicrefcount references; /* the caller, and the nursery while it lives */
	pid_t pid;
	int pidfd;
	int gate;                /* written to: it may run; closed: it must not. -1: it does */
	int report;              /* errno of what failed before its program ran; closed by its exec */
	char *entry;
	int ended;               /* atomic */
	int status;              /* once ended */
};

static GMutex lock;
static GPtrArray *children;  /* struct child that live */
static GThread *reaper;
static int bell = -1;        /* eventfd: there is a new one */

void child_abandon(struct child *child)
{
	/* It sees its gate close, and ends. */
	if (child->gate >= 0) {
		close(child->gate);
		child->gate = -1;
	}
}

void child_unref(struct child *child)
{
	if (child == NULL) {
		return;
	}
	if (!g_atomic_ref_count_dec(&child->references)) {
		return;
	}
	if (child->report >= 0) {
		close(child->report);
	}
	close(child->pidfd);
	g_free(child->entry);
	g_free(child);
}

/* Reads how it ended. False if it lives. */
static bool reap(struct child *child)
{
	int status = 0;
	if (g_atomic_int_get(&child->ended) != 0) {
		return true;
	}
	pid_t pid = waitpid(child->pid, &status, WNOHANG);
	if (pid == 0 || (pid < 0 && errno == EINTR)) {
		return false;
	}
	child->status = pid > 0 ? status : 0;
	g_atomic_int_set(&child->ended, 1);
	return true;
}

/* Takes those that have ended out, and fills in what to wait for. */
static GArray *look(void)
{
	GArray *fds = g_array_new(FALSE, TRUE, sizeof(struct pollfd));
	struct pollfd fd = { .fd = bell, .events = POLLIN };
	g_array_append_val(fds, fd);
	g_mutex_lock(&lock);
	for (guint i = children->len; i-- > 0;) {
		struct child *child = children->pdata[i];
		if (reap(child)) {
			g_ptr_array_remove_index_fast(children, i);
			child_unref(child);
		} else {
			fd.fd = child->pidfd;
			g_array_append_val(fds, fd);
		}
	}
	g_mutex_unlock(&lock);
	return fds;
}

static gpointer reaper_main(gpointer data)
{
	(void)data;
	for (;;) {
		g_autoptr(GArray) fds = look();
		eventfd_t unused;
		poll((struct pollfd *)(void *)fds->data, fds->len, -1);
		eventfd_read(bell, &unused);
	}
	return NULL;
}

static void take_in(struct child *child)
{
	g_mutex_lock(&lock);
	if (reaper == NULL) {
		bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		children = g_ptr_array_new();
		reaper = g_thread_new("nursery", reaper_main, NULL);
	}
	g_atomic_ref_count_inc(&child->references);
	g_ptr_array_add(children, child);
	g_mutex_unlock(&lock);
	eventfd_write(bell, 1);
}

/* Where the child's words go: the user's journal, as of any other application, else nowhere. */
static int open_log(const char *name)
{
	int fd = sd_journal_stream_fd(name, 6, 0);
	return fd >= 0 ? fd : open("/dev/null", O_WRONLY | O_CLOEXEC);
}

/* Everything but these two, which must not be kept open by somebody else's child. */
static int close_others(int one, int other)
{
	unsigned low = (unsigned)MIN(one, other), high = (unsigned)MAX(one, other);
	return (low > 3 && syscall(SYS_close_range, 3, low - 1, 0) != 0)
		|| (high > low + 1 && syscall(SYS_close_range, low + 1, high - 1, 0) != 0)
		|| syscall(SYS_close_range, high + 1, ~0U, 0) != 0 ? -1 : 0;
}

/* Lets whoever descends from it be known by it: a session can be left, this cannot. */
static void sign(char **environment)
{
	const gsize length = sizeof PROCESS_LAUNCHED "=" - 1;
	while (*environment != NULL && strncmp(*environment, PROCESS_LAUNCHED "=", length) != 0) {
		environment++;
	}
	if (*environment != NULL) {
		char digits[16], *to = *environment + length;
		int count = 0;
		for (pid_t rest = getpid(); rest > 0; rest /= 10) {
			digits[count++] = (char)('0' + rest % 10);
		}
		while (count > 0) {
			*to++ = digits[--count];
		}
		*to = '\0';
	}
}

/* In the child, between fork and exec: nothing but system calls. */
G_NORETURN static void become(char **arguments, char **environment, const char *folder, int gate, int report,
	int in, int out)
{
	char go;
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t none;
	bool ready = dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0 && close_others(gate, report) == 0
		&& (chdir(folder) == 0 || chdir("/") == 0);
	int reason = errno;
	setsid();
	sign(environment);
	for (int number = 1; number < NSIG; number++) {
		sigaction(number, &plain, NULL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	ssize_t length;
	do {
		length = read(gate, &go, 1);
	} while (length < 0 && errno == EINTR);
	if (length != 1) {
		_exit(0);
	}
	if (ready) {
		/* The gate closes with it, as both are to be closed on exec. */
		execve(arguments[0], arguments, environment);
		reason = errno;
	}
	(void)!write(report, &reason, sizeof reason);
	_exit(127);
}

/* Descriptors 0 to 2 are written over in the child before the others are closed. */
static int above_standard(int fd)
{
	int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	close(fd);
	return higher;
}

struct child *child_new(const struct birth *birth, GError **error)
{
	int gate[2] = { -1, -1 }, report[2] = { -1, -1 };
	g_autofree char *program = g_path_get_basename(birth->arguments[0]);
	int in = above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
	int out = above_standard(open_log(program));
	const char *folder = birth->folder != NULL && *birth->folder != '\0' ? birth->folder : g_get_home_dir();
	struct child *child = NULL;
	pid_t pid = -1;
	if (pipe2(gate, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0) {
		pid = fork();
	}
	if (pid == 0) {
		close(gate[1]);
		become(birth->arguments, birth->environment, folder, gate[0], report[1], in, out);
	}
	int reason = errno;
	close(gate[0]);
	close(report[1]);
	close(in);
	close(out);
	int pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (pidfd < 0) {
		close(gate[1]);
		close(report[0]);
		error_set(error, ERROR_LAUNCH_FAILED, "No process can be started: %s",
			g_strerror(pid > 0 ? errno : reason));
		return NULL;
	}
	child = g_new0(struct child, 1);
	g_atomic_ref_count_init(&child->references);
	child->pid = pid;
	child->pidfd = pidfd;
	child->gate = gate[1];
	child->report = report[0];
	child->entry = g_strdup(birth->entry);
	take_in(child);
	return child;
}

bool child_go(struct child *child, struct deadline deadline, GError **error)
{
	int reason = 0;
	(void)!write(child->gate, "", 1);
	close(child->gate);
	child->gate = -1;
	/* Closed by its exec, or by its end. */
	if (deadline_poll(deadline_within(deadline, EXEC_MS), child->report, POLLIN, "the program", NULL)
		&& read(child->report, &reason, sizeof reason) == sizeof reason) {
		error_set(error, ERROR_LAUNCH_FAILED, "It cannot be run: %s", g_strerror(reason));
		return false;
	}
	return true;
}

pid_t child_pid(const struct child *child)
{
	return child->pid;
}

int child_descriptor(const struct child *child)
{
	return child->pidfd;
}

bool child_ended(struct child *child, int *status)
{
	g_mutex_lock(&lock);
	bool ended = g_atomic_int_get(&child->ended) != 0 || reap(child);
	g_mutex_unlock(&lock);
	if (ended && status != NULL) {
		*status = child->status;
	}
	return ended;
}

char *nursery_entry_of(pid_t pid)
{
	char *entry = NULL;
	g_mutex_lock(&lock);
	for (guint i = 0; children != NULL && i < children->len; i++) {
		const struct child *child = children->pdata[i];
		if (child->pid == pid) {
			entry = g_strdup(child->entry);
		}
	}
	g_mutex_unlock(&lock);
	return entry;
}

struct child *nursery_find(const char *entry)
{
	struct child *found = NULL;
	g_mutex_lock(&lock);
	for (guint i = 0; children != NULL && i < children->len; i++) {
		struct child *child = children->pdata[i];
		if (g_strcmp0(child->entry, entry) == 0 && !reap(child)) {
			found = child;
		}
	}
	if (found != NULL) {
		g_atomic_ref_count_inc(&found->references);
	}
	g_mutex_unlock(&lock);
	return found;
}
