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

/* A home and a runtime folder of its own, so that nobody's settings or daemon are in the way. */
struct place {
	char **env;
	char *home, *run, *config, *socket;
};

static void remove_place(void *data, bool failed)
{
	const struct place *place = data;

	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", place->home, place->run), NULL, 10000);
}

static struct place *place_new(struct lab_desk *desk)
{
	struct place *place = g_new0(struct place, 1);

	place->home = g_dir_make_tmp("cua-home-XXXXXX", NULL);
	place->run = g_dir_make_tmp("cua-run-XXXXXX", NULL);
	place->config = g_build_filename(place->home, "config.json", NULL);
	place->socket = g_build_filename(place->run, "cua-driver", "driver.sock", NULL);
	place->env = desk ? g_strdupv(desk->env) : g_get_environ();
	place->env = g_environ_setenv(place->env, "CUA_DRIVER_HOME", place->home, TRUE);
	place->env = g_environ_setenv(place->env, "XDG_RUNTIME_DIR", place->run, TRUE);
	lab_at_end(remove_place, place);
	return place;
}

/* `cua-driver WORD...` to its end. */
#define driver(place, ...) lab_run((place)->env, LAB_ARGV(lab_driver_path(), __VA_ARGS__), "", 60000)

static void kill_daemon(void *data, bool failed)
{
	(void)failed;
	kill(GPOINTER_TO_INT(data), SIGKILL);
}

/* Starts a daemon and waits until it says that it listens. */
static pid_t start_daemon(struct place *place)
{
	int ends[2];
	char line[512];

	lab_assert(pipe2(ends, O_CLOEXEC) == 0);
	pid_t pid = lab_spawn(&(struct lab_spawn){
		.argv = LAB_ARGV(lab_driver_path(), "serve"), .env = place->env, .err = ends[1] });
	close(ends[1]);
	lab_at_end(kill_daemon, GINT_TO_POINTER(pid));
	gsize length = 0;
	while (length == 0 || line[length - 1] != '\n') {
		if (!lab_readable(ends[0], lab_deadline(20000))
			|| read(ends[0], line + length, 1) != 1 || ++length == sizeof line - 1) {
			lab_fail("the daemon does not say that it listens: %.*s", (int)length, line);
		}
	}
	line[length] = '\0';
	lab_assert_contains(line, "listening on");
	/* What it says later goes nowhere; the pipe stays open until the test ends. */
	return pid;
}

static void stop_daemon(struct place *place, pid_t pid)
{
	lab_assert_int(driver(place, "stop").code, 0);
	lab_assert_int(lab_reap(pid, 20000), 0);
	lab_assert(!g_file_test(place->socket, G_FILE_TEST_EXISTS));
}

static json_t *answer_of(const struct lab_run *run)
{
	json_t *json = json_loads(run->out, 0, NULL);

	if (!json) {
		lab_fail("no JSON: %s%s", run->out, run->err);
	}
	return json;
}

static void indices(struct lab_desk *desk)
{
	struct place *place = place_new(desk);
	struct lab_app app = lab_galculator(desk, false);
	pid_t pid = start_daemon(place);
	g_autofree char *window = g_strdup_printf("{\"window_id\": %u}", app.window);
	struct lab_run state = driver(place, "call", "get_window_state", window);

	lab_assert_int(state.code, 0);
	json_t *seven = lab_element(answer_of(&state), NULL, "7");
	g_autofree char *click = g_strdup_printf("{\"window_id\": %u, \"element_index\": %d}", app.window,
		(int)lab_int(seven, "element_index"));
	lab_assert_int(driver(place, "click", click).code, 0);
	lab_galculator_shows(desk, &app, "7");
	stop_daemon(place, pid);
	/* Without a daemon each call is alone: it says so instead of pressing something. */
	struct lab_run alone = driver(place, "click", click);
	lab_assert_int(alone.code, 1);
	lab_assert_str(lab_str(answer_of(&alone), "code"), "no_cached_state");
}

