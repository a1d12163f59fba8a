/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/environment.h"

#include <unistd.h>

#include "apps/process.h"
#include "discovery/discovery.h"

/* What is about the driver's own start, or keeps applications off the accessibility bus. */
static const char *const unwanted[] = {
	"NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "INVOCATION_ID", "JOURNAL_STREAM",
	"MANAGERPID", "SYSTEMD_EXEC_PID", "WATCHDOG_PID", "WATCHDOG_USEC", "XDG_ACTIVATION_TOKEN",
	"GIO_LAUNCHED_DESKTOP_FILE", "GIO_LAUNCHED_DESKTOP_FILE_PID", "NO_AT_BRIDGE", "GTK_A11Y", "WINDOWID",
};

/*
 * A driver that was started outside of the session has no session bus; its applications need one: that
 * of the others on the display. Another one may know of another accessibility bus.
 */
static char **add_bus(char **environment)
{
	if (g_environ_getenv(environment, "DBUS_SESSION_BUS_ADDRESS") != NULL) {
		return environment;
	}
	struct discovery *discovery = discovery_new(true);
	const char *address = discovery->session_bus.value;
	if (address == NULL && discovery->buses->len > 0) {
		address = g_array_index(discovery->buses, struct clue, 0).value;
	}
	if (address != NULL) {
		environment = g_environ_setenv(environment, "DBUS_SESSION_BUS_ADDRESS", address,
			TRUE);
	}
	discovery_free(discovery);
	return environment;
}

/*
 * On a Wayland login toolkits take Wayland, where the driver, which drives X11, sees nothing of them. They are asked
 * for X11 instead, unless the user has said what they should take.
 */
static char **prefer_x11(char **environment)
{
	static const struct {
		const char *name, *value;
	} wishes[] = {
		{ "GDK_BACKEND", "x11" },
		{ "CLUTTER_BACKEND", "x11" },
		{ "QT_QPA_PLATFORM", "xcb" },
		{ "SDL_VIDEODRIVER", "x11" },
		{ "MOZ_ENABLE_WAYLAND", "0" },
		{ "ELECTRON_OZONE_PLATFORM_HINT", "x11" },
	};
	const char *wayland = g_environ_getenv(environment, "WAYLAND_DISPLAY");
	if (wayland == NULL || *wayland == '\0') {
		return environment;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(wishes); i++) {
		environment = g_environ_setenv(environment, wishes[i].name, wishes[i].value, FALSE);
	}
	/* All that Chromium looks at. It is the login's word, not the user's. */
	return g_environ_setenv(environment, "XDG_SESSION_TYPE", "x11", TRUE);
}

char **environment_new(const char *file)
{
	static int count;
	g_autofree char *startup = g_strdup_printf("cua-driver-%d-%d_TIME0", (int)getpid(),
		g_atomic_int_add(&count, 1));
	const struct {
		const char *name, *value;
	} wanted[] = {
		/* Qt looks once, when it starts, whether anybody wants accessibility. */
		{ "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1" },
		{ "QT_ACCESSIBILITY", "1" },
		/* Time 0: the application was not asked for by the user, so its windows are not to have the focus. */
		{ "DESKTOP_STARTUP_ID", startup },
		/* The child writes its pid there. */
		{ PROCESS_LAUNCHED, "0000000000" },
	};
	char **environment = g_get_environ();
	for (gsize i = 0; i < G_N_ELEMENTS(unwanted); i++) {
		environment = g_environ_unsetenv(environment, unwanted[i]);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++) {
		environment = g_environ_setenv(environment, wanted[i].name, wanted[i].value, TRUE);
	}
	if (file != NULL) {
		environment = g_environ_setenv(environment, "GIO_LAUNCHED_DESKTOP_FILE", file, TRUE);
	}
	return add_bus(prefer_x11(environment));
}
