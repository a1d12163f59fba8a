/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "internal.h"

static void remove_place(void *data, bool failed)
{
	const struct lab_place *place = data;

	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", place->home, place->run), NULL, 10000);
}

struct lab_place *lab_place_new(struct lab_desk *desk)
{
	static const char *const desktop[] = { "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE",
		"DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS" };
	struct lab_place *place = g_new0(struct lab_place, 1);

	place->home = g_dir_make_tmp("cua-home-XXXXXX", NULL);
	place->run = g_dir_make_tmp("cua-run-XXXXXX", NULL);
	place->config = g_build_filename(place->home, "config.json", NULL);
	place->socket = g_build_filename(place->run, "cua-driver", "driver.sock", NULL);
	place->env = desk ? g_strdupv(desk->env) : g_get_environ();
	for (size_t i = 0; !desk && i < G_N_ELEMENTS(desktop); i++) {
		place->env = g_environ_unsetenv(place->env, desktop[i]);
	}
	place->env = g_environ_setenv(place->env, "CUA_DRIVER_HOME", place->home, TRUE);
	place->env = g_environ_setenv(place->env, "XDG_RUNTIME_DIR", place->run, TRUE);
	/* What applications are told is a setting of the user, which a test leaves alone. */
	place->env = g_environ_setenv(place->env, "GSETTINGS_BACKEND", "memory", TRUE);
	lab_at_end(remove_place, place);
	return place;
}

static void kill_daemon(void *data, bool failed)
{
	(void)failed;
	kill(GPOINTER_TO_INT(data), SIGKILL);
}

pid_t lab_daemon_start(struct lab_place *place)
{
	int ends[2];

	lab_assert(pipe2(ends, O_CLOEXEC) == 0);
	pid_t pid = lab_spawn(&(struct lab_spawn){
		.argv = LAB_ARGV(lab_driver_path(), "serve"), .env = place->env, .err = ends[1] });
	close(ends[1]);
	lab_at_end(kill_daemon, GINT_TO_POINTER(pid));
	/* What it says later goes nowhere; the pipe stays open until the test ends. */
	lab_assert_contains(lab_line_of(ends[0], 20000), "listening on");
	return pid;
}

void lab_daemon_stop(struct lab_place *place, pid_t pid)
{
	lab_assert_int(lab_place_run(place, "stop").code, 0);
	lab_assert_int(lab_reap(pid, 20000), 0);
	lab_assert(!g_file_test(place->socket, G_FILE_TEST_EXISTS));
}

int lab_place_connect(struct lab_place *place)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	g_strlcpy(address.sun_path, place->socket, sizeof address.sun_path);
	lab_assert(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
	return fd;
}

json_t *lab_run_json(const struct lab_run *run)
{
	json_t *json = json_loads(run->out, 0, NULL);

	if (!json) {
		lab_fail("no JSON: %s%s", run->out, run->err);
	}
	return json;
}

static void end_bus(void *data, bool failed)
{
	(void)failed;
	kill(GPOINTER_TO_INT(data), SIGTERM);
}

void lab_place_bus(struct lab_place *place, bool starts)
{
	g_autofree char *conf = g_build_filename(place->home, "bus.conf", NULL);
	g_autofree char *text = g_strdup_printf("<busconfig><type>session</type><listen>unix:dir=%s</listen>%s"
		"<policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/>"
		"<allow own=\"*\"/></policy></busconfig>", place->run, starts ? "<standard_session_servicedirs/>" : "");
	int ends[2];

	lab_assert(g_file_set_contents(conf, text, -1, NULL) && pipe2(ends, O_CLOEXEC) == 0);
	g_autofree char *option = g_strconcat("--config-file=", conf, NULL);
	pid_t pid = lab_spawn(&(struct lab_spawn){ .env = place->env, .out = ends[1],
		.argv = LAB_ARGV("dbus-daemon", option, "--nofork", "--print-address") });
	lab_at_end(end_bus, GINT_TO_POINTER(pid));
	close(ends[1]);
	place->env = g_environ_setenv(place->env, "DBUS_SESSION_BUS_ADDRESS", lab_line_of(ends[0], 30000), TRUE);
	close(ends[0]);
}
