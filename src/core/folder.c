/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/folder.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
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
