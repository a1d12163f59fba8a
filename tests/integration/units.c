/* SPDX-License-Identifier: MIT */
/* The units of data/systemd under a real user manager, `systemd --user`. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

/*
 * A user manager wants a machine that systemd booted, and a control group of its own; it gets both in namespaces,
 * where everything ends with it. The group is called as on a machine that systemd booted: by that a process knows
 * whose unit it runs in.
 */
static const char manager[] =
	"umount -R /sys/fs/cgroup 2>/dev/null\n"
	"mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run || exit 99\n"
	"group=/sys/fs/cgroup/$0/user@$(id -u).service\n"
	"mkdir -p /run/systemd/system $group\n"
	"sh -c 'echo $$ >$0/cgroup.procs || exit 99; exec /usr/lib/systemd/systemd --user' $group\n"
	"code=$?\n"
	"find /sys/fs/cgroup/$0 -depth -type d -exec rmdir {} +\n"
	/* 1 is what unshare says. */
	"[ $code = 1 ] && exit 98 || exit $code\n";

/* A process inside of the namespaces: the manager answers nobody from outside. */
static char *inside;

#define systemctl(place, ...) \
	lab_run((place)->env, LAB_ARGV("nsenter", "-t", inside, "-m", "-p", "systemctl", "--user", "--quiet", __VA_ARGS__), \
		"", 60000)

/* What the manager says of the service. */
static char *property(struct lab_place *place, const char *name)
{
	return g_strchomp(systemctl(place, "show", "--value", "-p", name, "cua-driver.service").out);
}

static void until_property(struct lab_place *place, const char *name, const char *value)
{
	gint64 deadline = lab_deadline(30000);

	while (!g_str_equal(property(place, name), value)) {
		if (lab_left(deadline) == 0) {
			lab_fail("%s is %s, not %s", name, property(place, name), value);
		}
		g_usleep(50000);
	}
}