static void crashes(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);

	(void)desk;
	lab_assert_int(driver(place, "status").code, 69);
	pid_t first = start_daemon(place);
	struct lab_run second = driver(place, "serve");
	lab_assert_int(second.code, 69);
	lab_assert_contains(second.err, "runs already");
	struct stat info;
	lab_assert(stat(place->socket, &info) == 0 && (info.st_mode & 0777) == 0600);
	lab_assert_int(driver(place, "status").code, 0);
	for (int i = 0; i < 5; i++) {
		kill(first, SIGKILL);
		lab_assert_int(lab_reap(first, 10000), 128 + SIGKILL);
		/* Its socket is still there; nobody answers, and a call does without. */
		lab_assert(g_file_test(place->socket, G_FILE_TEST_EXISTS));
		lab_assert_int(driver(place, "status").code, 69);
		lab_assert_int(driver(place, "get_config").code, 0);
		first = start_daemon(place);
		lab_assert_int(driver(place, "status").code, 0);
	}
	stop_daemon(place, first);
	/* A folder that others can enter is no place for a socket. */
	g_autofree char *folder = g_path_get_dirname(place->socket);
	lab_assert(chmod(folder, 0755) == 0);
	struct lab_run open_folder = driver(place, "serve");
	lab_assert_int(open_folder.code, 69);
	lab_assert_contains(open_folder.err, "chmod 700");
}

static void builds(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);
	g_autofree char *other = g_build_filename(place->home, "other", NULL);

	(void)desk;
	/* The same program with another build id: what an update leaves beside a daemon that still runs. */
	struct lab_run made = lab_run(place->env, LAB_ARGV("sh", "-ec",
		"cd \"$CUA_DRIVER_HOME\"\n"
		"objcopy --dump-section .note.gnu.build-id=note \"$0\" copy\n"
		"printf '\\001\\002\\003\\004' | dd of=note bs=1 seek=16 conv=notrunc 2>/dev/null\n"
		"objcopy --update-section .note.gnu.build-id=note \"$0\" other\n", lab_driver_path()), "", 60000);
	lab_assert_int(made.code, 0);
	pid_t pid = start_daemon(place);
	struct lab_run same = driver(place, "status");
	lab_assert_int(same.code, 0);
	lab_assert(!strstr(same.err, "another build"));
	struct lab_run status = lab_run(place->env, LAB_ARGV(other, "status"), "", 60000);
	lab_assert_int(status.code, 0);
	lab_assert_contains(status.err, "another build");
	/* It is a warning: the daemon does the call. */
	struct lab_run call = lab_run(place->env, LAB_ARGV(other, "get_config"), "", 60000);
	lab_assert_int(call.code, 0);
	lab_assert_contains(call.err, "another build");
	stop_daemon(place, pid);
}

static void write_config(struct place *place, const char *text)
{
	lab_assert(g_file_set_contents(place->config, text, -1, NULL));
}

