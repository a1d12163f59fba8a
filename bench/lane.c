/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "lane.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/lab.h"

enum { CALL_MS = 60000 };

struct lane {
	pid_t pid;
	int in, out;
	GString *buffer;
	gsize taken; /* of the buffer: the answer before */
	int id;
};

bool lane_prepare(const char *part)
{
	if (!lab_driver_path() || !g_getenv("CUA_SRCDIR") || !g_getenv("CUA_BUILDDIR")) {
		fprintf(stderr, "%s: start it by bench/run\n", part);
		return false;
	}
	signal(SIGPIPE, SIG_IGN);
	int quiet = g_getenv("BENCH_STDERR") ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (quiet >= 0) {
		dup2(quiet, STDERR_FILENO);
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	return true;
}

struct lane *lane_start(const char *const *argv, char **env)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) {
		return NULL;
	}
	/* As large as it goes: a reader that is late must not stall the writer. */
	fcntl(out[0], F_SETPIPE_SZ, 1 << 20);
	struct lane *lane = g_new0(struct lane, 1);
	lane->pid = lab_spawn(&(struct lab_spawn){ .argv = argv, .env = env, .in = in[0], .out = out[1] });
	lane->in = in[1];
	lane->out = out[0];
	lane->buffer = g_string_new(NULL);
	close(in[0]);
	close(out[1]);
	return lane;
}

void lane_stop(struct lane *lane)
{
	if (lane == NULL) {
		return;
	}
	close(lane->in);
	if (lab_reap(lane->pid, 5000) < 0) {
		kill(lane->pid, SIGKILL);
		waitpid(lane->pid, NULL, 0);
	}
	close(lane->out);
	g_string_free(lane->buffer, TRUE);
	g_free(lane);
}

pid_t lane_pid(const struct lane *lane)
{
	return lane->pid;
}

static bool read_more(struct lane *lane, gint64 end)
{
	struct pollfd fd = { lane->out, POLLIN, 0 };
	gint64 left = (end - g_get_monotonic_time()) / 1000;
	gsize had = lane->buffer->len;
	if (left <= 0 || poll(&fd, 1, (int)left) <= 0) {
		return false;
	}
	g_string_set_size(lane->buffer, had + (1 << 18));
	ssize_t got = read(lane->out, lane->buffer->str + had, 1 << 18);
	g_string_set_size(lane->buffer, had + (gsize)MAX(got, 0));
	return got > 0;
}

const char *lane_ask(struct lane *lane, const char *question, int timeout_ms, double *ms)
{
	g_autofree char *line = g_strconcat(question, "\n", NULL);
	gint64 start = g_get_monotonic_time();
	gsize looked = 0;
	char *end;
	g_string_erase(lane->buffer, 0, (gssize)lane->taken);
	lane->taken = 0;
	if (write(lane->in, line, strlen(line)) != (ssize_t)strlen(line)) {
		return NULL;
	}
	while (!(end = memchr(lane->buffer->str + looked, '\n', lane->buffer->len - looked))) {
		looked = lane->buffer->len;
		if (!read_more(lane, start + timeout_ms * G_GINT64_CONSTANT(1000))) {
			return NULL;
		}
	}
	*ms = (double)(g_get_monotonic_time() - start) / 1000.0;
	*end = '\0';
	lane->taken = (gsize)(end - lane->buffer->str) + 1;
	return lane->buffer->str;
}

bool lane_initialize(struct lane *lane)
{
	double ms;
	return lane_ask(lane, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
		"{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":"
		"{\"name\":\"bench\",\"version\":\"1\"}}}", CALL_MS, &ms) != NULL;
}

void lane_talk(struct lane *lane)
{
	double ms;
	lane_ask(lane, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}", CALL_MS, &ms);
}

json_t *lane_call(struct lane *lane, const char *tool, const char *arguments, double *ms, size_t *size,
	const char **why)
{
	static char reason[200];
	g_autofree char *question = g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":"
		"\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}", ++lane->id, tool, arguments);
	const char *answer = lane_ask(lane, question, CALL_MS, ms);
	json_t *json = answer != NULL ? json_loads(answer, 0, NULL) : NULL;
	json_t *result = json_object_get(json, "result");
	json_t *structured = json_object_get(result, "structuredContent");
	if (size != NULL) {
		*size = answer != NULL ? strlen(answer) : 0;
	}
	if (result == NULL || json_is_true(json_object_get(result, "isError")) || structured == NULL) {
		g_snprintf(reason, sizeof reason, "%.150s", answer != NULL ? answer : "no answer");
		if (why != NULL) {
			*why = reason;
		}
		structured = NULL;
	}
	json_incref(structured);
	json_decref(json);
	return structured;
}