/* The unit as it is built, but for where the program is. */
static void install(struct lab_place *place, const char *folder, const char *name)
{
	g_autofree char *units = g_build_filename(place->home, ".config/systemd/user", NULL);
	g_autofree char *from = g_build_filename(folder, "data/systemd", name, NULL);
	g_autofree char *to = g_build_filename(units, name, NULL), *text = NULL;

	lab_assert(g_mkdir_with_parents(units, 0700) == 0 && g_file_get_contents(from, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *program = g_str_has_prefix(*line, "Exec") ? strstr(*line, "/cua-driver") : NULL;
		if (program) {
			char *equals = strchr(*line, '=');
			*equals = '\0';
			*line = g_strdup_printf("%s=%s%s", *line, lab_driver_path(), program + strlen("/cua-driver"));
		}
	}
	g_autofree char *moved = g_strjoinv("\n", lines);
	lab_assert(g_file_set_contents(to, moved, -1, NULL));
}

/* A manager that has the units; returns the pid of what ends with it. */
static pid_t start_manager(struct lab_place *place)
{
	place->env = g_environ_setenv(place->env, "HOME", place->home, TRUE);
	install(place, g_getenv("CUA_BUILDDIR"), "cua-driver.service");
	install(place, g_getenv("CUA_SRCDIR"), "cua-driver.socket");
	g_autofree char *group = g_strdup_printf("cua-units-%d.slice", (int)getpid());
	pid_t pid = lab_spawn(&(struct lab_spawn){ .env = place->env, .argv = LAB_ARGV("unshare", "-mpf", "--mount-proc",
		"--kill-child", "sh", "-c", manager, group) });
	g_autofree char *children = g_strdup_printf("/proc/%d/task/%d/children", (int)pid, (int)pid);
	gint64 deadline = lab_deadline(30000);
	struct lab_run is = { .code = -1 };

	while (is.code != 0) {
		int code = lab_reap(pid, 50);
		/* Not allowed to mount, or to make namespaces; a manager that does not come up is a failure. */
		if (code == 99 || code == 1) {
			lab_skip("no user manager can be had here");
		}
		if (code >= 0 || lab_left(deadline) == 0) {
			lab_fail("the user manager does not come up (%d): %s", code, is.err);
		}
		if (g_file_get_contents(children, &inside, NULL, NULL) && *g_strchomp(inside)) {
			is = systemctl(place, "is-active", "basic.target");
		}
	}
	/* A desktop session tells its manager where it is. */
	lab_assert_int(systemctl(place, "import-environment", "DISPLAY", "XAUTHORITY", "CUA_DRIVER_HOME").code, 0);
	return pid;
}

static void units(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	char *before = lab_traces_read(desk);
	pid_t pid = start_manager(place);

	/* Enabled, nothing runs until somebody asks. */
	lab_assert_int(systemctl(place, "enable", "--now", "cua-driver.socket").code, 0);
	lab_assert_str(property(place, "ActiveState"), "inactive");
	lab_assert_int(lab_place_run(place, "status").code, 0);
	lab_assert_str(property(place, "ActiveState"), "active");

	/* Killed with a button held: systemd ends what is left of its control group, and still all is undone. */
	g_autofree char *window = g_strdup_printf("{\"window_id\": %u}", canvas->window);
	g_autofree char *point = g_strdup_printf("{\"window_id\": %u, \"x\": 100, \"y\": 100}", canvas->window);
	lab_assert_int(lab_place_run(place, "screenshot", window).code, 0);
	lab_assert_int(lab_place_run(place, "mouse_button_down", point).code, 0);
	lab_assert(lab_journal_find(canvas, 0, 10000, "kind", "event", "type", "button_press", NULL));
	lab_assert_int(systemctl(place, "kill", "--kill-whom=main", "-s", "KILL", "cua-driver.service").code, 0);
	lab_traces_until(desk, before, "nothing of a killed daemon is left");
	lab_assert(lab_journal_find(canvas, 0, 10000, "kind", "event", "type", "button_release", NULL));
	/* It comes again by itself. */
	until_property(place, "NRestarts", "1");
	until_property(place, "ActiveState", "active");
	lab_assert_int(lab_place_run(place, "status").code, 0);

	/* It ends when it is told to, by either side, with what it held; and comes when it is wanted. */
	for (int i = 0; i < 2; i++) {
		lab_assert_int(lab_place_run(place, "screenshot", window).code, 0);
		lab_assert_int(lab_place_run(place, "mouse_button_down", point).code, 0);
		lab_assert_int(i ? systemctl(place, "stop", "cua-driver.service").code : lab_place_run(place, "stop").code,
			0);
		until_property(place, "ActiveState", "inactive");
		lab_assert_str(property(place, "Result"), "success");
		lab_traces_until(desk, before, "nothing of a stopped daemon is left");
	}

	/* Without the socket unit it has a socket of its own, and is ready when systemd says so. */
	lab_assert_int(systemctl(place, "disable", "--now", "cua-driver.socket").code, 0);
	lab_assert_int(lab_place_run(place, "status").code, 69);
	lab_assert_int(systemctl(place, "start", "cua-driver.service").code, 0);
	lab_assert_int(lab_place_run(place, "status").code, 0);
	lab_assert_int(systemctl(place, "exit").code, 0);
	lab_assert_int(lab_reap(pid, 30000), 0);
}

static void end(void *pid, bool failed)
{
	(void)failed;
	kill(GPOINTER_TO_INT(pid), SIGKILL);
}

/* Has the daemon start a program of that name, which is tied to it or not; returns the pid as the display knows it. */
static pid_t launch(struct lab_desk *desk, struct lab_place *place, const char *title, bool tied)
{
	g_autofree char *launchee = g_build_filename(g_getenv("CUA_BUILDDIR"), "tests/harness/launchee", NULL);
	g_autofree char *program = g_build_filename(place->home, title, NULL);
	g_autofree char *arguments = g_strdup_printf("{\"launch_path\": \"%s\", \"arguments\": [\"window\", \"%s\"], "
		"\"wait_ms\": 300}", program, title);

	lab_assert(symlink(launchee, program) == 0);
	struct lab_run run = lab_place_run(place, "launch_app", arguments);

	lab_assert_int(run.code, 0);
	lab_assert_int(json_is_true(lab_get(lab_run_json(&run), "ends_with_driver")), tied);
	xcb_window_t window = lab_x_titled(desk, title, 20000);
	lab_assert(window);
	pid_t pid = lab_x_pid(desk, window);
	lab_at_end(end, GINT_TO_POINTER(pid));
	return pid;
}

static bool has(pid_t pid, const char *file, const char *words)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, file);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, words);
}

