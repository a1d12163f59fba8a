/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/owner.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "discovery/discovery.h"

/* The owner of a file, 0 if there is no file or it is root's. */
static uid_t owner(const char *path)
{
	struct stat info;
	return path != NULL && *path != '\0' && g_stat(path, &info) == 0 ? info.st_uid : 0;
}

/* The file of a bus address such as "unix:path=/run/user/1000/bus"; NULL if it has none. */
static char *bus_path(const char *address)
{
	const char *at = address != NULL ? strstr(address, "unix:path=") : NULL;
	if (at == NULL) {
		return NULL;
	}
	at += strlen("unix:path=");
	g_autofree char *escaped = g_strndup(at, strcspn(at, ",;"));
	return g_uri_unescape_string(escaped, NULL);
}

char *owner_of_session(void)
{
	if (geteuid() != 0) {
		return NULL;
	}
	g_autofree char *bus = bus_path(g_getenv("DBUS_SESSION_BUS_ADDRESS"));
	uid_t user = owner(bus);
	user = user != 0 ? user : owner(g_getenv("XAUTHORITY"));
	user = user != 0 ? user : owner(g_getenv("XDG_RUNTIME_DIR"));
	if (user != 0) {
		const struct passwd *entry = getpwuid(user);
		return entry != NULL ? g_strdup(entry->pw_name) : g_strdup_printf("%u", (unsigned)user);
	}
	if (g_getenv("DISPLAY") != NULL) {
		return NULL;
	}
	/* Nothing leads to a desktop of our own; is there somebody else's? */
	struct discovery *discovery = discovery_new(true);
	char *other = discovery->display.value == NULL && discovery->seats->len == 0
		? g_steal_pointer(&discovery->other_user)
		: NULL;
	discovery_free(discovery);
	return other;
}

bool owner_refuses(const char *command)
{
	g_autofree char *other = owner_of_session();
	if (other != NULL) {
		fprintf(stderr, "cua-driver: this is root, and the desktop session belongs to %s. Run it as "
			"that user:\n  runuser -u %s -- cua-driver %s\n", other, other, command);
	}
	return other != NULL;
}
