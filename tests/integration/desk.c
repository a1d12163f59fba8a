/* SPDX-License-Identifier: MIT */
/* `cua-driver desktop`: what it gives the command, and that nothing of it is left. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/lab.h"

#define DESKTOP(...) LAB_ARGV(lab_driver_path(), "desktop", __VA_ARGS__)

static void exit_codes(struct lab_desk *desk)
{
	(void)desk;
	lab_assert_int(lab_run(NULL, DESKTOP("--", "true"), NULL, 20000).code, 0);
	lab_assert_int(lab_run(NULL, DESKTOP("--", "sh", "-c", "exit 7"), NULL, 20000).code, 7);
	lab_assert_int(lab_run(NULL, DESKTOP("--", "sh", "-c", "kill -TERM $$"), NULL, 20000).code,
		128 + SIGTERM);
	lab_assert_int(lab_run(NULL, DESKTOP("--", "/no/such/program"), NULL, 20000).code, 127);
}

static void usage(struct lab_desk *desk)
{
	static const char *const bad[][4] = {
		{ NULL },
		{ "--" },
		{ "--no-such-option", "--", "true" },
		{ "--size", "12", "--", "true" },
		{ "--size", "-1x5", "--", "true" },
		{ "--size", "0x0", "--", "true" },
		{ "--server", "nonsense", "--", "true" },
		{ "--wm" },
	};

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct lab_run run = lab_run(NULL, LAB_ARGV(lab_driver_path(), "desktop", bad[i][0],
			bad[i][0] ? bad[i][1] : NULL, bad[i][1] ? bad[i][2] : NULL,
			bad[i][2] ? bad[i][3] : NULL), NULL, 20000);

		if (run.code != 64 || !*run.err || *run.out) {
			lab_fail("case %zu: exit code %d, stdout \"%s\", stderr \"%s\"", i, run.code,
				run.out, run.err);
		}
	}
	struct lab_run missing = lab_run(NULL, DESKTOP("--wm", "no-such-wm", "--", "true"), NULL,
		20000);
	lab_assert_int(missing.code, 69);
	lab_assert_contains(missing.err, "no-such-wm");
}

static void streams(struct lab_desk *desk)
{
	(void)desk;
	struct lab_run run = lab_run(NULL, DESKTOP("--", "cat"), "through and through", 20000);
	lab_assert_int(run.code, 0);
	lab_assert_str(run.out, "through and through");

	run = lab_run(NULL, DESKTOP("--", "sh", "-c", "echo complaint >&2"), NULL, 20000);
	lab_assert_str(run.out, "");
	lab_assert_contains(run.err, "complaint");
}

/* make and shells may hand us descriptors of their own: those are not the desktop's. */
static void descriptors(struct lab_desk *desk)
{
	struct lab_run bare = lab_run(NULL, LAB_ARGV("ls", "/proc/self/fd"), NULL, 20000);
	struct lab_run inside = lab_run(NULL, DESKTOP("--", "ls", "/proc/self/fd"), NULL, 20000);

	(void)desk;
	lab_assert_str(inside.out, bare.out);
}

static void surroundings(struct lab_desk *desk)
{
	char **env = g_environ_setenv(g_get_environ(), "DISPLAY", ":987", TRUE);
	struct lab_run run = lab_run(env, DESKTOP("--size", "800x600", "--wm", "openbox", "--", "sh",
		"-c", "xwininfo -root; xprop -root _NET_SUPPORTING_WM_CHECK AT_SPI_BUS;"
		"stat -c 'mode=%a' \"$XDG_RUNTIME_DIR\"; echo bus=$DBUS_SESSION_BUS_ADDRESS;"
		"echo display=$DISPLAY"), NULL, 20000);

	(void)desk;
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "Width: 800");
	lab_assert_contains(run.out, "Height: 600");
	lab_assert_contains(run.out, "_NET_SUPPORTING_WM_CHECK(WINDOW)");
	lab_assert_contains(run.out, "AT_SPI_BUS(STRING)");
	lab_assert_contains(run.out, "mode=700");
	lab_assert_contains(run.out, "bus=unix:");
	lab_assert(!strstr(run.out, "display=:987"));
}

/* openbox names itself on the root before it looks after windows, and loses one in between. */
static void ready(struct lab_desk *desk)
{
	lab_window_open(desk, &(struct lab_window){ .title = "the first thing the command does" });
}

/* --- Nothing is left -------------------------------------------------------------------------- */