static bool lives(pid_t pid)
{
	return has(pid, "status", "State:") && !has(pid, "status", "State:\tZ");
}

static pid_t child_of(const char *parent)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/task/%s/children", parent, parent);
	g_autofree char *text = NULL;

	lab_assert(g_file_get_contents(path, &text, NULL, NULL));
	return (pid_t)g_ascii_strtoll(text, NULL, 10);
}

static void until_empty(struct lab_place *place, const char *units)
{
	gint64 deadline = lab_deadline(30000);
	char *left;

	while (*(left = systemctl(place, "list-units", "--all", "--plain", "--no-legend", units).out)) {
		if (lab_left(deadline) == 0) {
			lab_fail("there still is %s", left);
		}
		g_usleep(50000);
	}
}

static void launched(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	pid_t pid = start_manager(place);

	/* What was launched is no part of the service, and may do what any program of the user may. */
	lab_assert_int(systemctl(place, "start", "cua-driver.socket").code, 0);
	pid_t program = launch(desk, place, "one", false);
	lab_assert(has(program, "status", "NoNewPrivs:\t0\n"));

	/* It goes on when the daemon is killed, and when either side stops it. */
	lab_assert_int(systemctl(place, "kill", "--kill-whom=main", "-s", "KILL", "cua-driver.service").code, 0);
	until_property(place, "NRestarts", "1");
	until_property(place, "ActiveState", "active");
	lab_assert(lives(program));
	lab_assert(has(program, "cgroup", "/app.slice/app-cua\\x2ddriver-one-"));
	lab_assert_int(lab_place_run(place, "stop").code, 0);
	until_property(place, "ActiveState", "inactive");
	lab_assert(lives(program));
	/* Also one whose name is longer than that of a unit can be, and full of what cannot be in one. */
	g_autofree char *name = g_strnfill(200, '%');
	memcpy(name, "a long-@ name", strlen("a long-@ name"));
	pid_t second = launch(desk, place, name, false);
	lab_assert_int(systemctl(place, "stop", "cua-driver.service").code, 0);
	until_property(place, "ActiveState", "inactive");
	lab_assert(lives(program) && lives(second));

	/* A manager that is stuck delays nobody for long; that the program could not be moved is said, and true. */
	lab_assert_int(lab_place_run(place, "status").code, 0);
	pid_t stuck = child_of(inside);
	kill(stuck, SIGSTOP);
	pid_t tied = launch(desk, place, "three", true);
	kill(stuck, SIGCONT);
	lab_assert_int(systemctl(place, "stop", "cua-driver.service").code, 0);
	lab_assert(lab_gone(tied, 20000));
	lab_assert(lives(program) && lives(second));

	/* Of a program that has ended no scope stays. */
	kill(program, SIGKILL);
	kill(second, SIGKILL);
	until_empty(place, "app-cua*");
	lab_assert_int(systemctl(place, "exit").code, 0);
	lab_assert_int(lab_reap(pid, 30000), 0);
}

static const struct lab_test tests[] = {
	{ .name = "units", .run = units, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "/usr/lib/systemd/systemd systemctl nsenter unshare",
	  .about = "Under a user manager it starts when asked for, comes again after a crash, and leaves nothing." },
	{ .name = "launched", .run = launched, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "/usr/lib/systemd/systemd systemctl nsenter unshare",
	  .about = "What the service launched goes on without it, or it is said that it does not." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
