/* SPDX-License-Identifier: MIT */
/* Sessions of a daemon: how they end, and that nothing of them stays. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/oracle.h"


static int count_entries(pid_t pid, const char *what)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, what);
	g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
	int count = 0;

	while (folder && g_dir_read_name(folder)) {
		count++;
	}
	return count;
}

static int count_sessions(struct lab_place *place)
{
	struct lab_run run = lab_place_run(place, "list_sessions");

	return (int)json_array_size(lab_array(lab_run_json(&run), "sessions"));
}

/* Waits until the daemon has as many sessions; the calls that count are the anonymous one's. */
static void until_sessions(struct lab_place *place, int wanted)
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
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	place->env = g_environ_setenv(place->env, "CUA_DRIVER_SESSION_IDLE_TTL_SECS", "4", TRUE);
	pid_t pid = lab_daemon_start(place);
	until_sessions(place, 1);
	int fds = count_entries(pid, "fd");
	for (int i = 0; i < 50; i++) {
		g_autofree char *label = g_strdup_printf("{\"session\": \"s%d\"}", i);
		g_autofree char *config = g_strdup_printf(
			"{\"session\": \"s%d\", \"max_image_dimension\": %d}", i, 100 + i);
		lab_assert_int(lab_place_run(place, "start_session", label).code, 0);
		lab_assert_int(lab_place_run(place, "set_config", config).code, 0);
		if (i % 2 == 0) {
			lab_assert_int(lab_place_run(place, "end_session", label).code, 0);
		}
	}
	/* What a session sets is its own, and gone with it: a label used again starts fresh. */
	lab_assert_int(lab_place_run(place, "set_config", "{\"session\": \"mine\", \"max_image_dimension\": 7}").code,
		0);
	struct lab_run mine = lab_place_run(place, "get_config", "{\"session\": \"mine\"}");
	lab_assert_int(lab_int(lab_run_json(&mine), "config/max_image_dimension"), 7);
	lab_assert_int(lab_place_run(place, "end_session", "{\"session\": \"mine\"}").code, 0);
	mine = lab_place_run(place, "get_config", "{\"session\": \"mine\"}");
	lab_assert_int(lab_int(lab_run_json(&mine), "config/max_image_dimension"), 1568);
	lab_assert(!g_file_test(place->config, G_FILE_TEST_EXISTS));
	/* The idle ones end by themselves; only the one that asks stays. */
	until_sessions(place, 1);
	/* The connection of the last command may still be closing. */
	gint64 deadline = lab_deadline(20000);
	while (count_entries(pid, "fd") > fds) {
		if (lab_left(deadline) == 0) {
			lab_fail("there were %d file descriptors and are %d", fds, count_entries(pid, "fd"));
		}
		g_usleep(20000);
	}
	lab_daemon_stop(place, pid);
}

static void proxied(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	pid_t pid = lab_daemon_start(place);
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
	lab_assert_int(lab_place_run(place, "set_config", "{\"key\": \"structured_content\", \"value\": \"never\"}").code,
		0);
	lab_assert(g_file_test(place->config, G_FILE_TEST_EXISTS));
	struct lab_run list = lab_run(place->env,
		LAB_ARGV(lab_driver_path(), "mcp", "--socket", place->socket), lines, 30000);
	lab_assert_contains(list.out, "\"name\":\"get_window_state\"");
	lab_assert(strstr(run.out, "\"outputSchema\":") && !strstr(list.out, "\"outputSchema\":"));
	lab_daemon_stop(place, pid);
	struct lab_run gone = lab_run(place->env,
		LAB_ARGV(lab_driver_path(), "mcp", "--socket", place->socket), lines, 30000);
	lab_assert_int(gone.code, 69);
	lab_assert_contains(gone.err, "No daemon listens");
}

/* The longer side of the picture that a call with these arguments gives. */
static int side(struct lab_place *place, xcb_window_t window, const char *arguments)
{
	g_autofree char *file = g_build_filename(place->home, "picture.png", NULL);
	g_autofree char *json = g_strdup_printf("{\"window_id\": %u%s}", window, arguments);

	lab_assert_int(lab_place_run(place, "call", "--image-out", file, "screenshot", json).code, 0);
	struct lab_picture picture = lab_picture_of_file(file);
	return MAX(picture.width, picture.height);
}

