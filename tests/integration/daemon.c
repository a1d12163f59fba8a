/* SPDX-License-Identifier: MIT */
/* The daemon and the command line: what survives between calls, crashes and full disks. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab.h"

static void kill_daemon(void *data, bool failed)
{
	(void)failed;
	kill(GPOINTER_TO_INT(data), SIGKILL);
}

static void indices(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	struct lab_app app = lab_galculator(desk, false);
	pid_t pid = lab_daemon_start(place);
	g_autofree char *window = g_strdup_printf("{\"window_id\": %u}", app.window);
	struct lab_run state = lab_place_run(place, "call", "get_window_state", window);

	lab_assert_int(state.code, 0);
	json_t *seven = lab_element(lab_run_json(&state), NULL, "7");
	g_autofree char *click = g_strdup_printf("{\"window_id\": %u, \"element_index\": %d}", app.window,
		(int)lab_int(seven, "element_index"));
	lab_assert_int(lab_place_run(place, "click", click).code, 0);
	lab_galculator_shows(desk, &app, "7");
	lab_daemon_stop(place, pid);
	/* Without a daemon each call is alone: it says so instead of pressing something. */
	struct lab_run alone = lab_place_run(place, "click", click);
	lab_assert_int(alone.code, 1);
	lab_assert_str(lab_str(lab_run_json(&alone), "code"), "no_cached_state");
}

static void crashes(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	lab_assert_int(lab_place_run(place, "status").code, 69);
	pid_t first = lab_daemon_start(place);
	struct lab_run second = lab_place_run(place, "serve");
	lab_assert_int(second.code, 69);
	lab_assert_contains(second.err, "runs already");
	struct stat info;
	lab_assert(stat(place->socket, &info) == 0 && (info.st_mode & 0777) == 0600);
	lab_assert_int(lab_place_run(place, "status").code, 0);
	for (int i = 0; i < 5; i++) {
		kill(first, SIGKILL);
		lab_assert_int(lab_reap(first, 10000), 128 + SIGKILL);
		/* Its socket is still there; nobody answers, and a call does without. */
		lab_assert(g_file_test(place->socket, G_FILE_TEST_EXISTS));
		lab_assert_int(lab_place_run(place, "status").code, 69);
		lab_assert_int(lab_place_run(place, "get_config").code, 0);
		first = lab_daemon_start(place);
		lab_assert_int(lab_place_run(place, "status").code, 0);
	}
	lab_daemon_stop(place, first);
	/* A folder that others can enter is no place for a socket. */
	g_autofree char *folder = g_path_get_dirname(place->socket);
	lab_assert(chmod(folder, 0755) == 0);
	struct lab_run open_folder = lab_place_run(place, "serve");
	lab_assert_int(open_folder.code, 69);
	lab_assert_contains(open_folder.err, "chmod 700");
}

static void builds(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	g_autofree char *other = g_build_filename(place->home, "other", NULL);

	(void)desk;
	/* The same program with another build id: what an update leaves beside a daemon that still runs. */
	struct lab_run made = lab_run(place->env, LAB_ARGV("sh", "-ec",
		"cd \"$CUA_DRIVER_HOME\"\n"
		"objcopy --dump-section .note.gnu.build-id=note \"$0\" copy\n"
		"printf '\\001\\002\\003\\004' | dd of=note bs=1 seek=16 conv=notrunc 2>/dev/null\n"
		"objcopy --update-section .note.gnu.build-id=note \"$0\" other\n", lab_driver_path()), "", 60000);
	lab_assert_int(made.code, 0);
	pid_t pid = lab_daemon_start(place);
	struct lab_run same = lab_place_run(place, "status");
	lab_assert_int(same.code, 0);
	lab_assert(!strstr(same.err, "another build"));
	struct lab_run status = lab_run(place->env, LAB_ARGV(other, "status"), "", 60000);
	lab_assert_int(status.code, 0);
	lab_assert_contains(status.err, "another build");
	/* It is a warning: the daemon does the call. */
	struct lab_run call = lab_run(place->env, LAB_ARGV(other, "get_config"), "", 60000);
	lab_assert_int(call.code, 0);
	lab_assert_contains(call.err, "another build");
	lab_daemon_stop(place, pid);
}

