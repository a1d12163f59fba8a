/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "desktop/desk.h"

/* What belongs to the session we were called from; a * takes all that begin so. */
static const char *const foreign[] = {
	/* its display, buses and session manager */
	"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "SESSION_MANAGER",
	"DBUS_SESSION_*", "DBUS_STARTER_*", "AT_SPI_*", "ICEAUTHORITY", "SWAYSOCK", "I3SOCK",
	"HYPRLAND_*", "NIRI_SOCKET",
	/* what it is and where it sits */
	"XDG_CURRENT_DESKTOP", "XDG_SESSION_*", "XDG_SEAT", "XDG_SEAT_PATH", "XDG_VTNR",
	"DESKTOP_SESSION", "GDMSESSION", "GNOME_*", "KDE_*", "MATE_*", "WINDOWID", "WINDOWPATH",
	/* one launch in it, one unit of its manager */
	"DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN", "GIO_LAUNCHED_*", "NOTIFY_SOCKET",
	"LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "INVOCATION_ID", "JOURNAL_STREAM",
	"MANAGERPID",
	/* modules that would talk to its services, or keep toolkits off the accessibility bus */
	"GTK_MODULES", "GTK3_MODULES", "GTK_A11Y", "NO_AT_BRIDGE", "GTK_IM_MODULE", "QT_IM_MODULE",
	"QT_IM_MODULES", "XMODIFIERS", "CLUTTER_BACKEND", "CLUTTER_IM_MODULE", "SDL_VIDEODRIVER",
	"MOZ_ENABLE_WAYLAND", "QT_WAYLAND_*", "QT_SCREEN_SCALE_FACTORS",
};

static const struct {
	const char *name, *value;
} own[] = {
	{ "XDG_SESSION_TYPE", "x11" },
	{ "GDK_BACKEND", "x11" },
	{ "QT_QPA_PLATFORM", "xcb" },
	{ "QT_ACCESSIBILITY", "1" },
	{ "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1" },
	/* settings of the caller neither read nor written */
	{ "GSETTINGS_BACKEND", "memory" },
	{ "LIBGL_ALWAYS_SOFTWARE", "1" },
	/* a mount in our runtime directory would outlive its killed owner */
	{ "GVFS_DISABLE_FUSE", "1" },
};

static bool is_foreign(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(foreign); i++) {
		size_t length = strlen(foreign[i]);

		if (foreign[i][length - 1] == '*' ? strncmp(name, foreign[i], length - 1) == 0
		                                  : strcmp(name, foreign[i]) == 0) {
			return true;
		}
	}
	return false;
}

void environment_enter(const char *directory)
{
	g_auto(GStrv) names = g_listenv();

	for (char **name = names; *name != NULL; name++) {
		if (is_foreign(*name)) {
			g_unsetenv(*name);
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
		g_setenv(own[i].name, own[i].value, TRUE);
	}
	g_setenv("XDG_RUNTIME_DIR", directory, TRUE);
}
