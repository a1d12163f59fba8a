/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/roster.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/file.h"
#include "core/folder.h"
#include "core/panic.h"

#define FOLDER "drivers"
#define PROGRAM "cua-driver"
/* Of an entry, and of what the kernel tells of a process. */
#define MOST_BYTES 65536
#define MOST_ENVIRONMENT (8 * 1024 * 1024)

char **roster_folders(void)
{
	char **folders = folder_all();
	for (char **folder = folders; *folder != NULL; folder++) {
		char *below = g_build_filename(*folder, FOLDER, NULL);
		g_free(*folder);
		*folder = below;
	}
	return folders;
}

static char *path_in(const char *folder, pid_t pid)
{
	return g_strdup_printf("%s/%d", folder, (int)pid);
}

static char *proc_text(pid_t pid, const char *name, gsize most, gsize *length)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, name);
	return file_read(path, most, length, NULL);
}

/* When the process started, in the kernel's ticks since boot; 0 if there is none, or it is a zombie. */
static guint64 start_of(pid_t pid)
{
	g_autofree char *text = proc_text(pid, "stat", MOST_BYTES, NULL);
	char state;
	guint64 started;
	/* The name, in parentheses, may hold anything. */
	const char *rest = text != NULL ? strrchr(text, ')') : NULL;
	return rest != NULL && sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
		"%*d %*d %*d %" G_GUINT64_FORMAT, &state, &started) == 2 && state != 'Z' && state != 'X'
		? started : 0;
}

bool roster_write(bool stopped, GError **error)
{
	g_auto(GStrv) folders = roster_folders();
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT " %s\n", start_of(getpid()),
		stopped ? "stopped" : "acting");
	bool written = false;
	for (char **folder = folders; *folder != NULL; folder++) {
		g_autofree char *path = path_in(*folder, getpid());
		g_autoptr(GError) problem = NULL;
		if (folder_prepare(*folder, &problem)
			&& g_file_set_contents_full(
				path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &problem)) {
			written = true;
		} else if (error != NULL && *error == NULL) {
			g_propagate_error(error, g_steal_pointer(&problem));
		}
	}
	if (written) {
		g_clear_error(error);
	}
	return written;
}

void roster_remove(void)
{
	g_auto(GStrv) folders = roster_folders();
	for (char **folder = folders; *folder != NULL; folder++) {
		g_autofree char *path = path_in(*folder, getpid());
		g_unlink(path);
	}
}

const struct roster_entry *roster_find(const GArray *list, const struct roster_entry *entry)
{
	for (guint i = 0; i < list->len; i++) {
		const struct roster_entry *other = &g_array_index(list, struct roster_entry, i);
		if (other->pid == entry->pid && other->started == entry->started) {
			return other;
		}
	}
	return NULL;
}

bool roster_lives(const struct roster_entry *entry)
{
	return start_of(entry->pid) == entry->started;
}

static bool read_entry(const char *folder, const char *name, struct roster_entry *entry)
{
	char state[16];
	char *end;
	entry->pid = (pid_t)strtol(name, &end, 10);
	if (entry->pid <= 0 || *end != '\0') {
		return false; /* a file on its way */
	}
	g_autofree char *path = path_in(folder, entry->pid);
	g_autofree char *text = file_read(path, MOST_BYTES, NULL, NULL);
	if (text == NULL || sscanf(text, "%" G_GUINT64_FORMAT " %15s", &entry->started, state) != 2
		|| !roster_lives(entry)) {
		g_unlink(path);
		return false;
	}
	entry->stopped = strcmp(state, "stopped") == 0;
	return true;
}

GArray *roster_list(void)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct roster_entry));
	g_auto(GStrv) folders = roster_folders();
	for (char **folder = folders; *folder != NULL; folder++) {
		g_autoptr(GDir) dir = g_dir_open(*folder, 0, NULL);
		const char *name;
		while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
			struct roster_entry entry;
			if (!read_entry(*folder, name, &entry)) {
				continue;
			}
			struct roster_entry *known = (struct roster_entry *)roster_find(
				list, &entry);
			if (known == NULL) {
				g_array_append_val(list, entry);
			} else {
				/* One of the two may be a place that it can no longer write to. */
				known->stopped |= entry.stopped;
			}
		}
	}
	return list;
}

/* --- Among the processes ---------------------------------------------------------------------- */

/* Whether it is this program, also after an upgrade took the file away. */
static bool is_program(pid_t pid)
{
	g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)pid),
			*exe = g_file_read_link(link, NULL);
	g_autofree char *name = exe != NULL ? g_path_get_basename(exe) : NULL;
	return name != NULL
		&& (strcmp(name, PROGRAM) == 0 || strcmp(name, PROGRAM " (deleted)") == 0);
}

/* Whether it belongs to the user and does not die of our signals. */
static bool listens(pid_t pid)
{
	g_autofree char *status = proc_text(pid, "status", MOST_BYTES, NULL);
	const char *uids = status != NULL ? strstr(status, "\nUid:") : NULL,
		   *caught = status != NULL ? strstr(status, "\nSigCgt:") : NULL;
	unsigned real, effective;
	guint64 signals,
		ours = G_GUINT64_CONSTANT(1) << (PANIC_STOP - 1)
		| G_GUINT64_CONSTANT(1) << (PANIC_RESUME - 1);
	return uids != NULL && caught != NULL
		&& sscanf(uids, "\nUid: %u %u", &real, &effective) == 2 && effective == geteuid()
		&& sscanf(caught, "\nSigCgt: %" G_GINT64_MODIFIER "x", &signals) == 1
		&& (signals & ours) == ours;
}

/* Tests run beside the user's own drivers, and beside each other. */
static bool is_of_our_test(pid_t pid)
{
	const char *place = g_getenv("CUA_DRIVER_TEST_PLACE");
	if (place == NULL || *place == '\0') {
		return true;
	}
	gsize length = 0;
	g_autofree char *environment = proc_text(pid, "environ", MOST_ENVIRONMENT, &length);
	g_autofree char *wanted = g_strconcat("CUA_DRIVER_TEST_PLACE=", place, NULL);
	for (gsize at = 0; environment != NULL && at < length; at += strlen(environment + at) + 1) {
		if (strcmp(environment + at, wanted) == 0) {
			return true;
		}
	}
	return false;
}

GArray *roster_search(void)
{
	GArray *list = roster_list();
	g_autoptr(GDir) dir = g_dir_open("/proc", 0, NULL);
	const char *name;
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		struct roster_entry entry = { .pid = g_ascii_isdigit(name[0]) ? (pid_t)atoi(name)
									      : 0 };
		if (entry.pid <= 0 || !is_program(entry.pid) || !listens(entry.pid)
			|| !is_of_our_test(entry.pid)) {
			continue;
		}
		entry.started = start_of(entry.pid);
		if (entry.started != 0 && roster_find(list, &entry) == NULL) {
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