static void send_text(int fd, const char *text)
{
	lab_assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

/* All of a long line; nothing else is under way. */
static void read_line(int fd)
{
	char buffer[65536];
	gint64 deadline = lab_deadline(20000);
	ssize_t got = 0;

	do {
		if (!lab_readable(fd, deadline) || (got = read(fd, buffer, sizeof buffer)) <= 0) {
			lab_fail("a client got no answer");
		}
	} while (buffer[got - 1] != '\n');
}

/* Twenty clients ask at once; how long the slowest of them waits. */
static double ask_twenty(struct lab_place *place, const char *ask)
{
	int fds[20];
	gint64 began = g_get_monotonic_time();

	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++) {
		fds[i] = lab_place_connect(place);
		send_text(fds[i], ask);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++) {
		read_line(fds[i]);
		close(fds[i]);
	}
	return (double)(g_get_monotonic_time() - began) / 1000;
}

static void crowd(struct lab_desk *desk)
{
	static const char ask[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
	struct lab_place *place = lab_place_new(NULL);
	pid_t pid = lab_daemon_start(place);

	(void)desk;
	double alone = ask_twenty(place, ask);
	int before = lab_memory_kb(pid);
	/* One asks for far more than fits a socket's buffer and never reads. */
	int deaf = lab_place_connect(place), asked = 0;
	lab_assert(fcntl(deaf, F_SETFL, O_NONBLOCK) == 0);
	while (asked < 30000 && write(deaf, ask, strlen(ask)) > 0) {
		asked++;
	}
	double beside = ask_twenty(place, ask);
	int after = lab_memory_kb(pid);
	lab_note("twenty clients: %.0f ms alone, %.0f ms beside one that asked %d times and never reads; %d KB, then %d KB",
		alone, beside, asked, before, after);
	lab_assert(beside < alone + 2000);
	/* Nor do its answers pile up. */
	lab_assert(LAB_SANITIZED || after - before < 64 * 1024);
	lab_assert_int(lab_place_run(place, "status").code, 0);
	close(deaf);
	lab_daemon_stop(place, pid);
}

static void activated(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	g_autofree char *folder = g_path_get_dirname(place->socket);

	(void)desk;
	lab_assert(g_mkdir_with_parents(folder, 0700) == 0);
	pid_t pid = lab_spawn(&(struct lab_spawn){ .env = place->env,
		.argv = LAB_ARGV("systemd-socket-activate", "-l", place->socket, lab_driver_path(), "serve") });
	lab_at_end(kill_daemon, GINT_TO_POINTER(pid));
	gint64 deadline = lab_deadline(20000);
	while (lab_place_run(place, "status").code != 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("the daemon did not start when its socket was used");
		}
	}
	lab_assert_int(lab_place_run(place, "stop").code, 0);
	lab_assert_int(lab_reap(pid, 20000), 0);
	/* The socket is systemd's: the next client starts the next daemon on it. */
	lab_assert(g_file_test(place->socket, G_FILE_TEST_EXISTS));
}

static void refused(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	if (geteuid() != 0) {
		lab_skip("only root can be refused");
	}
	lab_assert(chown(place->run, 65534, 65534) == 0);
	struct lab_run run = lab_place_run(place, "serve");
	lab_assert_int(run.code, 77);
	lab_assert_contains(run.err, "runuser -u nobody -- cua-driver serve");
	struct lab_run mcp = lab_place_run(place, "mcp");
	lab_assert_int(mcp.code, 77);
	lab_assert_contains(mcp.err, "runuser -u nobody -- cua-driver mcp");
	lab_assert(chown(place->run, 0, 0) == 0);
}

