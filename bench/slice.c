/* SPDX-License-Identifier: MIT */
/*
 * What the thin driver costs: start, ping, list_windows beside the usual command line tools, memory.
 * A command of its own: a benchmark that can fail is a bad test, and a test that is timed a bad
 * benchmark. See README.md.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/lab.h"
#include "sample.h"

#define WINDOWS 50

/* Runs `once` count times after one run that is not counted. */
static struct sample measure(int count, void (*once)(void *data), void *data)
{
	struct sample sample;

	sample_init(&sample);
	once(data);
	for (int i = 0; i < count; i++) {
		gint64 start = g_get_monotonic_time();

		once(data);
		sample_add(&sample, (g_get_monotonic_time() - start) / 1000.0);
	}
	return sample;
}

static void row(const char *what, struct sample sample, double base)
{
	printf("%-52s %10.3f %10.3f", what, sample_median(&sample), sample_at(&sample, 0.95));
	if (base > 0) {
		printf(" %9.1f×", sample_median(&sample) / base);
	}
	printf("\n");
	fflush(stdout);
}

static void run_tool(char **env, const char *const *argv)
{
	struct lab_run run = lab_run(env, argv, NULL, 30000);

	if (run.code != 0) {
		lab_fail("%s: exit code %d: %s", argv[0], run.code, run.err);
	}
	g_free(run.out);
	g_free(run.err);
}

static void once_true(void *data)
{
	run_tool(((struct lab_desk *)data)->env, LAB_ARGV("true"));
}

static void once_wmctrl(void *data)
{
	run_tool(((struct lab_desk *)data)->env, LAB_ARGV("wmctrl", "-lpG"));
}

static void once_xdotool(void *data)
{
	run_tool(((struct lab_desk *)data)->env,
		LAB_ARGV("xdotool", "search", "--onlyvisible", "--name", "."));
}

#define INITIALIZE "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":" \
	"{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}," \
	"\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}\n"

/* Start, one message, answer, end: what a client that asks once waits for. */
static void once_process(struct lab_desk *desk, const char *input)
{
	struct lab_run run = lab_run(desk->env, LAB_ARGV(lab_driver_path(), "mcp"), input, 30000);

	if (run.code != 0 || !strstr(run.out, "\"result\"")) {
		lab_fail("the driver ended with %d and said: %s", run.code, run.out);
	}
	g_free(run.out);
	g_free(run.err);
}

static void once_initialize(void *data)
{
	once_process(data, INITIALIZE);
}

static void once_list_process(void *data)
{
	once_process(data, INITIALIZE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
		"\"params\":{\"name\":\"list_windows\"}}\n");
}

static void once_ping(void *data)
{
	lab_request(data, "ping", NULL);
}

static void once_list(void *data)
{
	struct lab_answer answer = lab_call_ok(data, "list_windows", "{}");

	json_decref(answer.message);
}

struct state_call {
	struct lab_driver *driver;
	xcb_window_t window;
	bool picture;
};

static void once_state(void *data)
{
	struct state_call *call = data;
	struct lab_answer answer = lab_call_ok(call->driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":%s}", call->window,
		call->picture ? "true" : "false");

	json_decref(answer.message);
}

/* Start → first answer, with the process left running: the part a host waits for. */
static struct sample measure_start(struct lab_desk *desk, int count)
{
	struct sample sample;

	sample_init(&sample);
	for (int i = 0; i < count; i++) {
		gint64 start = g_get_monotonic_time();
		struct lab_driver *driver = lab_driver_start(desk);

		sample_add(&sample, (g_get_monotonic_time() - start) / 1000.0);
		lab_driver_stop(driver);
	}
	return sample;
}

static void open_windows(struct lab_desk *desk)
{
	for (int i = 0; i < WINDOWS; i++) {
		g_autofree char *title = g_strdup_printf("window %d of %d", i + 1, WINDOWS);

		lab_window_open(desk, &(struct lab_window){ .title = title, .pid = getpid(),
			.x = 20 * (i % 25), .y = 14 * (i % 25) });
	}
	lab_x_quiet(desk, 200);
}

static void measure_memory(struct lab_desk *desk, xcb_window_t window)
{
	struct lab_driver *driver = lab_driver_start(desk);
	struct state_call call = { driver, window, true };

	printf("\n%-52s %10s\n", "resident memory", "KiB");
	printf("%-52s %10ld\n", "after start", sample_rss(lab_driver_pid(driver)));
	once_list(driver);
	printf("%-52s %10ld\n", "after the first list_windows", sample_rss(lab_driver_pid(driver)));
	for (int i = 0; i < 50; i++) {
		once_list(driver);
		once_state(&call);
	}
	printf("%-52s %10ld\n", "after 100 calls (50 list_windows, 50 states)",
		sample_rss(lab_driver_pid(driver)));
	lab_driver_stop(driver);
}

int main(void)
{
	if (!lab_driver_path()) {
		fprintf(stderr, "bench: CUA_DRIVER does not name the driver's program\n");
		return 64;
	}
	signal(SIGPIPE, SIG_IGN);
	struct lab_desk *desk = lab_desk_start("xvfb", "openbox");
	struct lab_app app = lab_galculator(desk, false);
	open_windows(desk);
	struct lab_driver *driver = lab_driver_start(desk);

	printf("%-52s %10s %10s %10s\n", "", "median ms", "p95 ms", "ratio");
	row("start to first answer", measure_start(desk, 30), 0);
	row("ping round trip", measure(3000, once_ping, driver), 0);
	printf("\nlist_windows, %d windows and a calculator\n", WINDOWS);
	struct sample list = measure(300, once_list, driver);
	double list_ms = sample_median(&list);
	row("in the stream", list, list_ms);
	row("whole process: mcp, initialize, list_windows, end", measure(30, once_list_process, desk),
		list_ms);
	row("whole process: mcp, initialize, end", measure(30, once_initialize, desk), list_ms);
	row("whole process: wmctrl -lpG", measure(30, once_wmctrl, desk), list_ms);
	row("whole process: xdotool search --onlyvisible --name .",
		measure(30, once_xdotool, desk), list_ms);
	row("whole process: true", measure(30, once_true, desk), list_ms);

	struct state_call call = { driver, app.window, false };
	printf("\nget_window_state, galculator\n");
	struct sample tree = measure(50, once_state, &call);
	double tree_ms = sample_median(&tree);
	row("tree", tree, tree_ms);
	call.picture = true;
	row("tree and picture", measure(50, once_state, &call), tree_ms);
	measure_memory(desk, app.window);

	lab_driver_stop(driver);
	lab_app_kill(&app);
	lab_desk_stop(desk);
	return 0;
}
