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

/* In a pid namespace, where no other test's desktop can be found. */
static struct lab_run in_container(const char *script)
{
	struct lab_place *place = lab_place_new(NULL);
	struct lab_run probe = lab_run(
		NULL, LAB_ARGV("unshare", "-pfm", "--mount-proc", "true"), NULL, 20000);

	if (probe.code != 0) {
		lab_skip("no pid namespace can be made here: %s", probe.err);
	}
	struct lab_run run = lab_run(place->env,
		LAB_ARGV("unshare", "-pfm", "--mount-proc", "sh", "-c", script, lab_driver_path()),
		"", 100000);
	lab_note("%s%s", run.out, run.err);
	return run;
}

/* What is printed between two marks; "" if the first is missing. */
static char *part(const struct lab_run *run, const char *from, const char *to)
{
	const char *start = strstr(run->out, from), *end = start ? strstr(start, to) : NULL;

	return start ? g_strndup(start, end ? (gsize)(end - start) : strlen(start)) : g_strdup("");
}

/* One desktop is found; of two, none is touched until one is named; and the one that is left is
 * found again. */
static void ambiguous(struct lab_desk *desk)
{
	(void)desk;
	struct lab_run run = in_container(
		"unset CUA_DRIVER_NO_DISCOVERY; cd \"$CUA_DRIVER_HOME\"; self=$0\n"
		"bare() { env -i PATH=\"$PATH\" HOME=\"$HOME\" CUA_DRIVER_HOME=\"$PWD\" "
		"XDG_RUNTIME_DIR=\"$XDG_RUNTIME_DIR\" \"$@\"; }\n"
		"windows() { bare \"$self\" \"$@\" list_windows >out 2>&1; code=$?; grep -o 'on "
		".*' out | head -1; grep -oE '\"(title|code)\": \"[a-z_]*' out; echo code $code; "
		"}\n"
		"start() { setsid \"$self\" desktop -- sh -c 'echo $DISPLAY >'$1'; xterm -T '$1' & "
		"echo $! >'$1'.pid; exec cat' <hold >log.$1 2>&1 & }\n"
		"until_shown() { until bare DISPLAY=$(cat $1) XAUTHORITY=\"$(tr '\\0' '\\n' "
		"</proc/$(cat $1.pid)/environ | sed -n 's/^XAUTHORITY=//p')\" "
		"\"$self\" list_windows 2>/dev/null | grep -q \"\\\"$1\\\"\"; do sleep 0.2; done; "
		"}\nmkfifo hold; exec 9<>hold\n"
		"start one; while [ ! -s one.pid ]; do sleep 0.1; done; until_shown one\n"
		"echo '== alone'; windows\n"
		"start two; while [ ! -s two.pid ]; do sleep 0.1; done; until_shown two\n"
		"echo '== several'; windows; grep -o '\"display\": \":[0-9]*' out | sort -u | wc "
		"-l\necho '== named'; windows --display $(cat two)\n"
		"echo '== environment'; bare DISPLAY=$(cat one) XAUTHORITY=\"$(tr '\\0' '\\n' "
		"</proc/$(cat one.pid)/environ | sed -n 's/^XAUTHORITY=//p')\" "
		"\"$self\" get_session >session; grep -c \"\\\"display\\\": \\\"$(cat one)\\\"\" "
		"session; sed -n '/other_desktops/,$p' session | grep -c \"\\\"$(cat two)\\\"\"\n"
		"echo '== doctor'; bare \"$self\" doctor >report; grep -c '^FAIL  display "
		".*ambiguous_session' report; grep -o 'doctor --display :[0-9]*' report\n"
		"bare \"$self\" --version >/dev/null; bare \"$self\" doctor --display $(cat one) | "
		"grep -c \"^ok    display .*other desktops of this user: $(cat two) of\"\n"
		"echo '== daemon'; bare \"$self\" serve --display $(cat one) 2>/dev/null & "
		"daemon=$!\nuntil bare \"$self\" status >status 2>/dev/null; do sleep 0.2; done\n"
		"grep -c \"^desktop: *$(cat one) .*other desktops of this user: $(cat two) of\" "
		"status; kill $daemon; wait $daemon 2>/dev/null\n"
		"echo '== left'; kill $(cat two.pid) 2>/dev/null; kill %2 2>/dev/null; n=$(cat "
		"two); until [ ! -e /tmp/.X11-unix/X${n#:} ]; do sleep 0.1; done; windows\n"
		"echo '== end'\n");
	lab_assert_int(run.code, 0);
	lab_assert_contains(part(&run, "== alone", "== several"), "\"title\": \"one");
	lab_assert_contains(part(&run, "== several", "== named"),
		"\"code\": \"ambiguous_session\ncode 69\n2\n");
	lab_assert(!strstr(part(&run, "== several", "== named"), "title"));
	lab_assert_contains(part(&run, "== named", "== environment"), "\"title\": \"two");
	lab_assert_str(part(&run, "== environment", "== doctor"), "== environment\n1\n1\n");
	lab_assert_contains(
		part(&run, "== doctor", "== daemon"), "== doctor\n1\ndoctor --display :");
	lab_assert_str(part(&run, "== daemon", "== left"), "== daemon\n1\n");
	lab_assert_contains(part(&run, "== left", "== end"), "\"title\": \"one");
}

static const struct lab_test tests[] = {
	{ .name = "silent",
		.run = silent,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.about = "A session bus that takes connections and says nothing delays neither the "
			 "start nor the elements." },
	{ .name = "strange",
		.run = strange,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "busctl dbus-daemon galculator",
		.about = "A session bus without the desktop's registry does not count, and no "
			 "second registry is made." },
	{ .name = "ambiguous",
		.run = ambiguous,
		.needs = "unshare xterm setsid",
		.timeout = 120,
		.about = "Of several desktops none is touched until one is named, and every answer "
			 "tells which one it is." },
	{ .name = "by_process",
		.run = by_process,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.about = "The display's property, and the variables of the desktop's processes, "
			 "lead to the elements." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
