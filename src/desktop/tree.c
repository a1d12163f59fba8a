/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "desktop/tree.h"
#include "desktop/watch.h"

#define KILL_LIMIT (5 * G_USEC_PER_SEC)

struct process {
	pid_t pid, parent;
	unsigned long long start; /* with the pid it names one process for good */
	char state;
};

static bool read_process(pid_t pid, struct process *process)
{
	char path[32], text[1024];

	g_snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		return false;
	}
	ssize_t length = read(fd, text, sizeof text - 1);
	close(fd);
	if (length <= 0) {
		return false;
	}
	text[length] = '\0';

	/* The name may hold blanks and brackets; the last bracket ends it. */
	const char *rest = strrchr(text, ')');
	int parent;
	if (rest == NULL ||
	    sscanf(rest + 1, " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
	           "%*s %*s %llu", &process->state, &parent, &process->start) != 3) {
		return false;
	}
	process->pid = pid;
	process->parent = parent;
	return true;
}

/* pid → struct process, of all there are. */
static GHashTable *read_all(void)
{
	GHashTable *all = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (proc != NULL && (name = g_dir_read_name(proc)) != NULL) {
		pid_t pid = (pid_t)strtol(name, NULL, 10);
		struct process process;

		if (pid > 0 && read_process(pid, &process)) {
			g_hash_table_insert(all, GINT_TO_POINTER(pid),
			                    g_memdup2(&process, sizeof process));
		}
	}
	return all;
}

static bool is_ours(const struct tree *tree, GHashTable *all, const struct process *process,
                    const pid_t *spare, size_t n_spare)
{
	pid_t self = getpid();

	/* A chain read while it changes could be a ring; no real one is that long. */
	for (int depth = 0; process != NULL && depth < 4096; depth++) {
		for (size_t i = 0; i < n_spare; i++) {
			if (process->pid == spare[i]) {
				return false;
			}
		}
		if (g_hash_table_contains(tree->before, GINT_TO_POINTER(process->pid))) {
			return false;
		}
		if (process->parent == self) {
			return true;
		}
		process = g_hash_table_lookup(all, GINT_TO_POINTER(process->parent));
	}
	return false;
}

/* The living descendants, as an array of struct process. */
static GArray *descendants(const struct tree *tree, const pid_t *spare, size_t n_spare)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct process));
	g_autoptr(GHashTable) all = read_all();
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct process *process = value;

		if (process->state != 'Z' && process->state != 'X' &&
		    is_ours(tree, all, process, spare, n_spare)) {
			g_array_append_vals(found, process, 1);
		}
	}
	return found;
}

/* Reaps all that ended. False when there is no child any more, so no descendant either. */
static bool reap(struct tree *tree)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
		g_hash_table_add(tree->ended, GINT_TO_POINTER(pid));
	}
	return pid == 0;
}

/* A handle on exactly this process, or -1 when it is gone. */
static int hold(const struct process *process)
{
	struct process now;
	int fd = pidfd_open(process->pid, 0); /* close-on-exec by nature */

	/* The handle is taken first: if the start time still matches, it is on the right one. */
	if (fd >= 0 && (!read_process(process->pid, &now) || now.start != process->start)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void await_exit(GArray *handles, int64_t deadline)
{
	while (handles->len > 0) {
		int n = poll((struct pollfd *)(void *)handles->data, handles->len,
		             watch_milliseconds(deadline));

		if (n == 0 || (n < 0 && errno != EINTR)) {
			return;
		}
		for (guint i = handles->len; n > 0 && i-- > 0;) {
			struct pollfd *handle = &g_array_index(handles, struct pollfd, i);

			if (handle->revents != 0) {
				close(handle->fd);
				g_array_remove_index_fast(handles, i);
			}
		}
	}
}

/* Signals all of `found` and waits for them. SIGTERM goes to each process only once. */
static void end_round(struct tree *tree, GArray *found, GHashTable *asked, int sig,
                      int64_t deadline)
{
	g_autoptr(GArray) handles = g_array_new(FALSE, FALSE, sizeof(struct pollfd));

	for (guint i = 0; i < found->len; i++) {
		const struct process *process = &g_array_index(found, struct process, i);
		gpointer key = GINT_TO_POINTER(process->pid);
		int fd = hold(process);

		if (fd < 0) {
			continue;
		}
		g_hash_table_add(tree->ended, key);
		if (sig == SIGKILL || g_hash_table_add(asked, key)) {
			pidfd_send_signal(fd, sig, NULL, 0);
			pidfd_send_signal(fd, SIGCONT, NULL, 0); /* a stopped one must act on it */
		}
		struct pollfd handle = { .fd = fd, .events = POLLIN };
		g_array_append_val(handles, handle);
	}
	await_exit(handles, deadline);
	for (guint i = 0; i < handles->len; i++) {
		close(g_array_index(handles, struct pollfd, i).fd);
	}
}

bool tree_end(struct tree *tree, const pid_t *spare, size_t n_spare, int64_t grace)
{
	g_autoptr(GHashTable) asked = g_hash_table_new(NULL, NULL);
	int64_t patience = g_get_monotonic_time() + grace;

	while (reap(tree)) {
		g_autoptr(GArray) found = descendants(tree, spare, n_spare);
		int64_t now = g_get_monotonic_time();

		if (found->len == 0) {
			/* Only the spared are left, or what was seen is just becoming a zombie. */
			g_autoptr(GArray) again = descendants(tree, spare, n_spare);
			if (again->len == 0) {
				break;
			}
			continue;
		}
		if (now >= patience + KILL_LIMIT) {
			return false;
		}
		if (now < patience) {
			end_round(tree, found, asked, SIGTERM, patience);
		} else {
			end_round(tree, found, asked, SIGKILL, now + G_USEC_PER_SEC);
		}
	}
	reap(tree);
	return true;
}

void tree_init(struct tree *tree)
{
	tree->before = g_hash_table_new(NULL, NULL);
	tree->ended = g_hash_table_new(NULL, NULL);

	g_autoptr(GArray) found = descendants(tree, NULL, 0);
	for (guint i = 0; i < found->len; i++) {
		g_hash_table_add(tree->before,
		                 GINT_TO_POINTER(g_array_index(found, struct process, i).pid));
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void tree_finish(struct tree *tree)
{
	g_clear_pointer(&tree->before, g_hash_table_unref);
	g_clear_pointer(&tree->ended, g_hash_table_unref);
}