static void precedence(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "large", .width = 500, .height = 400 });
	pid_t pid = lab_daemon_start(place);

	lab_assert_int(side(place, window, ""), 500);
	lab_assert_int(lab_place_run(place, "config", "set", "max_image_dimension", "300").code, 0);
	lab_assert_int(side(place, window, ""), 300);
	lab_assert_int(side(place, window, ", \"session\": \"mine\""), 300);
	lab_assert_int(lab_place_run(place, "set_config", "{\"session\": \"mine\", \"max_image_dimension\": 200}").code,
		0);
	lab_assert_int(side(place, window, ", \"session\": \"mine\""), 200);
	lab_assert_int(side(place, window, ", \"session\": \"other\""), 300);
	lab_assert_int(side(place, window, ", \"session\": \"mine\", \"max_image_dimension\": 100"), 100);
	lab_assert_int(side(place, window, ", \"session\": \"mine\""), 200);
	lab_daemon_stop(place, pid);
}

/* --- On a desktop: what a session holds there ---------------------------------------------------- */

#define FIFTY 50
/* A snapshot, a picture or a device that stays of each of them is far more. */
#define MOST_KB 512
#define MOST_THREADS 10

/* What the daemon takes, counted from outside. */
struct toll {
	int fds, threads, anon_kb, resources;
};

static struct toll weigh(struct lab_desk *desk, pid_t pid)
{
	return (struct toll){ count_entries(pid, "fd"), count_entries(pid, "task"), lab_memory_kb(pid),
		lab_x_resources(desk, pid) };
}

/* Where the fifty sessions are. */
struct stage {
	struct lab_desk *desk;
	struct lab_place *place;
	struct lab_app calculator;
	struct lab_harness *canvas;
	int wire;                /* a connection that names its sessions, and outlives them */
	int asked;
};

static void G_GNUC_PRINTF(4, 5) say(struct stage *stage, int fd, const char *tool, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *arguments = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *line = g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":"
		"{\"name\":\"%s\",\"arguments\":{%s}}}\n", ++stage->asked, tool, arguments);
	lab_assert(write(fd, line, strlen(line)) == (ssize_t)strlen(line));
}

/* The answer to what was said last. */
static json_t *hear(struct stage *stage, int fd)
{
	json_t *message = json_loads(lab_line_of(fd, 30000), 0, NULL);

	lab_assert_int(lab_int(message, "id"), stage->asked);
	return lab_get(message, "result/structuredContent");
}

static void works(struct stage *stage, int fd, const char *what)
{
	json_t *answer = hear(stage, fd);

	if (lab_get(answer, "code")) {
		lab_fail("%s: %s", what, lab_json(answer));
	}
}

/* Looks at one window, and presses a button of its own pointer in another; `session` is "" or names it. */
static void work(struct stage *stage, int fd, const char *session)
{
	guint mark = lab_journal_mark(stage->canvas);

	say(stage, fd, "get_window_state", "%s\"window_id\":%u", session, stage->calculator.window);
	works(stage, fd, "get_window_state");
	say(stage, fd, "screenshot", "%s\"window_id\":%u", session, stage->canvas->window);
	works(stage, fd, "screenshot");
	say(stage, fd, "click", "%s\"window_id\":%u,\"x\":100,\"y\":100", session, stage->canvas->window);
	works(stage, fd, "click");
	lab_assert(lab_journal_find(stage->canvas, mark, 10000, "kind", "event", "type", "button_press", NULL));
}

/* Nothing of who had the label before is there: neither its snapshots nor its settings. */
static void assert_fresh(struct stage *stage, const char *session)
{
	say(stage, stage->wire, "click", "%s\"window_id\":%u,\"element_index\":1", session, stage->calculator.window);
	lab_assert_str(lab_str(hear(stage, stage->wire), "code"), "no_cached_state");
	g_autofree char *label = g_strndup(session, strlen(session) - 1);
	say(stage, stage->wire, "get_config", "%s", label);
	lab_assert_int(lab_int(hear(stage, stage->wire), "config/max_image_dimension"), 1568);
}

static void end_by_name(struct stage *stage, const char *session)
{
	g_autofree char *label = g_strndup(session, strlen(session) - 1);

	say(stage, stage->wire, "end_session", "%s", label);
	works(stage, stage->wire, "end_session");
}