static void damaged(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);

	(void)desk;
	lab_assert_int(driver(place, "config", "set", "max_image_dimension", "900").code, 0);
	lab_assert_str(driver(place, "config", "get", "max_image_dimension").out, "900\n");
	/* Refused, and nothing is written. */
	lab_assert_int(driver(place, "config", "set", "max_image_dimension", "-1").code, 64);
	lab_assert_int(driver(place, "config", "set", "capture_scoop", "desktop").code, 64);
	lab_assert_str(driver(place, "config", "get", "max_image_dimension").out, "900\n");
	/* Settings of a newer version are kept. */
	write_config(place, "{\"from_the_future\": [1], \"max_image_dimension\": 700}");
	lab_assert_int(driver(place, "config", "set", "capture_scope", "desktop").code, 0);
	g_autofree char *kept = NULL;
	lab_assert(g_file_get_contents(place->config, &kept, NULL, NULL));
	lab_assert_contains(kept, "from_the_future");
	lab_assert_contains(kept, "700");
	/* Damaged: said, kept aside, and defaults hold. */
	write_config(place, "{\"max_image_dimension\": 7");
	struct lab_run broken = driver(place, "config", "get", "max_image_dimension");
	lab_assert_str(broken.out, "1568\n");
	lab_assert_contains(broken.err, "config.json.bad");
	g_autofree char *aside = g_strconcat(place->config, ".bad", NULL), *text = NULL;
	lab_assert(g_file_get_contents(aside, &text, NULL, NULL));
	lab_assert_str(text, "{\"max_image_dimension\": 7");
	/* A value that means nothing: said, and its default holds. */
	write_config(place, "{\"max_image_dimension\": \"large\"}");
	struct lab_run nonsense = driver(place, "config", "get", "max_image_dimension");
	lab_assert_str(nonsense.out, "1568\n");
	lab_assert_contains(nonsense.err, "max_image_dimension takes");
	/* It cannot be read at all: said, and never overwritten. */
	lab_assert(g_unlink(place->config) == 0 && g_mkdir(place->config, 0700) == 0);
	struct lab_run unreadable = driver(place, "config", "set", "capture_scope", "desktop");
	lab_assert_int(unreadable.code, 1);
	lab_assert_contains(unreadable.err, "not saved");
	lab_assert(g_file_test(place->config, G_FILE_TEST_IS_DIR));
}

/* Whether this machine lets us mount; where it does not, the case cannot be shown. */
static void full_disk(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);
	g_autofree char *script = g_strdup_printf(
		"mount -t tmpfs -o size=16k,nr_inodes=8 none '%s' || exit 99\n"
		"'%s' config set max_image_dimension 900 || exit 98\n"
		"cat /dev/zero >'%s/fill' 2>/dev/null\n"
		"'%s' config set max_image_dimension 800; echo \"code $?\"\n"
		"'%s' config get max_image_dimension\n"
		"mount -o remount,ro '%s' || exit 97\n"
		"'%s' config set max_image_dimension 700; echo \"code $?\"\n"
		"'%s' config get max_image_dimension\n",
		place->home, lab_driver_path(), place->home, lab_driver_path(), lab_driver_path(),
		place->home, lab_driver_path(), lab_driver_path());

	(void)desk;
	struct lab_run run = lab_run(place->env, LAB_ARGV("unshare", "-rm", "sh", "-c", script), "", 60000);
	if (run.code == 99 || strstr(run.err, "unshare failed")) {
		lab_skip("no file system can be mounted here: %s", run.err);
	}
	lab_assert_int(run.code, 0);
	lab_assert_str(run.out, "code 1\n900\ncode 1\n900\n");
	lab_assert_contains(run.err, "No space left");
	lab_assert_contains(run.err, "Read-only");
}

static void atomic(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);
	int whole = 0;

	(void)desk;
	lab_assert_int(driver(place, "config", "set", "max_image_dimension", "1000").code, 0);
	for (int i = 0; i < 60; i++) {
		g_autofree char *value = g_strdup_printf("%d", 1001 + i);
		pid_t pid = lab_spawn(&(struct lab_spawn){ .env = place->env,
			.argv = LAB_ARGV(lab_driver_path(), "config", "set", "max_image_dimension", value) });
		/* At a different moment each time, from before it begins to after it ended. */
		g_usleep((gulong)(i * 700));
		kill(pid, SIGKILL);
		lab_reap(pid, 10000);
		g_autofree char *text = NULL;
		lab_assert(g_file_get_contents(place->config, &text, NULL, NULL));
		json_t *json = json_loads(text, 0, NULL);
		if (!json) {
			lab_fail("a killed write left half a file: %s", text);
		}
		int found = (int)lab_int(json, "max_image_dimension");
		lab_assert(found >= 1000 && found <= 1001 + i);
		whole += found == 1001 + i;
	}
	lab_note("%d of 60 writes were done before the kill", whole);
	lab_assert_int(driver(place, "config", "set", "max_image_dimension", "5").code, 0);
}

