/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/address.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/socket.h>

#include "core/folder.h"
#include "discovery/discovery.h"

char *address_default(void)
{
	/* Commands from outside of the desktop (docker exec, ssh) and its daemon have to mean the same place. */
	discovery_apply();
	g_autofree char *folder = folder_runtime();
	return g_build_filename(folder, "driver.sock", NULL);
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
	return folder_prepare(folder, error);
}

uid_t address_peer(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.uid : (uid_t)-1;
}