/* Every way a session lives and ends. */
static void live_and_end(struct stage *stage, int number)
{
	enum { ENDED, IDLE, REUSED, DISCONNECTED, GONE_AT_ONCE, WAYS };
	g_autofree char *named = g_strdup_printf("\"session\":\"%d\",", number);
	static const char again[] = "\"session\":\"again\",";
	int way = number % WAYS, fd;

	switch (way) {
	case ENDED:
	case IDLE:
		work(stage, stage->wire, named);
		if (way == ENDED) {
			end_by_name(stage, named);
		}
		break;
	case REUSED:
		assert_fresh(stage, again);
		say(stage, stage->wire, "set_config", "%s\"max_image_dimension\":500", again);
		works(stage, stage->wire, "set_config");
		work(stage, stage->wire, again);
		end_by_name(stage, again);
		break;
	default:
		fd = lab_place_connect(stage->place);
		work(stage, fd, "");
		if (way == GONE_AT_ONCE) {
			/* With an answer under way that nobody waits for. */
			say(stage, fd, "get_window_state", "\"window_id\":%u", stage->calculator.window);
		}
		close(fd);
	}
}

static void fifty(struct stage *stage, const char *before)
{
	for (int i = 0; i < FIFTY; i++) {
		live_and_end(stage, i);
	}
	/* The idle ones end by themselves. */
	until_sessions(stage->place, 1);
	assert_fresh(stage, "\"session\":\"1\",");
	end_by_name(stage, "\"session\":\"1\",");
	lab_traces_until(stage->desk, before, "devices and windows are as they were before the fifty");
}

static void nothing_stays(struct lab_desk *desk)
{
	struct stage stage = { .desk = desk, .place = lab_place_new(desk), .calculator = lab_galculator(desk, false),
		.canvas = lab_harness_start(desk, "canvas", NULL) };
	char *before = lab_traces_read(desk);

	/* As older callers spell it. */
	stage.place->env = g_environ_setenv(stage.place->env, "CUA_DRIVER_RS_SESSION_IDLE_TTL_SECS", "2", TRUE);
	/* Freed memory goes back at once: what is left is in use. */
	stage.place->env = g_environ_setenv(stage.place->env, "MALLOC_ARENA_MAX", "1", TRUE);
	stage.place->env = g_environ_setenv(stage.place->env, "MALLOC_TRIM_THRESHOLD_", "4096", TRUE);
	stage.place->env = g_environ_setenv(stage.place->env, "MALLOC_MMAP_THRESHOLD_", "65536", TRUE);
	pid_t pid = lab_daemon_start(stage.place);
	stage.wire = lab_place_connect(stage.place);
	/* What is made once is made by the first fifty. */
	fifty(&stage, before);
	struct toll first = weigh(desk, pid);
	fifty(&stage, before);
	struct toll second = weigh(desk, pid);
	/* The last connections may still be closing. */
	for (gint64 deadline = lab_deadline(20000); (second.fds > first.fds || second.resources > first.resources)
		&& lab_left(deadline) > 0; second = weigh(desk, pid)) {
		g_usleep(50000);
	}
	lab_note("descriptors %d, then %d; threads %d, %d; things at the X server %d, %d; memory %d KB, %d KB", first.fds,
		second.fds, first.threads, second.threads, first.resources, second.resources, first.anon_kb,
		second.anon_kb);
	lab_assert(second.fds <= first.fds);
	lab_assert(second.resources <= first.resources);
	/* Workers come and go as there is work. */
	lab_assert(second.threads - first.threads < MOST_THREADS);
	lab_assert(LAB_SANITIZED || second.anon_kb - first.anon_kb <= MOST_KB);
	close(stage.wire);
	lab_daemon_stop(stage.place, pid);
}

static const struct lab_test tests[] = {
	{ .name = "sessions", .run = sessions, .timeout = 120,
	  .about = "Sessions end by name and when idle, with their settings and descriptors." },
	{ .name = "proxied", .run = proxied,
	  .about = "mcp --socket speaks MCP through the daemon, with a session of its own." },
	{ .name = "precedence", .run = precedence, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "What a call says counts more than its session's setting, and that more than the default of all." },
	{ .name = "nothing_stays", .run = nothing_stays, .servers = LAB_XVFB, .wms = "openbox", .timeout = 300,
	  .needs = "galculator", .about = "Fifty sessions, ended in every way, take nothing for good." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
