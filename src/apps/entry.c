/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/entry.h"

#include <gio/gdesktopappinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/nearest.h"

#define SUFFIX ".desktop"
/* Of a desktop file. */
#define MOST_BYTES (1024 * 1024)
/* Of a string in one. */
#define LONGEST 1000

void entry_free(struct entry *entry)
{
	if (entry == NULL) {
		return;
	}
	g_free(entry->id);
	g_free(entry->file);
	g_free(entry->name);
	g_free(entry->plain_name);
	g_free(entry->generic);
	g_free(entry->wm_class);
	g_free(entry->exec);
	g_free(entry->folder);
	g_free(entry->icon);
	g_free(entry->program);
	g_free(entry->program_path);
	g_strfreev(entry->types);
	g_free(entry);
}

/* Programs that run others: that one of these runs says nothing about which application it is. */
static bool is_launcher(const char *program)
{
	static const char *const launchers[] = {
		"env", "sh", "bash", "dash", "flatpak", "snap", "gtk-launch", "gapplication", "dbus-launch", "java",
		"perl", "ruby", "pkexec", "sudo", "su-to-root", "gksu", "xdg-open", "exo-open", "gio", "wine",
		"x-terminal-emulator", "systemctl", "nohup", NULL,
	};
	return g_strv_contains(launchers, program) || g_str_has_prefix(program, "python");
}

static void find_program(struct entry *entry)
{
	g_auto(GStrv) words = NULL;
	if (entry->exec == NULL || !g_shell_parse_argv(entry->exec, NULL, &words, NULL)) {
		return;
	}
	char **word = words;
	if (g_str_has_suffix(*word, "env")) {
		do {
			word++;
		} while (*word != NULL && (strchr(*word, '=') != NULL || **word == '-'));
	}
	if (*word == NULL) {
		return;
	}
	entry->program_path = g_find_program_in_path(*word);
	g_autofree char *program = g_path_get_basename(*word);
	if (!is_launcher(program)) {
		entry->program = g_steal_pointer(&program);
	}
}

/* Cuts what is longer than anybody reads. */
static void bound(char *text)
{
	if (text != NULL && strlen(text) > LONGEST) {
		*g_utf8_find_prev_char(text, text + LONGEST) = '\0';
	}
}

static struct entry *entry_new(GDesktopAppInfo *info)
{
	GAppInfo *app = G_APP_INFO(info);
	struct entry *entry = g_new0(struct entry, 1);
	entry->id = g_strdup(g_app_info_get_id(app));
	entry->file = g_strdup(g_desktop_app_info_get_filename(info));
	if (entry->id == NULL) {
		entry->id = g_path_get_basename(entry->file);
	}
	entry->name = g_strdup(g_app_info_get_name(app));
	entry->plain_name = g_desktop_app_info_get_string(info, "Name");
	entry->generic = g_strdup(g_desktop_app_info_get_generic_name(info));
	entry->wm_class = g_strdup(g_desktop_app_info_get_startup_wm_class(info));
	entry->exec = g_strdup(g_app_info_get_commandline(app));
	entry->folder = g_desktop_app_info_get_string(info, "Path");
	entry->icon = g_desktop_app_info_get_string(info, "Icon");
	entry->types = g_strdupv((char **)(uintptr_t)g_app_info_get_supported_types(app));
	entry->shown = g_app_info_should_show(app);
	entry->terminal = g_desktop_app_info_get_boolean(info, "Terminal");
	entry->activatable = g_desktop_app_info_get_boolean(info, "DBusActivatable");
	bound(entry->name);
	bound(entry->plain_name);
	bound(entry->generic);
	bound(entry->wm_class);
	find_program(entry);
	return entry;
}

GPtrArray *entry_list(GError **error)
{
	g_autofree char *irregular = entry_irregular();
	if (irregular != NULL) {
		error_set(error, ERROR_IRREGULAR_FILE,
			"\"%.4096s\" is no regular file, or larger than 1 MiB", irregular);
		return NULL;
	}
	GPtrArray *entries = g_ptr_array_new_with_free_func((GDestroyNotify)entry_free);
	GList *all = g_app_info_get_all();
	for (GList *item = all; item != NULL; item = item->next) {
		if (G_IS_DESKTOP_APP_INFO(item->data)) {
			g_ptr_array_add(entries, entry_new(item->data));
		}
	}
	g_list_free_full(all, g_object_unref);
	return entries;
}

struct entry *entry_of_file(const char *path)
{
	g_autofree char *text = file_read(path, MOST_BYTES, NULL, NULL);
	g_autoptr(GDesktopAppInfo) info = text != NULL ? g_desktop_app_info_new_from_filename(path)
						       : NULL;
	return info != NULL ? entry_new(info) : NULL;
}

/* Case is folded as people do it, in any script. */
static bool says(const char *a, const char *b, bool exactly)
{
	if (a == NULL || exactly) {
		return g_strcmp0(a, b) == 0;
	}
	g_autofree char *left = g_utf8_casefold(a, -1);
	g_autofree char *right = g_utf8_casefold(b, -1);
	return g_str_equal(left, right);
}

static bool is_id(const struct entry *entry, const char *id, bool exactly)
{
	g_autofree char *whole = g_strconcat(id, SUFFIX, NULL);
	return says(entry->id, id, exactly) || says(entry->id, whole, exactly);
}

const struct entry *entry_of_id(const GPtrArray *entries, const char *id)
{
	for (int exactly = 1; exactly >= 0; exactly--) {
		for (guint i = 0; i < entries->len; i++) {
			if (is_id(entries->pdata[i], id, exactly)) {
				return entries->pdata[i];
			}
		}
	}
	return NULL;
}

