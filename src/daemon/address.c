/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/address.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

char *address_default(void)
{
	const char *runtime = g_getenv("XDG_RUNTIME_DIR");
	if (runtime != NULL && runtime[0] == '/') {
		return g_build_filename(runtime, "cua-driver", "driver.sock", NULL);
	}
	const char *home = g_getenv("CUA_DRIVER_HOME");
	/* Never a place that others can write to, such as /tmp. */
	return home != NULL && *home != '\0' ? g_build_filename(home, "run", "driver.sock", NULL)
		: g_build_filename(g_get_home_dir(), ".cua-driver", "run", "driver.sock", NULL);
}

bool address_of(const char *path, struct sockaddr_un *address, GError **error)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof address->sun_path) {
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
			"%s is longer than a socket's path may be (%zu bytes)", path,
			sizeof address->sun_path - 1);
		return false;
	}
	strcpy(address->sun_path, path);
	return true;
}

bool address_prepare(const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
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

uid_t address_peer(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.uid : (uid_t)-1;
}
