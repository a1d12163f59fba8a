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
	g_autofree char *folder = folder_runtime();
	return g_build_filename(folder, "driver.sock", NULL);
}

/* NULL if there is no such folder, or no socket in it. */
static char *look_in(const char *folder, const char *below)
{
	if (folder == NULL) {
		return NULL;
	}
	g_autofree char *path = g_build_filename(folder, below, "driver.sock", NULL);
	return g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

char *address_find(void)
{
	char *path = address_default();
	if (g_file_test(path, G_FILE_TEST_EXISTS)) {
		return path;
	}
	struct discovery *discovery = discovery_new(true);
	g_autofree char *home = folder_home();
	char *other = NULL;
	if (!discovery->told_runtime_dir) {
		other = look_in(discovery->session_runtime_dir.value, "cua-driver");
		other = other != NULL ? other : look_in(home, "run");
	}
	discovery_free(discovery);
	if (other == NULL) {
		return path;
	}
	g_free(path);
	return other;
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

static bool peer_of(int fd, struct ucred *peer)
{
	socklen_t size = sizeof *peer;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0;
}

uid_t address_peer(int fd)
{
	struct ucred peer;
	return peer_of(fd, &peer) ? peer.uid : (uid_t)-1;
}

char *address_folder(int fd)
{
	struct ucred peer;
	if (!peer_of(fd, &peer) || peer.pid <= 0) {
		return NULL;
	}
	g_autofree char *path = g_strdup_printf("/proc/%d/cwd", (int)peer.pid);
	g_autofree char *folder = g_file_read_link(path, NULL);
	return folder != NULL && folder[0] == '/' && g_file_test(folder, G_FILE_TEST_IS_DIR)
		? g_steal_pointer(&folder)
		: NULL;
}