static int count_fds(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/fd", (int)pid);
	g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
	int count = 0;

	while (folder && g_dir_read_name(folder)) {
		count++;
	}
	return count;
}

static int count_sessions(struct place *place)
{
	struct lab_run run = driver(place, "list_sessions");

	return (int)json_array_size(lab_array(answer_of(&run), "sessions"));
}

/* Waits until the daemon has as many sessions; the calls that count are the anonymous one's. */
static void until_sessions(struct place *place, int wanted)
{
	gint64 deadline = lab_deadline(30000);

	while (count_sessions(place) != wanted) {
		if (lab_left(deadline) == 0) {
			lab_fail("there are %d sessions, not %d", count_sessions(place), wanted);
		}
	}
}

static void sessions(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);

	(void)desk;
	place->env = g_environ_setenv(place->env, "CUA_DRIVER_SESSION_IDLE_TTL_SECS", "4", TRUE);
	pid_t pid = start_daemon(place);
	until_sessions(place, 1);
	int fds = count_fds(pid);
	for (int i = 0; i < 50; i++) {
		g_autofree char *label = g_strdup_printf("{\"session\": \"s%d\"}", i);
		g_autofree char *config = g_strdup_printf(
			"{\"session\": \"s%d\", \"max_image_dimension\": %d}", i, 100 + i);
		lab_assert_int(driver(place, "start_session", label).code, 0);
		lab_assert_int(driver(place, "set_config", config).code, 0);
		if (i % 2 == 0) {
			lab_assert_int(driver(place, "end_session", label).code, 0);
		}
	}
	/* What a session sets is its own, and gone with it: a label used again starts fresh. */
	lab_assert_int(driver(place, "set_config", "{\"session\": \"mine\", \"max_image_dimension\": 7}").code,
		0);
	struct lab_run mine = driver(place, "get_config", "{\"session\": \"mine\"}");
	lab_assert_int(lab_int(answer_of(&mine), "config/max_image_dimension"), 7);
	lab_assert_int(driver(place, "end_session", "{\"session\": \"mine\"}").code, 0);
	mine = driver(place, "get_config", "{\"session\": \"mine\"}");
	lab_assert_int(lab_int(answer_of(&mine), "config/max_image_dimension"), 1568);
	lab_assert(!g_file_test(place->config, G_FILE_TEST_EXISTS));
	/* The idle ones end by themselves; only the one that asks stays. */
	until_sessions(place, 1);
	/* The connection of the last command may still be closing. */
	gint64 deadline = lab_deadline(20000);
	while (count_fds(pid) > fds) {
		if (lab_left(deadline) == 0) {
			lab_fail("there were %d file descriptors and are %d", fds, count_fds(pid));
		}
		g_usleep(20000);
	}
	stop_daemon(place, pid);
}

static int connect_to(struct place *place)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	g_strlcpy(address.sun_path, place->socket, sizeof address.sun_path);
	lab_assert(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
	return fd;
}