/* "org.gnome.Calculator" is also called "Calculator". */
static bool ends_id(const struct entry *entry, const char *name, bool exactly)
{
	g_autofree char *stem = g_strndup(entry->id, strlen(entry->id) - strlen(SUFFIX));
	const char *last = strrchr(stem, '.');
	return last != NULL && says(last + 1, name, exactly);
}

/* How an application can be called, the surest first. */
static bool is_called(const struct entry *entry, const char *name, int way, bool exactly)
{
	switch (way) {
	case 0:
		return is_id(entry, name, exactly);
	case 1:
		return says(entry->name, name, exactly) || says(entry->plain_name, name, exactly);
	case 2:
		return says(entry->program, name, exactly);
	case 3:
		return says(entry->wm_class, name, exactly);
	default:
		return ends_id(entry, name, exactly);
	}
}

static const struct entry *of_kind(const GPtrArray *entries, const char *name)
{
	const struct entry *found = NULL;
	for (guint i = 0; i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		if (entry->shown && says(entry->generic, name, false)) {
			if (found != NULL) {
				return NULL;
			}
			found = entry;
		}
	}
	return found;
}

const struct entry *entry_of_name(const GPtrArray *entries, const char *name)
{
	const int ways = 5;
	for (int way = 0; way < ways; way++) {
		const struct entry *hidden = NULL;
		for (int exactly = 1; exactly >= 0; exactly--) {
			for (guint i = 0; i < entries->len; i++) {
				const struct entry *entry = entries->pdata[i];
				if (is_called(entry, name, way, exactly)) {
					if (entry->shown) {
						return entry;
					}
					hidden = hidden != NULL ? hidden : entry;
				}
			}
		}
		if (hidden != NULL) {
			return hidden;
		}
	}
	return of_kind(entries, name);
}

static void add_name(GPtrArray *names, const struct entry *entry)
{
	if (entry != NULL && !g_ptr_array_find_with_equal_func(names, entry->name, g_str_equal, NULL)) {
		g_ptr_array_add(names, g_strdup(entry->name));
	}
}

struct guess {
	int distance;
	const struct entry *entry;
};

static int compare_guesses(gconstpointer a, gconstpointer b)
{
	return ((const struct guess *)a)->distance - ((const struct guess *)b)->distance;
}

static int distance_to(const char *word, const char *candidate)
{
	g_autofree char *folded = g_utf8_casefold(candidate != NULL ? candidate : "", -1);
	int distance = *folded != '\0' ? nearest_better(word, folded, G_MAXINT) : -1;
	return distance >= 0 ? distance : G_MAXINT;
}

/* By its letters first; then what GIO's own search finds, in keywords and descriptions, too. */
char **entry_nearest(const GPtrArray *entries, const char *name, guint most)
{
	g_autofree char *word = g_utf8_casefold(name, -1);
	g_autoptr(GArray) guesses = g_array_new(FALSE, FALSE, sizeof(struct guess));
	GPtrArray *names = g_ptr_array_new();
	for (guint i = 0; i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		struct guess guess = { MIN(MIN(distance_to(word, entry->name), distance_to(word, entry->plain_name)),
			MIN(distance_to(word, entry->program), distance_to(word, entry->generic))), entry };
		if (entry->shown && guess.distance < G_MAXINT) {
			g_array_append_val(guesses, guess);
		}
	}
	g_array_sort(guesses, compare_guesses);
	for (guint i = 0; i < guesses->len && names->len < most; i++) {
		add_name(names, g_array_index(guesses, struct guess, i).entry);
	}
	char ***groups = g_desktop_app_info_search(name);
	for (char ***group = groups; *group != NULL; group++) {
		for (char **id = *group; *id != NULL && names->len < most; id++) {
			add_name(names, entry_of_id(entries, *id));
		}
		g_strfreev(*group);
	}
	g_free(groups);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

/* Read here and not by a GFile: that may ask daemons of the desktop, which may not answer. */
static char *type_of(const char *path)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		return g_strdup("inode/directory");
	}
	guchar head[4096];
	gsize length = 0;
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "re") : NULL;
	if (file != NULL) {
		length = fread(head, 1, sizeof head, file);
		fclose(file);
	}
	return g_content_type_guess(path, head, length, NULL);
}

/* Nobody chose one: the first that says it can. */
static const struct entry *first_for(const GPtrArray *entries, const char *type)
{
	for (guint i = 0; i < entries->len; i++) {
		const struct entry *entry = entries->pdata[i];
		for (int k = 0; entry->shown && entry->types != NULL && entry->types[k] != NULL; k++) {
			if (g_content_type_is_a(type, entry->types[k])) {
				return entry;
			}
		}
	}
	return NULL;
}

const struct entry *entry_default_for(const GPtrArray *entries, const char *uri)
{
	g_autofree char *scheme = g_uri_parse_scheme(uri);
	g_autofree char *path = g_filename_from_uri(uri, NULL, NULL);
	g_autofree char *type = path != NULL ? type_of(path) : g_strdup_printf("x-scheme-handler/%s", scheme);
	g_autoptr(GAppInfo) info = path != NULL ? g_app_info_get_default_for_type(type, FALSE)
		: scheme != NULL ? g_app_info_get_default_for_uri_scheme(scheme) : NULL;
	const struct entry *entry = info != NULL ? entry_of_id(entries, g_app_info_get_id(info)) : NULL;
	return entry != NULL ? entry : first_for(entries, type);
}
