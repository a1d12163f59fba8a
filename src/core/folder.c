/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/folder.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <pwd.h>
#include <unistd.h>

char *folder_home(void)
{
	const char *home = g_getenv("CUA_DRIVER_HOME");
	return home != NULL && *home != '\0' ? g_strdup(home)
		: g_build_filename(g_get_home_dir(), ".cua-driver", NULL);
}

char *folder_runtime(void)
{
	const char *runtime = g_getenv("XDG_RUNTIME_DIR");
	if (runtime != NULL && runtime[0] == '/') {
		return g_build_filename(runtime, "cua-driver", NULL);
	}
	/* Never a place that others can write to, such as /tmp. */
	g_autofree char *home = folder_home();
	return g_build_filename(home, "run", NULL);
}

/* Whether it is a folder of the user's into which nobody else can put anything. */
static bool is_own(const char *folder)
{
	struct stat info;
	return g_lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid()
		&& (info.st_mode & 022) == 0;
}

/* The home folder, not as $HOME has it. */
static char *home_of_user(void)
{
	char buffer[4096];
	struct passwd entry, *found = NULL;
	return getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &found) == 0 && found != NULL
			&& entry.pw_dir[0] == '/'
		? g_strdup(entry.pw_dir)
		: NULL;
}

char **folder_shared(void)
{
	g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
	const char *place = g_getenv("CUA_DRIVER_TEST_PLACE");
	if (place != NULL && *place != '\0') {
		g_strv_builder_add(folders, place);
		return g_strv_builder_end(folders);
	}
	g_autofree char *user = g_strdup_printf("/run/user/%u", (unsigned)geteuid());
	g_autofree char *runtime = g_build_filename(user, "cua-driver", NULL),
			*home = home_of_user();
	if (is_own(user)) {
		g_strv_builder_add(folders, runtime);
	}
	if (home != NULL && is_own(home)) {
		g_autofree char *below = g_build_filename(home, ".cua-driver", "run", NULL);
		g_strv_builder_add(folders, below);
	}
	return g_strv_builder_end(folders);
}

char **folder_all(void)
{
	g_auto(GStrv) shared = folder_shared();
	g_autofree char *runtime = folder_runtime();
	g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
	if (!g_strv_contains((const char *const *)shared, runtime)) {
		g_strv_builder_add(folders, runtime);
	}
	g_strv_builder_addv(folders, (const char **)shared);
	return g_strv_builder_end(folders);
}

bool folder_prepare(const char *folder, GError **error)
{
	struct stat info;
	if (g_mkdir_with_parents(folder, 0700) < 0 || g_lstat(folder, &info) < 0) {
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", folder,
			g_strerror(errno));
		return false;
	}
	if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077) != 0) {
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
			"%s must be a folder of yours that nobody else can enter: chmod 700 it, or name another "
			"with --socket", folder);
		return false;
	}
	return true;
}