static void send_text(int fd, const char *text)
{
	lab_assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static void crowd(struct lab_desk *desk)
{
	static const char ask[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
	struct place *place = place_new(NULL);
	pid_t pid = start_daemon(place);
	int fds[20];

	(void)desk;
	/* One asks for far more than fits a socket's buffer and never reads. */
	int deaf = connect_to(place);
	lab_assert(fcntl(deaf, F_SETFL, O_NONBLOCK) == 0);
	for (int i = 0; i < 3000 && write(deaf, ask, strlen(ask)) > 0; i++) {
	}
	for (int i = 0; i < 20; i++) {
		fds[i] = connect_to(place);
		send_text(fds[i], ask);
	}
	for (int i = 0; i < 20; i++) {
		char byte = 0;
		gint64 deadline = lab_deadline(20000);
		while (byte != '\n') {
			if (!lab_readable(fds[i], deadline) || read(fds[i], &byte, 1) != 1) {
				lab_fail("client %d got no answer", i);
			}
		}
		close(fds[i]);
	}
	lab_assert_int(driver(place, "status").code, 0);
	close(deaf);
	stop_daemon(place, pid);
}

static void proxied(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);
	pid_t pid = start_daemon(place);
	const char *lines =
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
		"\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"lab\",\"version\":\"1\"}}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"set_config\","
		"\"arguments\":{\"max_image_dimension\":5}}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";

	(void)desk;
	struct lab_run run = lab_run(place->env,
		LAB_ARGV(lab_driver_path(), "mcp", "--socket", place->socket), lines, 30000);
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "\"protocolVersion\":\"2025-06-18\"");
	lab_assert_contains(run.out, "\"name\":\"get_window_state\"");
	/* An MCP connection has a session of its own: the disk is left alone, and it ends with it. */
	lab_assert(!g_file_test(place->config, G_FILE_TEST_EXISTS));
	until_sessions(place, 1);
	/* A one-shot call has none: what it sets is for all. */
	lab_assert_int(driver(place, "set_config", "{\"key\": \"structured_content\", \"value\": \"never\"}").code,
		0);
	lab_assert(g_file_test(place->config, G_FILE_TEST_EXISTS));
	struct lab_run list = lab_run(place->env,
		LAB_ARGV(lab_driver_path(), "mcp", "--socket", place->socket), lines, 30000);
	lab_assert_contains(list.out, "\"name\":\"get_window_state\"");
	lab_assert(strstr(run.out, "\"outputSchema\":") && !strstr(list.out, "\"outputSchema\":"));
	stop_daemon(place, pid);
	struct lab_run gone = lab_run(place->env,
		LAB_ARGV(lab_driver_path(), "mcp", "--socket", place->socket), lines, 30000);
	lab_assert_int(gone.code, 69);
	lab_assert_contains(gone.err, "No daemon listens");
}

static void activated(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);
	g_autofree char *folder = g_path_get_dirname(place->socket);

	(void)desk;
	lab_assert(g_mkdir_with_parents(folder, 0700) == 0);
	pid_t pid = lab_spawn(&(struct lab_spawn){ .env = place->env,
		.argv = LAB_ARGV("systemd-socket-activate", "-l", place->socket, lab_driver_path(), "serve") });
	lab_at_end(kill_daemon, GINT_TO_POINTER(pid));
	gint64 deadline = lab_deadline(20000);
	while (driver(place, "status").code != 0) {
		if (lab_left(deadline) == 0) {
			lab_fail("the daemon did not start when its socket was used");
		}
	}
	lab_assert_int(driver(place, "stop").code, 0);
	lab_assert_int(lab_reap(pid, 20000), 0);
	/* The socket is systemd's: the next client starts the next daemon on it. */
	lab_assert(g_file_test(place->socket, G_FILE_TEST_EXISTS));
}

static void refused(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);

	(void)desk;
	if (geteuid() != 0) {
		lab_skip("only root can be refused");
	}
	lab_assert(chown(place->run, 65534, 65534) == 0);
	struct lab_run run = driver(place, "serve");
	lab_assert_int(run.code, 77);
	lab_assert_contains(run.err, "runuser -u nobody -- cua-driver serve");
	lab_assert(chown(place->run, 0, 0) == 0);
}

/* A desktop in a pid namespace of its own, where no other test's session can be found. */
static struct lab_run in_container(struct place *place, const char *script)
{
	struct lab_run probe = lab_run(NULL, LAB_ARGV("unshare", "-pfm", "--mount-proc", "true"), NULL, 20000);
	if (probe.code != 0) {
		lab_skip("no pid namespace can be made here: %s", probe.err);
	}
	return lab_run(place->env,
		LAB_ARGV("unshare", "-pfm", "--mount-proc", "sh", "-c", script, lab_driver_path()), "", 90000);
}

