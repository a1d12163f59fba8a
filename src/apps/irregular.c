/* SPDX-License-Identifier: MIT */
/* What stands among the desktop entries and is no file that can be read: GIO would wait at a pipe
 * for ever. */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "apps/entry.h"

/* Of one file. */
#define MOST_BYTES (1024 * 1024)
/* Folders in folders; links may lead in circles. */
#define DEEPEST 6

/* What GIO reads there. */
static bool is_read(const char *name)
{
	static const char *const names[] = { "mimeapps.list", "defaults.list", "mimeinfo.cache",
		NULL };
	return g_str_has_suffix(name, ".desktop") || g_str_has_suffix(name, "-mimeapps.list")
		|| g_strv_contains(names, name);
}

/* The first one in the folder or below; NULL if all is well. */
static char *look_in(const char *folder, int depth)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	char *found = NULL;
	while (dir != NULL && found == NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		struct stat info;
		if (stat(path, &info) < 0) {
			continue;
		}
		if (S_ISDIR(info.st_mode)) {
			found = depth < DEEPEST ? look_in(path, depth + 1) : NULL;
		} else if (is_read(name) && (!S_ISREG(info.st_mode) || info.st_size > MOST_BYTES)) {
			found = g_steal_pointer(&path);
		}
	}
	return found;
}

/* Of a folder only its own files count. */
static char *look_at(const char *folder)
{
	return look_in(folder, DEEPEST);
}

char *entry_irregular(void)
{
	g_autofree char *own = g_build_filename(g_get_user_data_dir(), "applications", NULL);
	char *found = look_in(own, 0);
	for (const char *const *data = g_get_system_data_dirs(); found == NULL && *data != NULL;
		data++) {
		g_autofree char *folder = g_build_filename(*data, "applications", NULL);
		found = look_in(folder, 0);
	}
	found = found != NULL ? found : look_at(g_get_user_config_dir());
	for (const char *const *config = g_get_system_config_dirs();
		found == NULL && *config != NULL; config++) {
		found = look_at(*config);
	}
	return found;
}