/* A desktop in a pid namespace of its own, where no other test's session can be found. */
static struct lab_run in_container(struct lab_place *place, const char *script)
{
	struct lab_run probe = lab_run(NULL, LAB_ARGV("unshare", "-pfm", "--mount-proc", "true"), NULL, 20000);
	if (probe.code != 0) {
		lab_skip("no pid namespace can be made here: %s", probe.err);
	}
	return lab_run(place->env,
		LAB_ARGV("unshare", "-pfm", "--mount-proc", "sh", "-c", script, lab_driver_path()), "", 90000);
}

/* No runtime folder anywhere: below the home folder, where nobody else can go. */
static void homeless(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	struct lab_run run = in_container(place,
		"mount -t tmpfs none /run; unset XDG_RUNTIME_DIR\n"
		"\"$0\" serve 2>\"$CUA_DRIVER_HOME/log\" & daemon=$!\n"
		"until \"$0\" status 2>/dev/null >&2; do kill -0 $daemon || exit 9; sleep 0.1; done\n"
		"cd \"$CUA_DRIVER_HOME\"; stat -c '%n %A' run run/driver.sock\n"
		"\"$0\" stop; wait $daemon; echo $?\n");
	lab_assert_str(run.out, "run drwx------\nrun/driver.sock srw-------\nThe daemon has stopped\n0\n");
}

/*
 * Commands that come one by one from outside, as by `docker exec`: no variable leads to the desktop. The desktop is
 * nobody's, so that root is somebody else. Files of the build may be where only root can go.
 */
