/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Beyond this many, what is known of processes that are gone is forgotten. */
#define TOLD_KEPT 2048
/* In the flags of /proc/PID/stat. */
#define PF_KTHREAD 0x00200000u

static GMutex told_lock;
static GHashTable *told; /* pid → start (guint64) */

static char *path_of(pid_t pid, const char *file)
{
	return g_strdup_printf("/proc/%d/%s", (int)pid, file);
}

bool process_read(pid_t pid, struct process *process)
{
	g_autofree char *path = path_of(pid, "stat");
	g_autofree char *text = NULL;
	if (pid <= 0 || !g_file_get_contents(path, &text, NULL, NULL)) {
		return false;
	}
	/* The name is in parentheses and may hold any. */
	const char *rest = strrchr(text, ')');
	int parent, session;
	unsigned flags;
	unsigned long long start;
	*process = (struct process){ .pid = pid };
	if (rest == NULL || sscanf(rest + 1, " %c %d %*d %d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
		"%*d %*d %llu", &process->state, &parent, &session, &flags, &start) != 5) {
		return false;
	}
	process->parent = parent;
	process->session = session;
	process->kernel = (flags & PF_KTHREAD) != 0;
	process->start = start;
	return true;
}

bool process_is_ours(pid_t pid)
{
	/* Not the owner of the file: a process that changed its user has files of root until it executes something. */
	g_autofree char *path = path_of(pid, "status");
	g_autofree char *text = NULL;
	const char *line;
	unsigned real, effective;
	return g_file_get_contents(path, &text, NULL, NULL) && (line = strstr(text, "\nUid:")) != NULL
		&& sscanf(line, " Uid: %u %u", &real, &effective) == 2 && real == geteuid() && effective == geteuid();
}

GArray *process_list(void)
{
	GArray *pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *name;
	while (proc != NULL && (name = g_dir_read_name(proc)) != NULL) {
		pid_t pid = (pid_t)g_ascii_strtoull(name, NULL, 10);
		if (pid > 0) {
			g_array_append_val(pids, pid);
		}
	}
	g_clear_pointer(&proc, g_dir_close);
	return pids;
}

char *process_program(pid_t pid)
{
	g_autofree char *path = path_of(pid, "exe");
	char *program = g_file_read_link(path, NULL);
	/* A program that was replaced while it runs, by an upgrade, is still that program. */
	if (program != NULL && g_str_has_suffix(program, " (deleted)")) {
		program[strlen(program) - strlen(" (deleted)")] = '\0';
	}
	return program;
}

/* A file of strings that end with a NUL each. */
static char **read_strings(pid_t pid, const char *file)
{
	g_autofree char *path = path_of(pid, file);
	g_autofree char *bytes = NULL;
	gsize size;
	if (!g_file_get_contents(path, &bytes, &size, NULL)) {
		return NULL;
	}
	GStrvBuilder *strings = g_strv_builder_new();
	for (gsize at = 0; at < size; at += strlen(bytes + at) + 1) {
		g_strv_builder_add(strings, bytes + at);
	}
	char **list = g_strv_builder_end(strings);
	g_strv_builder_unref(strings);
	return list;
}

char **process_arguments(pid_t pid)
{
	return read_strings(pid, "cmdline");
}

char *process_variable(pid_t pid, const char *name)
{
	g_auto(GStrv) environment = read_strings(pid, "environ");
	return environment != NULL ? g_strdup(g_environ_getenv(environment, name)) : NULL;
}

bool process_is_of(pid_t pid, pid_t launched)
{
	if (pid <= 0 || pid == launched || getsid(pid) == launched) {
		return pid > 0;
	}
	g_autofree char *sign = process_variable(pid, PROCESS_LAUNCHED);
	return sign != NULL && g_ascii_strtoll(sign, NULL, 10) == launched;
}

static gboolean is_gone(gpointer key, gpointer value, gpointer data)
{
	struct process process;
	(void)value, (void)data;
	return !process_read(GPOINTER_TO_INT(key), &process);
}

void process_told(pid_t pid)
{
	struct process process;
	if (!process_read(pid, &process)) {
		return;
	}
	g_mutex_lock(&told_lock);
	if (told == NULL) {
		told = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	}
	if (g_hash_table_size(told) >= TOLD_KEPT) {
		g_hash_table_foreach_remove(told, is_gone, NULL);
	}
	g_hash_table_insert(told, GINT_TO_POINTER(pid), g_memdup2(&process.start, sizeof process.start));
	g_mutex_unlock(&told_lock);
}

guint64 process_meant(pid_t pid)
{
	g_mutex_lock(&told_lock);
	const guint64 *start = told != NULL ? g_hash_table_lookup(told, GINT_TO_POINTER(pid)) : NULL;
	guint64 meant = start != NULL ? *start : 0;
	g_mutex_unlock(&told_lock);
	return meant;
}
