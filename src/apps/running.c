/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/running.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/nursery.h"
#include "apps/process.h"
#include "core/window.h"

static void instance_free(gpointer data)
{
	struct instance *instance = data;
	g_free(instance->name);
	g_free(instance);
}

static bool is_window(const struct window *window)
{
	return strcmp(window->type, "normal") == 0 || strcmp(window->type, "dialog") == 0;
}

/* What a process runs, by the last part of the path: of an interpreter, its script. */
static char *program_of(pid_t pid)
{
	g_autofree char *path = process_program(pid);
	char *program = path != NULL ? g_path_get_basename(path) : NULL;
	static const char *const interpreters[] = { "python", "perl", "ruby", "bash", "dash", "sh", "gjs", "node" };
	for (gsize i = 0; program != NULL && i < G_N_ELEMENTS(interpreters); i++) {
		if (g_str_has_prefix(program, interpreters[i])) {
			g_auto(GStrv) words = process_arguments(pid);
			guint at = 1;
			while (words != NULL && words[0] != NULL && words[at] != NULL && words[at][0] == '-') {
				at++;
			}
			if (words != NULL && words[0] != NULL && words[at] != NULL) {
				g_free(program);
				program = g_path_get_basename(words[at]);
			}
			break;
		}
	}
	return program;
}

bool running_is_program(pid_t pid, const char *path)
{
	g_autofree char *file = realpath(path, NULL);
	g_autofree char *program = process_program(pid);
	if (g_strcmp0(file, program) == 0) {
		return file != NULL;
	}
	g_auto(GStrv) words = process_arguments(pid);
	return words != NULL && words[0] != NULL && g_strcmp0(words[1], path) == 0;
}

static const struct entry *of_program(const GPtrArray *entries, const char *program)
{
	const struct entry *found = NULL;
	for (guint i = 0; program != NULL && i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		if (g_strcmp0(entry->program, program) == 0 && (found == NULL || (entry->shown && !found->shown))) {
			found = entry;
		}
	}
	return found;
}

/* By what the window says it is: its class is what the entry announces, or the entry's own name. */
static const struct entry *of_class(const GPtrArray *entries, const char *name)
{
	if (*name == '\0') {
		return NULL;
	}
	for (guint i = 0; i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		if (entry->wm_class != NULL && g_ascii_strcasecmp(entry->wm_class, name) == 0) {
			return entry;
		}
	}
	return entry_of_id(entries, name);
}

/* By who started it: ourselves, or somebody who left a note for it. */
static const struct entry *of_launch(const GPtrArray *entries, pid_t pid)
{
	g_autofree char *id = nursery_entry_of(pid);
	if (id != NULL) {
		return entry_of_id(entries, id);
	}
	g_autofree char *for_whom = process_variable(pid, "GIO_LAUNCHED_DESKTOP_FILE_PID");
	if (for_whom == NULL || g_ascii_strtoll(for_whom, NULL, 10) != pid) {
		return NULL;
	}
	g_autofree char *file = process_variable(pid, "GIO_LAUNCHED_DESKTOP_FILE");
	for (guint i = 0; file != NULL && i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		if (g_strcmp0(entry->file, file) == 0) {
			return entry;
		}
	}
	return NULL;
}

const struct entry *running_identify(const GPtrArray *entries, pid_t pid, const char *class_name)
{
	const struct entry *entry = of_class(entries, class_name);
	if (entry == NULL) {
		entry = of_launch(entries, pid);
	}
	if (entry == NULL) {
		g_autofree char *program = program_of(pid);
		entry = of_program(entries, program);
	}
	return entry;
}

static struct instance *find(GPtrArray *list, pid_t pid, const struct entry *entry)
{
	for (guint i = 0; i < list->len; i++) {
		struct instance *instance = list->pdata[i];
		if (instance->pid == pid && instance->entry == entry) {
			return instance;
		}
	}
	return NULL;
}

static struct instance *add(GPtrArray *list, pid_t pid, const struct entry *entry, const char *name)
{
	struct instance *instance = g_new0(struct instance, 1);
	instance->pid = pid;
	instance->entry = entry;
	instance->name = g_strdup(entry != NULL ? entry->name : name);
	g_ptr_array_add(list, instance);
	return instance;
}

/* ":5" and ":5.0" are one display. */
static bool is_display(const char *a, const char *b)
{
	if (a == NULL || b == NULL) {
		return false;
	}
	const char *colon_a = strrchr(a, ':'), *colon_b = strrchr(b, ':');
	return colon_a != NULL && colon_b != NULL && atoi(colon_a + 1) == atoi(colon_b + 1)
		&& colon_a - a == colon_b - b && strncmp(a, b, (gsize)(colon_a - a)) == 0;
}

static bool is_here(pid_t pid)
{
	g_autofree char *display = process_variable(pid, "DISPLAY");
	return is_display(display, g_getenv("DISPLAY"));
}

/* A process that another one of the same program has started is a part of that. */
static bool is_part(pid_t pid, const char *program)
{
	struct process process;
	if (!process_read(pid, &process)) {
		return true;
	}
	g_autofree char *parent = program_of(process.parent);
	return g_strcmp0(parent, program) == 0;
}

static bool has_pid(const GPtrArray *list, pid_t pid)
{
	for (guint i = 0; i < list->len; i++) {
		if (((const struct instance *)list->pdata[i])->pid == pid) {
			return true;
		}
	}
	return false;
}

static void add_windowless(GPtrArray *list, const GPtrArray *entries)
{
	g_autoptr(GArray) pids = process_list();
	for (guint i = 0; i < pids->len; i++) {
		pid_t pid = g_array_index(pids, pid_t, i);
		g_autofree char *program = has_pid(list, pid) ? NULL : program_of(pid);
		const struct entry *entry = of_program(entries, program);
		if (entry != NULL && entry->shown && !is_part(pid, program) && is_here(pid)) {
			add(list, pid, entry, NULL);
		}
	}
}

GPtrArray *running_list(const GPtrArray *entries, const GPtrArray *windows)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(instance_free);
	for (guint i = windows->len; i-- > 0;) {
		const struct window *window = windows->pdata[i];
		if (window->pid == 0 || !is_window(window)) {
			continue;
		}
		const struct entry *entry = running_identify(entries, window->pid, window->app_name);
		struct instance *instance = find(list, window->pid, entry);
		if (instance == NULL) {
			instance = add(list, window->pid, entry, window->app_name);
		}
		instance->windows++;
		instance->active = instance->active || window->active;
	}
	if (g_getenv("DISPLAY") != NULL) {
		add_windowless(list, entries);
	}
	return list;
}
