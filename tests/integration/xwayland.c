/* SPDX-License-Identifier: MIT */
/* launch_app on a Wayland login, where only X11 applications are seen: what it starts is one. */
#include <string.h>

#include "lab/lab.h"

/* Has the driver start a program that says what it was started with. */
#define SAY(file) "./cua-driver launch_app '{\"launch_path\": \"/bin/sh\", \"arguments\": [\"-c\", \"env >" file "\"]}'\n"

/* What kinds of windows the compositor has, as soon as one of that name is there. */
#define LOOK(name, file) \
	"for i in $(seq 100); do\n" \
	"	swaymsg -t get_tree >tree; grep -qi '\"name\": \".*" name "' tree && break; sleep 0.1\n" \
	"done\n" \
	"sed -n 's/.*\"shell\": \"\\(.*\\)\".*/\\1/p' tree >" file "\n"

static char *read_file(struct lab_place *place, const char *name)
{
	g_autofree char *path = g_build_filename(place->home, name, NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		lab_fail("there is no %s", name);
	}
	return text;
}

static const char *variable(struct lab_place *place, const char *file, const char *name)
{
	g_auto(GStrv) environment = g_strsplit(read_file(place, file), "\n", -1);

	return g_strdup(g_environ_getenv(environment, name));
}

static const char *const wishes[][2] = { { "GDK_BACKEND", "x11" }, { "CLUTTER_BACKEND", "x11" },
	{ "QT_QPA_PLATFORM", "xcb" }, { "SDL_VIDEODRIVER", "x11" }, { "MOZ_ENABLE_WAYLAND", "0" },
	{ "ELECTRON_OZONE_PLATFORM_HINT", "x11" } };

static void begin(struct lab_place *place)
{
	for (size_t i = 0; i < G_N_ELEMENTS(wishes); i++) {
		place->env = g_environ_unsetenv(place->env, wishes[i][0]);
	}
}

static void wayland(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	begin(place);
	struct lab_run run = lab_sway_run(place, "cd $CUA_DRIVER_HOME\n"
		SAY("plain")
		"GDK_BACKEND=wayland QT_QPA_PLATFORM= " SAY("own")
		"./cua-driver launch_app '{\"name\": \"galculator\", \"wait_ms\": 30000}' >galculator.json\n"
		LOOK("galculator", "galculator.shell")
		"swaymsg '[title=.*]' kill\n"
		"./cua-driver launch_app \"{\\\"name\\\": \\\"chromium\\\", \\\"arguments\\\": [\\\"--no-sandbox\\\","
		"	\\\"--user-data-dir=$PWD/chromium\\\"], \\\"wait_ms\\\": 60000}\" >chromium.json\n"
		LOOK("chromium", "chromium.shell"), true, 150000);
	if (run.code != 0) {
		lab_fail("the login ended badly (%d): %s", run.code, run.out);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(wishes); i++) {
		lab_assert_str(variable(place, "plain", wishes[i][0]), wishes[i][1]);
	}
	/* A terminal that was launched can still talk to the compositor. */
	lab_assert(variable(place, "plain", "WAYLAND_DISPLAY"));
	/* What the user has chosen stays. */
	lab_assert_str(variable(place, "own", "GDK_BACKEND"), "wayland");
	lab_assert_str(variable(place, "own", "QT_QPA_PLATFORM"), "");
	lab_assert_str(variable(place, "own", "MOZ_ENABLE_WAYLAND"), "0");
	/* The compositor says whose clients they are; so the driver sees their windows. */
	lab_assert_str(read_file(place, "galculator.shell"), "xwayland\n");
	lab_assert_contains(read_file(place, "galculator.json"), "\"launch_state\": \"ready\"");
	lab_assert_str(read_file(place, "chromium.shell"), "xwayland\n");
	lab_assert_contains(read_file(place, "chromium.json"), "\"launch_state\": \"ready\"");
}

/* Where there is no Wayland nobody is told anything of it. */
static void x11(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);

	begin(place);
	place->env = g_environ_unsetenv(place->env, "WAYLAND_DISPLAY");
	place->env = g_environ_setenv(place->env, "XDG_SESSION_TYPE", "tty", TRUE);
	g_autofree char *arguments = g_strdup_printf("{\"launch_path\": \"/bin/sh\", \"arguments\": [\"-c\", "
		"\"env >%s/plain\"]}", place->home);
	lab_assert_int(lab_place_run(place, "launch_app", arguments).code, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(wishes); i++) {
		lab_assert(!variable(place, "plain", wishes[i][0]));
	}
	lab_assert_str(variable(place, "plain", "XDG_SESSION_TYPE"), "tty");
}

static const struct lab_test tests[] = {
	{ .name = "wayland", .run = wayland, .needs = "sway swaymsg Xwayland setpriv dbus-run-session galculator chromium",
	  .timeout = 240, .about = "What is launched on a Wayland login is an X11 application, unless the user says otherwise." },
	{ .name = "x11", .run = x11, .servers = LAB_XVFB, .wms = "openbox", .timeout = 60,
	  .about = "On an X11 login nobody is told which display system to take." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
