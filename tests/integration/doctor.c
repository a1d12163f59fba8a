/* SPDX-License-Identifier: MIT */
/* What `cua-driver doctor` says where something is missing, and that doing what it says helps. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "lab.h"

/* What it tells programs; its exit code says the same. */
static json_t *doctor(char **env)
{
	struct lab_run run = lab_run(env, LAB_ARGV(lab_driver_path(), "doctor", "--json"), "", 90000);
	json_t *report = json_loads(run.out, 0, NULL);

	if (!report) {
		lab_fail("no JSON: %s%s", run.out, run.err);
	}
	lab_assert_int(run.code, lab_bool(report, "healthy") ? 0 : 1);
	return report;
}

static json_t *check_of(json_t *report, const char *id)
{
	json_t *check = lab_pick_str(lab_array(report, "checks"), "id", id);

	if (!check) {
		lab_fail("there is no check %s: %s", id, lab_json(report));
	}
	return check;
}

static void assert_status(json_t *report, const char *id, const char *status)
{
	json_t *check = check_of(report, id);

	if (strcmp(lab_str(check, "status"), status) != 0) {
		lab_fail("%s is not %s: %s", id, status, lab_json(report));
	}
}

/* Does what is advised, as a person would: in a shell, whose other programs go on. */
static struct lab_run follow(char **env, json_t *report, const char *id)
{
	g_autofree char *out = g_strdup_printf("/tmp/cua-doctor-%d", (int)getpid());
	const char *command = lab_str(check_of(report, id), "command");
	g_autofree char *script = g_strdup_printf("exec >%s 2>&1 </dev/null\n%s\n", out, command);
	struct lab_run run = lab_run(env, LAB_ARGV("sh", "-c", script), NULL, 90000);

	lab_note("%s", command);
	if (!g_file_get_contents(out, &run.out, NULL, NULL)) {
		run.out = g_strdup("");
	}
	unlink(out);
	return run;
}

/* Asks again until the check says so: what was started in the background takes a while. */
static json_t *until(char **env, const char *id, const char *status)
{
	gint64 deadline = lab_deadline(60000);
	json_t *report = doctor(env);

	while (strcmp(lab_str(check_of(report, id), "status"), status) != 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s did not become %s: %s", id, status, lab_json(report));
		}
		report = doctor(env);
	}
	return report;
}

static int count_windows(struct lab_desk *desk)
{
	xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desk->x, xcb_query_tree(desk->x, desk->root), NULL);
	int count = tree ? xcb_query_tree_children_length(tree) : -1;

	free(tree);
	return count;
}

static void healthy(struct lab_desk *desk)
{
	static const char *const ids[] = { "display", "xauthority", "extensions", "window_manager", "capture",
		"window_events", "input_devices", "session_bus", "accessibility_bus", "registry", "accessibility_events", "toolkits",
		"settings", "daemon", "input", "runtime_dir", "driver", "login" };
	struct lab_place *place = lab_place_new(desk);
	struct lab_app app = lab_galculator(desk, false);

	lab_user_works_in(desk, app.window);
	struct lab_user before = lab_user_read(desk);
	int windows = count_windows(desk);
	json_t *report = doctor(place->env);
	struct lab_user after = lab_user_read(desk);
	lab_user_assert_same(&before, &after);
	lab_assert_int(count_windows(desk), windows);
	lab_assert(lab_bool(report, "healthy"));
	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
		assert_status(report, ids[i], "ok");
	}
	lab_assert_str(lab_str(check_of(report, "display"), "origin"), "the environment");
	lab_assert_contains(lab_str(check_of(report, "display"), "value"), desk->display);
	lab_assert_contains(lab_str(check_of(report, "display"), "value"), "X.Org 2");
	/* People read the same list, and so does an agent. */
	struct lab_run text = lab_run(place->env, LAB_ARGV(lab_driver_path(), "doctor"), "", 90000);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer tool = lab_call_ok(driver, "health_report", "{}");
	size_t i;
	json_t *check;
	json_array_foreach(lab_array(report, "checks"), i, check) {
		lab_assert_contains(text.out, lab_str(check, "title"));
		lab_assert_contains(tool.text, lab_str(check, "title"));
		assert_status(tool.structured, lab_str(check, "id"), lab_str(check, "status"));
	}
	lab_assert(lab_bool(lab_call_ok(driver, "check_permissions", "{\"prompt\": false}").structured, "granted"));
	lab_driver_stop(driver);
}