/* A desktop whose every process can be told by a variable of its environment. */
struct marked {
	char *mark;
	pid_t pid;
	int in;
	char *directory;
	char *socket, *lock;             /* of its X server */
	gint64 socket_is, lock_is;       /* a display's number is soon another server's */
};

/* Which file is there; 0: none. By its time: the inode of one that is gone is the next one's, which may be another server's. */
static gint64 identity(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 ? info.st_ctim.tv_sec * G_GINT64_CONSTANT(1000000000) + info.st_ctim.tv_nsec : 0;
}

/* Processes that carry the mark. */
static GArray *marked_pids(const char *mark)
{
	GArray *pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(proc))) {
		g_autofree char *path = g_build_filename("/proc", name, "environ", NULL);
		g_autofree char *text = NULL;
		gsize size;
		pid_t pid = atoi(name);

		if (pid > 0 && pid != getpid() && g_file_get_contents(path, &text, &size, NULL) &&
			memmem(text, size, mark, strlen(mark))) {
			g_array_append_val(pids, pid);
		}
	}
	g_dir_close(proc);
	return pids;
}

static struct marked start_marked(const char *server, const char *wm, const char *script)
{
	struct marked marked = { .mark = g_strdup_printf("LAB_MARK=%d.%u", getpid(), g_random_int()) };
	char **env = g_environ_setenv(g_get_environ(), "LAB_MARK", strchr(marked.mark, '=') + 1, TRUE);
	g_autofree char *whole = g_strconcat(script,
		"echo \"$DISPLAY $XDG_RUNTIME_DIR\"; cat >/dev/null", NULL);
	char line[512] = "";
	int in[2], out[2];