static void outside(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	struct lab_run run = in_container(place,
		"unset CUA_DRIVER_NO_DISCOVERY\n"
		"cd \"$CUA_DRIVER_HOME\"\n"
		"mkdir bin home; cp \"$0\" bin/cua-driver\n"
		"cat >session <<'END'\n"
		"cua-driver serve 2>serve.log & galculator & echo $! >app; wait\n"
		"END\n"
		"cat >texts <<'END'\n"
		"import pyatspi, sys\n"
		"def texts(node):\n"
		"    if 'Text' in pyatspi.listInterfaces(node):\n"
		"        yield from node.queryText().getText(0, -1).split('\\n')\n"
		"    for child in node:\n"
		"        if child is not None:\n"
		"            yield from texts(child)\n"
		"for application in pyatspi.Registry.getDesktop(0):\n"
		"    if application is not None and application.get_process_id() == int(sys.argv[1]):\n"
		"        print(*(text.strip() for text in texts(application)), sep='\\n')\n"
		"END\n"
		"mount -t tmpfs none /run; mkdir -p -m 755 /run/user; mkdir -m 700 /run/user/65534\n"
		"chown -R 65534:65534 . /run/user/65534\n"
		"path=$PWD/bin:$PATH\n"
		"nobody='setpriv --reuid 65534 --regid 65534 --clear-groups env'\n"
		/* Some other login of the same user: not its folder and its bus are those of the desktop. */
		"$nobody dbus-daemon --session --nofork --address=unix:path=/run/user/65534/bus 2>/dev/null &\n"
		"until [ -S /run/user/65534/bus ]; do sleep 0.1; done\n"
		"$nobody -u CUA_DRIVER_HOME -u XDG_RUNTIME_DIR HOME=$PWD/home PATH=$path cua-driver desktop -- sh session"
		" >log 2>&1 &\n"
		"bare() { $nobody -i HOME=$PWD/home PATH=$path \"$@\"; }\n"
		"until bare cua-driver status >status 2>/dev/null; do kill -0 $! || exit 9; sleep 0.2; done\n"
		"read app <app\n"
		"index=\n"
		"until [ -n \"$index\" ]; do index=$(bare cua-driver get_window_state \"{\\\"pid\\\": $app}\" 2>/dev/null | awk '\n"
		"	$1 == \"\\\"element_index\\\":\" { at = $2 + 0 } $1 == \"\\\"label\\\":\" && index($2, \"\\\"7\\\"\") == 1 "
		"{ print at; exit }'); done\n"
		"bare cua-driver click \"{\\\"pid\\\": $app, \\\"element_index\\\": $index}\" >/dev/null; echo clicked $?\n"
		/* Somebody else looks, with all that the desktop's programs know. */
		"eval \"$(tr '\\0' '\\n' </proc/$app/environ | grep -E '^(DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS)=' |"
		" sed 's/=\\(.*\\)/=\"\\1\"; /')\"\n"
		"for try in 1 2 3 4 5 6 7 8 9 10; do\n"
		"	bare DISPLAY=$DISPLAY XAUTHORITY=$XAUTHORITY DBUS_SESSION_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS"
		" /usr/bin/python3 texts $app 2>/dev/null | grep -x 7 && break; sleep 0.3\n"
		"done\n"
		/* What a driver from outside launches is on the bus of the desktop. */
		"bare cua-driver stop >/dev/null\n"
		"started=$(bare cua-driver launch_app '{\"name\": \"xterm\", \"wait_ms\": 20000}' | sed -n 's/^  \"pid\": \\([0-9]*\\).*/\\1/p')\n"
		"tr '\\0' '\\n' </proc/$started/environ | grep -qxF \"DBUS_SESSION_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS\"; echo bus $?\n"
		"bare cua-driver serve 2>/dev/null & until bare cua-driver status >status 2>/dev/null; do sleep 0.2; done\n"
		/* Root is told who may, and what it is told works. */
		"env -i HOME=/root PATH=$path cua-driver list_windows 2>refused; echo root $?; cat refused\n"
		"env -i HOME=/root PATH=$path cua-driver serve 2>&1 >/dev/null; echo serve $?\n"
		"env -i HOME=/root PATH=$path $(tail -n 1 refused); echo advised $?\n"
		/* The socket itself answers nobody but its owner, also not who can open everything. */
		"python3 -c 'import socket, sys\n"
		"s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])\n"
		"try:\n"
		"    s.sendall(b\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\\n\")\n"
		"    print(\"socket\", s.recv(100))\n"
		"except (BrokenPipeError, ConnectionResetError):\n"
		"    print(\"socket\", b\"\")\n"
		"' \"$(sed -n 's/^socket: *//p' status)\"\n");
	lab_note("%s%s", run.out, run.err);
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "clicked 0\n7\nbus 0\nroot 77\n");
	lab_assert_contains(run.out, "runuser -u nobody -- cua-driver list_windows\n");
	lab_assert_contains(run.out, "runuser -u nobody -- cua-driver serve\nserve 77\n");
	lab_assert_contains(run.out, "\"galculator\"");
	lab_assert_contains(run.out, "advised 0\nsocket b''\n");
}

static const struct lab_test tests[] = {
	{ .name = "indices", .run = indices, .servers = LAB_XVFB, .wms = "openbox", .needs = "galculator",
	  .about = "An index of one command works in the next, and only with a daemon." },
	{ .name = "crashes", .run = crashes,
	  .about = "A killed daemon can be started again at once; there is never a second one." },
	{ .name = "builds", .run = builds, .needs = "objcopy",
	  .about = "A daemon of another build is used, and said to be one." },
	{ .name = "crowd", .run = crowd,
	  .about = "Twenty clients do not notice one that never reads." },
	{ .name = "activated", .run = activated, .needs = "systemd-socket-activate",
	  .about = "The daemon takes the socket that systemd hands over." },
	{ .name = "homeless", .run = homeless, .needs = "unshare",
	  .about = "Without a runtime folder the socket is below the home folder, and only its owner can go there." },
	{ .name = "outside", .run = outside, .needs = "dbus-daemon galculator python3 runuser setpriv unshare xterm", .timeout = 120,
	  .about = "Commands without any desktop variable find desktop and daemon of the same user; root is refused." },
	{ .name = "refused", .run = refused,
	  .about = "Root is not let into another user's session." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