static void no_display(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	json_t *report = doctor(place->env);

	(void)desk;
	assert_status(report, "display", "fail");
	assert_status(report, "capture", "skipped");
	struct lab_run run = follow(place->env, report, "display");
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "\nok    display");
	lab_assert_contains(run.out, "\nok    pictures");
	lab_assert_contains(run.out, "\nHealthy");
	/* A display that is named and not there. */
	place->env = g_environ_setenv(place->env, "DISPLAY", ":987654", TRUE);
	report = doctor(place->env);
	assert_status(report, "display", "fail");
	lab_assert_contains(lab_str(check_of(report, "display"), "value"), "no X server is there");
	lab_assert_int(follow(place->env, report, "display").code, 0);
}

static void no_session_bus(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);

	place->env = g_environ_unsetenv(place->env, "DBUS_SESSION_BUS_ADDRESS");
	place->env = g_environ_unsetenv(place->env, "AT_SPI_BUS_ADDRESS");
	xcb_delete_property(desk->x, desk->root, lab_atom(desk, "AT_SPI_BUS"));
	xcb_flush(desk->x);
	json_t *report = doctor(place->env);
	assert_status(report, "session_bus", "fail");
	assert_status(report, "accessibility_bus", "fail");
	assert_status(report, "capture", "ok");
	struct lab_run run = follow(place->env, report, "session_bus");
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "\nok    session bus");
	/* A bus that is named and not there. */
	place->env = g_environ_setenv(place->env, "DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
	report = doctor(place->env);
	assert_status(report, "session_bus", "fail");
	lab_assert_contains(lab_str(check_of(report, "session_bus"), "value"), "nobody answers");
	lab_assert_int(follow(place->env, report, "session_bus").code, 0);
}