static void outside(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);

	(void)desk;
	struct lab_run run = in_container(place,
		"unset CUA_DRIVER_NO_DISCOVERY\n"
		"exec \"$0\" desktop -- sh -c '\n"
		"galculator & app=$!\n"
		"until id=$(xdotool search --onlyvisible --pid $app); do sleep 0.2; done\n"
		"bare() { env -i PATH=\"$PATH\" HOME=\"$HOME\" \"$@\"; }\n"
		"bare \"$0\" call --text list_windows\n"
		"until bare \"$0\" call --text get_window_state \"{\\\"pid\\\": $app}\" >$CUA_DRIVER_HOME/tree && grep button $CUA_DRIVER_HOME/tree; do\n"
		"sleep 0.5; done\n"
		"' \"$0\"\n");
	lab_assert_int(run.code, 0);
	lab_assert_contains(run.out, "\"galculator\"");
	lab_assert_contains(run.out, "button \"7\"");
}

static void not_for_root(struct lab_desk *desk)
{
	struct place *place = place_new(NULL);

	(void)desk;
	lab_assert(chown(place->home, 65534, 65534) == 0);
	struct lab_run run = in_container(place,
		/* The build may be where only root can go. */
		"cp \"$0\" \"$CUA_DRIVER_HOME/driver\"\n"
		"HOME=$CUA_DRIVER_HOME setpriv --reuid 65534 --regid 65534 --clear-groups "
		"\"$CUA_DRIVER_HOME/driver\" desktop -- "
		"sh -c 'echo up; sleep 60' >\"$CUA_DRIVER_HOME/log\" 2>&1 & desktop=$!\n"
		"until grep -q up \"$CUA_DRIVER_HOME/log\"; do kill -0 $desktop || exit 9; sleep 0.2; done\n"
		"env -i PATH=\"$PATH\" HOME=/root \"$0\" serve\n");
	lab_assert_int(run.code, 77);
	lab_assert_contains(run.err, "runuser -u nobody -- cua-driver serve");
}

static const struct lab_test tests[] = {
	{ .name = "indices", .run = indices, .servers = LAB_XVFB, .wms = "openbox", .needs = "galculator",
	  .about = "An index of one command works in the next, and only with a daemon." },
	{ .name = "crashes", .run = crashes,
	  .about = "A killed daemon can be started again at once; there is never a second one." },
	{ .name = "builds", .run = builds, .needs = "objcopy",
	  .about = "A daemon of another build is used, and said to be one." },
	{ .name = "damaged", .run = damaged,
	  .about = "Wrong, newer, damaged and unreadable settings are said and never lost." },
	{ .name = "full_disk", .run = full_disk, .needs = "unshare mount",
	  .about = "A full and a read-only disk are said, and the old settings stay." },
	{ .name = "atomic", .run = atomic,
	  .about = "A write killed at any moment leaves the old settings or the new ones." },
	{ .name = "sessions", .run = sessions, .timeout = 120,
	  .about = "Sessions end by name, when idle and with their connection, and leave nothing." },
	{ .name = "crowd", .run = crowd,
	  .about = "Twenty clients do not notice one that never reads." },
	{ .name = "proxied", .run = proxied,
	  .about = "mcp --socket speaks MCP through the daemon, with a session of its own." },
	{ .name = "activated", .run = activated, .needs = "systemd-socket-activate",
	  .about = "The daemon takes the socket that systemd hands over." },
	{ .name = "outside", .run = outside, .needs = "unshare galculator xdotool", .timeout = 120,
	  .about = "Without any desktop variable the desktop of the same user is found." },
	{ .name = "not_for_root", .run = not_for_root, .needs = "unshare setpriv", .timeout = 120,
	  .about = "Root without variables does not serve another user's desktop." },
	{ .name = "refused", .run = refused,
	  .about = "Root is not let into another user's session." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
