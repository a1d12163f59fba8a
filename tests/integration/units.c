/* SPDX-License-Identifier: MIT */
/* The units of data/systemd under a real user manager, `systemd --user`. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"

/*
 * A user manager wants a machine that systemd booted, and a control group of its own; it gets both in namespaces,
 * where everything ends with it.
 */
static const char manager[] =
	"umount -R /sys/fs/cgroup 2>/dev/null\n"
	"mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run || exit 99\n"
	"mkdir -p /run/systemd/system /sys/fs/cgroup/$0\n"
	"echo $$ >/sys/fs/cgroup/$0/cgroup.procs || exit 99\n"
	"systemd --user\n"
	"echo $$ >/sys/fs/cgroup/cgroup.procs\n"
	"find /sys/fs/cgroup/$0 -depth -type d -exec rmdir {} +\n";

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

/* Returns the pid of what ends with it. */
static pid_t start_manager(struct lab_place *place)
{
	g_autofree char *group = g_strdup_printf("cua-units-%d", (int)getpid());
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
	return pid;
}

static void units(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	char *before = lab_traces_read(desk);

	place->env = g_environ_setenv(place->env, "HOME", place->home, TRUE);
	install(place, g_getenv("CUA_BUILDDIR"), "cua-driver.service");
	install(place, g_getenv("CUA_SRCDIR"), "cua-driver.socket");
	pid_t pid = start_manager(place);
	/* A desktop session tells its manager where it is. */
	lab_assert_int(systemctl(place, "import-environment", "DISPLAY", "XAUTHORITY", "CUA_DRIVER_HOME").code, 0);

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

static const struct lab_test tests[] = {
	{ .name = "units", .run = units, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "systemd systemctl nsenter unshare",
	  .about = "Under a user manager it starts when asked for, comes again after a crash, and leaves nothing." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