	lab_assert(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	marked.pid = lab_spawn(&(struct lab_spawn){
		.argv = DESKTOP("--server", server, "--wm", wm, "--", "sh", "-c", whole),
		.env = env, .in = in[0], .out = out[1], .outlives = true });
	close(in[0]);
	close(out[1]);
	marked.in = in[1];
	gint64 deadline = lab_deadline(30000);
	for (size_t got = 0; got < sizeof line - 1 && !strchr(line, '\n'); got++) {
		if (!lab_readable(out[0], deadline) || read(out[0], line + got, 1) != 1) {
			lab_fail("the desktop did not come up");
		}
	}
	close(out[0]);
	g_auto(GStrv) words = g_strsplit(g_strchomp(line), " ", 2);
	lab_assert(words[0][0] == ':' && words[1]);
	marked.directory = g_strdup(words[1]);
	marked.socket = g_strdup_printf("/tmp/.X11-unix/X%s", words[0] + 1);
	marked.lock = g_strdup_printf("/tmp/.X%s-lock", words[0] + 1);
	marked.socket_is = identity(marked.socket);
	marked.lock_is = identity(marked.lock);
	lab_assert(marked.socket_is); /* a server that chose its number itself has no lock */
	return marked;
}

static void assert_nothing_left(const struct marked *marked)
{
	gint64 deadline = lab_deadline(10000);
	GArray *pids;

	while ((pids = marked_pids(marked->mark))->len > 0) {
		pid_t pid = g_array_index(pids, pid_t, 0);

		if (!lab_gone(pid, lab_left(deadline))) {
			g_autofree char *path = g_strdup_printf("/proc/%d/comm", pid);
			g_autofree char *name = NULL;

			g_file_get_contents(path, &name, NULL, NULL);
			lab_fail("process %d (%s) and %u others are left", pid, name ? name : "?",
				pids->len - 1);
		}
	}
	if (identity(marked->socket) == marked->socket_is) {
		lab_fail("the socket %s is left", marked->socket);
	}
	if (marked->lock_is && identity(marked->lock) == marked->lock_is) {
		lab_fail("the lock %s is left", marked->lock);
	}
	if (g_file_test(marked->directory, G_FILE_TEST_EXISTS)) {
		lab_fail("the private directory %s is left", marked->directory);
	}
}

/* What a careless script leaves: a daemon in a session of its own, deaf to polite signals. */
#define STRAY "setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1000; done' " \
	"</dev/null >/dev/null 2>&1 & "

static void nothing_left(struct lab_desk *desk)
{
	struct marked marked = start_marked("xvfb", "openbox", STRAY);

	(void)desk;
	close(marked.in);
	lab_assert_int(lab_reap(marked.pid, 10000), 0);
	/* When the command has returned it is all over, not a moment later. */
	lab_assert_int(marked_pids(marked.mark)->len, 0);
	assert_nothing_left(&marked);
}

static void nothing_left_xvnc(struct lab_desk *desk)
{
	struct marked marked = start_marked("xvnc", "xfwm4", STRAY);

	(void)desk;
	close(marked.in);
	lab_assert_int(lab_reap(marked.pid, 10000), 0);
	assert_nothing_left(&marked);
}

static void nothing_left_after_sigterm(struct lab_desk *desk)
{
	struct marked marked = start_marked("xvfb", "openbox", STRAY);

	(void)desk;
	kill(marked.pid, SIGTERM);
	lab_assert_int(lab_reap(marked.pid, 10000), 128 + SIGTERM);
	assert_nothing_left(&marked);
}

static void nothing_left_after_sigkill(struct lab_desk *desk)
{
	struct marked marked = start_marked("xvfb", "openbox", STRAY);

	(void)desk;
	kill(marked.pid, SIGKILL);
	lab_assert_int(lab_reap(marked.pid, 10000), 128 + SIGKILL);
	assert_nothing_left(&marked);
}

static void twenty_at_once(struct lab_desk *desk)
{
	g_autoptr(GHashTable) displays = g_hash_table_new(g_str_hash, g_str_equal);
	int held[20];
	pid_t pids[20];
	int in[2], out[20][2];

	(void)desk;
	/* All are started before any has come up; that is the race for display numbers. */
	for (int i = 0; i < 20; i++) {
		lab_assert(pipe2(in, O_CLOEXEC) == 0 && pipe2(out[i], O_CLOEXEC) == 0);
		pids[i] = lab_spawn(&(struct lab_spawn){
			.argv = DESKTOP("--wm", "openbox", "--", "sh", "-c", "echo $DISPLAY; cat"),
			.in = in[0], .out = out[i][1], .outlives = true });
		close(in[0]);
		close(out[i][1]);
		held[i] = in[1];
	}
	for (int i = 0; i < 20; i++) {
		gint64 deadline = lab_deadline(60000);
		char line[64] = "";

		for (size_t got = 0; got < sizeof line - 1 && !strchr(line, '\n'); got++) {
			if (!lab_readable(out[i][0], deadline) || read(out[i][0], line + got, 1) != 1) {
				lab_fail("desktop %d of 20 did not come up", i);
			}
		}
		if (!g_hash_table_add(displays, g_strdup(g_strchomp(line)))) {
			lab_fail("two desktops have display %s", line);
		}
	}
	for (int i = 0; i < 20; i++) {
		close(held[i]);
	}
	for (int i = 0; i < 20; i++) {
		lab_assert_int(lab_reap(pids[i], 30000), 0);
	}
}

static const struct lab_test tests[] = {
	{ .name = "exit_codes", .run = exit_codes, .needs = "Xvfb",
	  .about = "The command's exit code comes back, a signal as 128 + its number." },
	{ .name = "usage", .run = usage,
	  .about = "Bad usage is 64 and a missing window manager 69; both say so on stderr only." },
	{ .name = "streams", .run = streams, .needs = "Xvfb",
	  .about = "stdin, stdout and stderr are the command's alone." },
	{ .name = "descriptors", .run = descriptors, .needs = "Xvfb",
	  .about = "The command inherits no descriptor of the desktop." },
	{ .name = "surroundings", .run = surroundings, .needs = "Xvfb openbox xwininfo xprop",
	  .about = "Size, window manager, buses and a private runtime directory are there." },
	{ .name = "ready", .run = ready, .servers = LAB_BOTH, .wms = "*",
	  .about = "When the command starts, the window manager takes in windows." },
	{ .name = "nothing_left", .run = nothing_left, .needs = "Xvfb openbox",
	  .about = "When it returns, all it started is gone, strays included." },
	{ .name = "nothing_left_xvnc", .run = nothing_left_xvnc, .needs = "Xvnc xfwm4",
	  .about = "The same with the other server." },
	{ .name = "nothing_left_after_sigterm", .run = nothing_left_after_sigterm,
	  .needs = "Xvfb openbox", .about = "Terminated, it takes everything along." },
	{ .name = "nothing_left_after_sigkill", .run = nothing_left_after_sigkill,
	  .needs = "Xvfb openbox", .about = "Killed without warning, everything still ends." },
	{ .name = "twenty_at_once", .run = twenty_at_once, .needs = "Xvfb openbox", .timeout = 150,
	  .about = "Twenty start at the same time, each on a display of its own." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