/* A pointer that a driver and its guardian left behind. */
static void orphan(struct lab_desk *desk)
{
	static const char name[] = "cua-driver 3 12345";
	struct {
		xcb_input_add_master_t change;
		char name[20];
	} request = { .change = { .type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_ADD_MASTER,
		.len = sizeof request / 4, .name_len = sizeof name - 1, .send_core = 1, .enable = 1 } };
	struct lab_place *place = lab_place_new(desk);

	assert_status(doctor(place->env), "input_devices", "ok");
	memcpy(request.name, name, sizeof name - 1);
	xcb_generic_error_t *error = xcb_request_check(desk->x, xcb_input_xi_change_hierarchy_checked(desk->x, 1,
		(const xcb_input_hierarchy_change_t *)&request));
	lab_assert(!error);
	json_t *report = doctor(place->env);
	assert_status(report, "input_devices", "note");
	lab_assert_contains(follow(place->env, report, "input_devices").out, "repaired: 1 removed");
	assert_status(doctor(place->env), "input_devices", "ok");
	xcb_input_xi_query_device_reply_t *left = xcb_input_xi_query_device_reply(desk->x,
		xcb_input_xi_query_device(desk->x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);
	lab_assert_int(left->num_infos, 2);
}

static void bare_server(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	json_t *report = doctor(place->env);

	lab_assert(lab_bool(report, "healthy"));
	assert_status(report, "window_manager", "note");
	follow(place->env, report, "window_manager");
	until(place->env, "window_manager", "ok");
}

static void kill_process(void *data, bool failed)
{
	(void)failed;
	kill(GPOINTER_TO_INT(data), SIGTERM);
}

static void no_accessibility(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	lab_place_bus(place, false);
	json_t *report = doctor(place->env);
	assert_status(report, "session_bus", "ok");
	assert_status(report, "accessibility_bus", "fail");
	assert_status(report, "registry", "skipped");
	follow(place->env, report, "accessibility_bus");
	until(place->env, "accessibility_bus", "ok");
}

static void asleep(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	lab_place_bus(place, true);
	json_t *report = doctor(place->env);
	/* Looking does not start it. */
	assert_status(report, "accessibility_bus", "note");
	assert_status(doctor(place->env), "accessibility_bus", "note");
	follow(place->env, report, "accessibility_bus");
	report = doctor(place->env);
	assert_status(report, "accessibility_bus", "ok");
	assert_status(report, "registry", "ok");
	assert_status(report, "accessibility_events", "ok");
	/* The registry alone. */
	g_autofree char *address = g_strconcat("--address=", lab_str(check_of(report, "accessibility_bus"), "value"),
		NULL);
	struct lab_run pid = lab_run(place->env, LAB_ARGV("busctl", address, "call", "org.freedesktop.DBus",
		"/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s",
		"org.a11y.atspi.Registry"), NULL, 30000);
	lab_assert(g_str_has_prefix(pid.out, "u "));
	pid_t registry = (pid_t)atoi(pid.out + 2);
	lab_assert(kill(registry, SIGKILL) == 0 && lab_gone(registry, 20000));
	report = until(place->env, "registry", "note");
	struct lab_run repair = follow(place->env, report, "registry");
	lab_assert_contains(repair.out, "repaired: woken");
	assert_status(doctor(place->env), "registry", "ok");
	/* Applications are to be told that they shall be accessible. */
	report = doctor(place->env);
	assert_status(report, "toolkits", "note");
	lab_assert_int(follow(place->env, report, "toolkits").code, 0);
	assert_status(doctor(place->env), "toolkits", "ok");
}

/* What dead drivers, damaged files and people left. */
static void leftovers(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	g_autofree char *folder = g_build_filename(place->run, "cua-driver", NULL);
	g_autofree char *socket = g_build_filename(folder, "driver.sock", NULL);
	g_autofree char *config = g_build_filename(place->home, "config.json", NULL);
	g_autofree char *bad = g_strconcat(config, ".bad", NULL);
	int ends[2];

	(void)desk;
	lab_assert(pipe2(ends, O_CLOEXEC) == 0);
	pid_t daemon = lab_spawn(&(struct lab_spawn){ .env = place->env, .err = ends[1],
		.argv = LAB_ARGV(lab_driver_path(), "serve") });
	close(ends[1]);
	lab_assert_contains(lab_line_of(ends[0], 30000), "listening on");
	json_t *report = doctor(place->env);
	/* It is asked, too: it has no display either. */
	assert_status(report, "daemon", "fail");
	lab_assert_contains(lab_str(check_of(report, "daemon"), "value"), "lacks the display");
	kill(daemon, SIGKILL);
	lab_assert_int(lab_reap(daemon, 20000), 128 + SIGKILL);
	report = doctor(place->env);
	assert_status(report, "daemon", "note");
	lab_assert_contains(follow(place->env, report, "daemon").out, "is removed");
	lab_assert(!g_file_test(socket, G_FILE_TEST_EXISTS));
	assert_status(doctor(place->env), "daemon", "ok");

	lab_assert(g_file_set_contents(config, "{\"max_image_dimension\": 7", -1, NULL));
	report = doctor(place->env);
	assert_status(report, "settings", "note");
	lab_assert(g_file_test(bad, G_FILE_TEST_EXISTS));
	lab_assert_int(follow(place->env, report, "settings").code, 0);
	assert_status(doctor(place->env), "settings", "ok");
	lab_assert(g_file_set_contents(config, "{\"max_image_dimension\": true}", -1, NULL));
	report = doctor(place->env);
	assert_status(report, "settings", "fail");
	lab_assert_int(follow(place->env, report, "settings").code, 0);
	assert_status(doctor(place->env), "settings", "ok");

	lab_assert_int(lab_run(place->env, LAB_ARGV(lab_driver_path(), "panic"), "", 60000).code, 0);
	report = doctor(place->env);
	assert_status(report, "input", "fail");
	lab_assert_int(follow(place->env, report, "input").code, 0);
	assert_status(doctor(place->env), "input", "ok");

	lab_assert(chmod(folder, 0755) == 0);
	report = doctor(place->env);
	assert_status(report, "runtime_dir", "fail");
	lab_assert_int(follow(place->env, report, "runtime_dir").code, 0);
	assert_status(doctor(place->env), "runtime_dir", "ok");
}

/* A server without Composite: what cannot be seen is said. */
static void poor_server(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	int ends[2];

	(void)desk;
	/* Inherited on purpose: the server writes its number there. */
	lab_assert(pipe(ends) == 0);
	g_autofree char *fd = g_strdup_printf("%d", ends[1]);
	pid_t server = lab_spawn(&(struct lab_spawn){ .env = place->env, .argv = LAB_ARGV("sh", "-c",
		"exec Xvfb -displayfd \"$0\" -nolisten tcp -extension Composite 2>/dev/null", fd) });
	lab_at_end(kill_process, GINT_TO_POINTER(server));
	close(ends[1]);
	g_autofree char *display = g_strconcat(":", lab_line_of(ends[0], 30000), NULL);
	close(ends[0]);
	place->env = g_environ_setenv(place->env, "DISPLAY", display, TRUE);
	json_t *report = doctor(place->env);
	assert_status(report, "display", "ok");
	assert_status(report, "extensions", "fail");
	lab_assert_contains(lab_str(check_of(report, "extensions"), "value"), "Composite (to see covered windows)");
	struct lab_run run = follow(place->env, report, "extensions");
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "\nok    X extensions");
}

