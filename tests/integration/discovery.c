/* SPDX-License-Identifier: MIT */
/* Which of several buses is the desktop's: silent, strange and missing ones do not lead astray. */
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lab.h"

/* A driver that sees the desk with that environment. */
static struct lab_driver *driver_in(struct lab_desk *desk, struct lab_place *place)
{
	struct lab_desk seen = *desk;

	seen.env = place->env;
	return lab_driver_start(&seen);
}

/* The calculator's keys are seen, and a press of one is seen by somebody else. */
static void assert_works(struct lab_desk *desk, struct lab_driver *driver, struct lab_app *app, int ms)
{
	struct lab_answer state = lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		app->window);

	lab_note("elements after %.0f ms", state.ms);
	lab_call_ok(driver, "click", "{\"window_id\":%u,\"element_index\":%d}", app->window,
		(int)lab_int(lab_element(state.structured, NULL, "7"), "element_index"));
	lab_galculator_shows(desk, app, "7");
	lab_assert(state.ms < ms);
}

/* Takes connections and never says anything, as a stopped bus does. */
static void be_silent(struct lab_place *place)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	g_snprintf(address.sun_path, sizeof address.sun_path, "%s/silent", place->run);
	lab_assert(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 100) == 0);
	g_autofree char *bus = g_strconcat("unix:path=", address.sun_path, NULL);
	place->env = g_environ_setenv(place->env, "DBUS_SESSION_BUS_ADDRESS", bus, TRUE);
}

static void silent(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	struct lab_app app = lab_galculator(desk, false);

	place->env = g_environ_unsetenv(place->env, "AT_SPI_BUS_ADDRESS");
	be_silent(place);
	gint64 before = g_get_monotonic_time();
	struct lab_driver *driver = driver_in(desk, place);
	struct lab_answer windows = lab_call_ok(driver, "list_windows", "{}");
	double ms = (double)(g_get_monotonic_time() - before) / 1000;
	lab_note("the first list of windows after %.0f ms", ms);
	lab_assert(lab_pick_int(lab_array(windows.structured, "windows"), "window_id", app.window));
	lab_assert(ms < 1500);
	assert_works(desk, driver, &app, 8000);
	/* It is asked once. */
	lab_assert(lab_call_ok(driver, "get_window_state", "{\"window_id\":%u}", app.window).ms < 1500);
	lab_driver_stop(driver);
}

/* A live bus that is not the desktop's, as a terminal of ssh or a VNC script brings along. */
static void strange(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	struct lab_app app = lab_galculator(desk, false);

	place->env = g_environ_unsetenv(place->env, "AT_SPI_BUS_ADDRESS");
	lab_place_bus(place, true);
	struct lab_driver *driver = driver_in(desk, place);
	assert_works(desk, driver, &app, 8000);
	/* Nor was a second accessibility bus started there, where no application would ever be. */
	g_autofree char *address = g_strconcat("--address=",
		g_environ_getenv(place->env, "DBUS_SESSION_BUS_ADDRESS"), NULL);
	struct lab_run owned = lab_run(place->env, LAB_ARGV("busctl", address, "call", "org.freedesktop.DBus",
		"/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", "s", "org.a11y.Bus"), NULL, 20000);
	lab_assert_str(owned.out, "b false\n");
	lab_driver_stop(driver);
}

/* Only what a process of the desktop session knows leads there: its variables, of the same display. */
static void by_process(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	struct lab_app app = lab_galculator(desk, false);
	static const char *const variables[] = { "AT_SPI_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
		"CUA_DRIVER_NO_DISCOVERY" };

	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		place->env = g_environ_unsetenv(place->env, variables[i]);
	}
	/* The property alone, then not even that. */
	for (int with = 1; with >= 0; with--) {
		struct lab_driver *driver = driver_in(desk, place);
		assert_works(desk, driver, &app, 8000);
		lab_driver_stop(driver);
		lab_app_kill(&app);
		xcb_delete_property(desk->x, desk->root, lab_atom(desk, "AT_SPI_BUS"));
		xcb_flush(desk->x);
		app = with ? lab_galculator(desk, false) : app;
	}
}

static const struct lab_test tests[] = {
	{ .name = "silent", .run = silent, .servers = LAB_XVFB, .wms = "openbox", .needs = "galculator",
	  .about = "A session bus that takes connections and says nothing delays neither the start nor the elements." },
	{ .name = "strange", .run = strange, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "busctl dbus-daemon galculator",
	  .about = "A session bus without the desktop's registry does not count, and no second registry is made." },
	{ .name = "by_process", .run = by_process, .servers = LAB_XVFB, .wms = "openbox", .needs = "galculator",
	  .about = "The display's property, and the variables of the desktop's processes, lead to the elements." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
