/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/roster.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/folder.h"

char *roster_folder(void)
{
	g_autofree char *runtime = folder_runtime();
	return g_build_filename(runtime, "drivers", NULL);
}

static char *path_of(pid_t pid)
{
	g_autofree char *folder = roster_folder();
	return g_strdup_printf("%s/%d", folder, (int)pid);
}

/* When the process started, in the kernel's ticks since boot; 0 if there is none, or it is a zombie. */
static guint64 start_of(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid), *text = NULL;
	char state;
	guint64 started;
	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		return 0;
	}
	/* The name, in parentheses, may hold anything. */
	const char *rest = strrchr(text, ')');
	return rest != NULL && sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
		"%*d %*d %*d %" G_GUINT64_FORMAT, &state, &started) == 2 && state != 'Z' && state != 'X'
		? started : 0;
}

bool roster_write(bool stopped, GError **error)
{
	g_autofree char *folder = roster_folder(), *path = path_of(getpid());
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT " %s\n", start_of(getpid()),
		stopped ? "stopped" : "acting");
	return folder_prepare(folder, error)
		&& g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

void roster_remove(void)
{
	g_autofree char *path = path_of(getpid());
	g_unlink(path);
}

static bool read_entry(const char *name, struct roster_entry *entry)
{
	g_autofree char *text = NULL;
	char state[16];
	char *end;
	entry->pid = (pid_t)strtol(name, &end, 10);
	if (entry->pid <= 0 || *end != '\0') {
		return false; /* a file on its way */
	}
	g_autofree char *path = path_of(entry->pid);
	if (!g_file_get_contents(path, &text, NULL, NULL)
		|| sscanf(text, "%" G_GUINT64_FORMAT " %15s", &entry->started, state) != 2
		|| start_of(entry->pid) != entry->started) {
		g_unlink(path);
		return false;
	}
	entry->stopped = strcmp(state, "stopped") == 0;
	return true;
}

GArray *roster_list(void)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct roster_entry));
	g_autofree char *folder = roster_folder();
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		struct roster_entry entry;
		if (read_entry(name, &entry)) {
			g_array_append_val(list, entry);
		}
	}
	return list;
}

bool roster_signal(const struct roster_entry *entry, int signal)
{
	/* Opened first and compared then: the descriptor stays with the process that was compared. */
	int fd = (int)syscall(SYS_pidfd_open, entry->pid, 0);
	bool sent = fd >= 0 && start_of(entry->pid) == entry->started
		&& syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
	if (fd >= 0) {
		close(fd);
	}
	return sent;
}