/* In a pid namespace, where no other test's session can be found. */
static void outside(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	struct lab_run probe = lab_run(NULL, LAB_ARGV("unshare", "-pfm", "--mount-proc", "true"), NULL, 20000);

	(void)desk;
	if (probe.code != 0) {
		lab_skip("no pid namespace can be made here: %s", probe.err);
	}
	struct lab_run run = lab_run(place->env, LAB_ARGV("unshare", "-pfm", "--mount-proc", "sh", "-c",
		"unset CUA_DRIVER_NO_DISCOVERY\n"
		"exec \"$0\" desktop -- sh -c '\n"
		"bare() { env -i PATH=\"$PATH\" HOME=\"$HOME\" \"$@\"; }\n"
		"echo found; bare \"$0\" doctor\n"
		"echo wrong; bare DISPLAY=$DISPLAY XAUTHORITY=/nonexistent \"$0\" doctor >$CUA_DRIVER_HOME/wrong\n"
		"cat $CUA_DRIVER_HOME/wrong\n"
		"echo advice; eval \"$(grep \"^ *export DISPLAY\" $CUA_DRIVER_HOME/wrong)\"\n"
		"bare DISPLAY=$DISPLAY XAUTHORITY=$XAUTHORITY \"$0\" doctor; echo code $?\n"
		"' \"$0\"\n", lab_driver_path()), "", 90000);
	lab_assert_int(run.code, 0);
	char *wrong = strstr(run.out, "wrong\n"), *advice = strstr(run.out, "advice\n");
	lab_assert(wrong && advice);
	lab_assert_contains(wrong, "FAIL  display");
	lab_assert_contains(wrong, "does not let us in");
	*wrong = *advice = '\0';
	/* Where it was found is told. */
	lab_assert_contains(run.out, "(from openbox (pid ");
	lab_assert_contains(run.out, "Healthy");
	lab_assert_contains(wrong + 1, "export DISPLAY=:");
	lab_assert_contains(advice + 1, "Healthy");
	lab_assert_contains(advice + 1, "code 0");
}

static void assert_limited(struct lab_place *place, const char *name)
{
	g_autofree char *path = g_build_filename(place->home, name, NULL);

	lab_assert_contains(lab_str(json_load_file(path, 0, NULL), "limitation"), "only X11 applications");
}

