/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "desktop/displays.h"

#define SOCKETS "/tmp/.X11-unix"
#define CLOCK_SLACK (2 * G_USEC_PER_SEC) /* file times are coarser, and cut to seconds */

/* Prefix, a number, suffix, and nothing else. */
static bool has_form(const char *name, const char *prefix, const char *suffix)
{
	if (!g_str_has_prefix(name, prefix)) {
		return false;
	}
	name += strlen(prefix);
	size_t digits = strspn(name, "0123456789");
	return digits > 0 && strcmp(name + digits, suffix) == 0;
}

/* True when the lock is ours and names a process that ended here. */
static bool is_orphan(const char *lock, GHashTable *ended)
{
	char text[16] = "";
	struct stat st;
	int fd = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0) {
		return false;
	}
	bool orphan = fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	              read(fd, text, sizeof text - 1) > 0 &&
	              g_hash_table_contains(ended, GINT_TO_POINTER(atoi(text)));
	close(fd);
	return orphan;
}

static bool refuses(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	g_strlcpy(address.sun_path, path, sizeof address.sun_path);
	bool refused = fd >= 0 &&
	               connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 &&
	               errno == ECONNREFUSED;
	if (fd >= 0) {
		close(fd);
	}
	return refused;
}

/*
 * A server that only now starts refuses, too, between bind() and listen(); but then the kernel
 * lists the name. One in another network namespace is not listed, but does not refuse.
 */
static bool is_abandoned(const char *path)
{
	g_autofree char *listed = NULL;
	g_autofree char *line = g_strdup_printf(" %s\n", path);

	return refuses(path) && g_file_get_contents("/proc/net/unix", &listed, NULL, NULL) &&
	       strstr(listed, line) == NULL;
}

static void sweep_socket(const char *name, int64_t since)
{
	g_autofree char *path = g_build_filename(SOCKETS, name, NULL);
	struct stat st, now;

	if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_uid == geteuid() &&
	    (int64_t)st.st_ctime * G_USEC_PER_SEC >= since - CLOCK_SLACK &&
	    is_abandoned(path) && lstat(path, &now) == 0 && now.st_ino == st.st_ino &&
	    now.st_ctim.tv_sec == st.st_ctim.tv_sec && now.st_ctim.tv_nsec == st.st_ctim.tv_nsec) {
		unlink(path);
	}
}

void displays_sweep(GHashTable *ended, int64_t since)
{
	g_autoptr(GDir) sockets = g_dir_open(SOCKETS, 0, NULL);
	g_autoptr(GDir) tmp = g_dir_open("/tmp", 0, NULL);
	const char *name;

	/* With -displayfd a server makes no lock, so the socket must speak for itself. */
	while (sockets != NULL && (name = g_dir_read_name(sockets)) != NULL) {
		if (has_form(name, "X", "")) {
			sweep_socket(name, since);
		}
	}
	/* Servers COMMAND started may have one. While it is made it is called .tX0-lock. */
	while (tmp != NULL && (name = g_dir_read_name(tmp)) != NULL) {
		if (has_form(name, ".X", "-lock") || has_form(name, ".tX", "-lock")) {
			g_autofree char *lock = g_build_filename("/tmp", name, NULL);

			if (is_orphan(lock, ended)) {
				unlink(lock);
			}
		}
	}
}