/* A Wayland login, with and without Xwayland. */
static void wayland(struct lab_desk *desk)
{
	static const char session[] =
		"cd $CUA_DRIVER_HOME\n"
		"rm -f out.json windows.json\n"
		"./cua-driver doctor --json >out.json\n"
		"./cua-driver doctor >out.txt\n"
		"./cua-driver list_windows >empty.json\n"
		"./cua-driver check_permissions >permissions.json\n"
		"eval \"$(sed -n 's/.*\"command\": \"\\(export GDK[^\"]*\\)\".*/\\1/p' out.json)\"\n"
		"if [ -n \"$DISPLAY\" ]; then\n"
		"	galculator & app=$!\n"
		"	until ./cua-driver call list_windows \"{\\\"pid\\\": $app}\" >windows.json &&\n"
		"		grep -q galculator windows.json; do kill -0 $app || break; sleep 0.3; done\n"
		"fi";
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	for (int with = 1; with >= 0; with--) {
		struct lab_run run = lab_sway_run(place, session, with, 90000);
		g_autofree char *path = g_build_filename(place->home, "out.json", NULL);
		json_t *report = json_load_file(path, 0, NULL);
		if (!report) {
			lab_fail("no report: %s", run.out);
		}
		assert_status(report, "login", "note");
		lab_assert_contains(lab_str(check_of(report, "login"), "value"), "only X11 applications");
		assert_status(report, "display", with ? "ok" : "fail");
		if (with) {
			assert_status(report, "capture", "ok");
			/* Nor does anybody take an empty list for an empty desktop. */
			assert_limited(place, "empty.json");
			assert_limited(place, "permissions.json");
			/* What it advises makes a window that is seen. */
			g_autofree char *seen = g_build_filename(place->home, "windows.json", NULL), *text = NULL;
			lab_assert(g_file_get_contents(seen, &text, NULL, NULL));
			lab_assert_contains(text, "galculator");
		} else {
			lab_assert_contains(lab_str(check_of(report, "display"), "advice"), "without Xwayland");
			struct lab_run follows = follow(place->env, report, "display");
			lab_assert_int(follows.code, 0);
			lab_assert_contains(follows.out, "\nok    display");
		}
	}
}

static const struct lab_test tests[] = {
	{ .name = "healthy", .run = healthy, .servers = LAB_BOTH, .wms = "openbox", .needs = "galculator",
	  .timeout = 180, .about = "On a whole desktop all is well, and the user notices nothing." },
	{ .name = "no_display", .run = no_display, .timeout = 240,
	  .about = "Without a display it says how to get one." },
	{ .name = "no_session_bus", .run = no_session_bus, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "dbus-run-session", .timeout = 180, .about = "Without a session bus it says how to get one." },
	{ .name = "orphan", .run = orphan, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "A pointer that a dead driver left is said, and removed by a repair." },
	{ .name = "bare_server", .run = bare_server, .servers = LAB_XVFB, .wms = "none", .needs = "openbox",
	  .timeout = 180, .about = "A server without a window manager is one, until the advice is followed." },
	{ .name = "no_accessibility", .run = no_accessibility, .needs = "dbus-daemon", .timeout = 180,
	  .about = "A session bus that cannot start accessibility; the advice starts it." },
	{ .name = "asleep", .run = asleep, .needs = "dbus-daemon busctl", .timeout = 180,
	  .about = "What sleeps is left asleep by a look, and woken by a repair." },
	{ .name = "leftovers", .run = leftovers, .timeout = 240,
	  .about = "Dead sockets, damaged settings, a stop, open folders: said, and gone after the advice." },
	{ .name = "poor_server", .run = poor_server, .needs = "Xvfb", .timeout = 180,
	  .about = "An X server that lacks an extension is named as the reason." },
	{ .name = "outside", .run = outside, .needs = "unshare", .timeout = 180,
	  .about = "It tells from which process it knows, and what is right instead of what is wrong." },
	{ .name = "wayland", .run = wayland, .needs = "sway Xwayland setpriv dbus-run-session galculator",
	  .timeout = 240, .about = "On a Wayland login it says what is driven, and the advice works." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
