/* SPDX-License-Identifier: MIT */
/* The driver as an MCP client sees it: lines out, lines in. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

#define LOG_LINES 20

struct lab_driver {
	pid_t pid;
	int in, out, err;        /* its stdin, stdout, and a memory file with its stderr */
	bool stopped;
	int next_id;
	unsigned received;
	GString *partial;        /* what came after the last newline */
	GArray *untaken;         /* struct lab_message */
	GQueue log;              /* of the last lines both ways, shortened */
};

static void remember(struct lab_driver *driver, const char *way, const char *line, gsize size)
{
	g_autofree char *copy = g_strndup(line, MIN(size, 300));
	g_autofree char *valid = g_utf8_make_valid(copy, -1);

	g_queue_push_tail(&driver->log, g_strdup_printf("%s %s%s", way, g_strchomp(valid),
		size > 300 ? " …" : ""));
	if (g_queue_get_length(&driver->log) > LOG_LINES) {
		g_free(g_queue_pop_head(&driver->log));
	}
}

char *lab_driver_stderr(struct lab_driver *driver)
{
	struct stat info;

	fstat(driver->err, &info);
	char *text = g_malloc0(info.st_size + 1);
	ssize_t got = pread(driver->err, text, info.st_size, 0);
	text[MAX(got, 0)] = '\0';
	return text;
}

static void end_driver(void *data, bool failed)
{
	struct lab_driver *driver = data;

	if (driver->stopped) {
		return;
	}
	if (!failed) {
		lab_driver_stop(driver);
		return;
	}
	g_autofree char *text = lab_driver_stderr(driver);
	lab_note("--- the driver's stderr%s\n%s--- the last messages", *text ? "" : ": nothing", text);
	for (GList *line = driver->log.head; line; line = line->next) {
		lab_note("%s", (char *)line->data);
	}
	int code = lab_reap(driver->pid, 0);
	if (code >= 0) {
		lab_note("--- the driver has ended with exit code %d", code);
		return;
	}
	kill(driver->pid, SIGKILL);
	waitpid(driver->pid, NULL, 0);
}

void lab_driver_forget(struct lab_driver *driver)
{
	waitpid(driver->pid, NULL, 0);
	driver->stopped = true;
}

struct lab_driver *lab_driver_start_raw(char **env)
{
	struct lab_driver *driver = g_new0(struct lab_driver, 1);
	int in[2], out[2];

	if (!env) {
		/* No display by accident: a test that wants one brings its desk's environment. */
		env = g_environ_unsetenv(g_get_environ(), "DISPLAY");
		env = g_environ_unsetenv(env, "DBUS_SESSION_BUS_ADDRESS");
	}
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) {
		lab_fail("pipe: %s", g_strerror(errno));
	}
	driver->err = memfd_create("stderr", MFD_CLOEXEC);
	driver->pid = lab_spawn(&(struct lab_spawn){
		.argv = LAB_ARGV(lab_driver_path(), "mcp"), .env = env,
		.in = in[0], .out = out[1], .err = driver->err,
	});
	close(in[0]);
	close(out[1]);
	driver->in = in[1];
	driver->out = out[0];
	/* Only our end: O_NONBLOCK belongs to the open file, and each end of a pipe is its own. */
	fcntl(driver->in, F_SETFL, O_NONBLOCK);
	fcntl(driver->out, F_SETFL, O_NONBLOCK);
	driver->partial = g_string_new(NULL);
	driver->untaken = g_array_new(FALSE, FALSE, sizeof(struct lab_message));
	driver->next_id = 1000; /* tests that number their own messages use small ones */
	lab_at_end(end_driver, driver);
	return driver;
}

struct lab_driver *lab_driver_start(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start_raw(desk ? desk->env : NULL);
	struct lab_answer answer = lab_request(driver, "initialize",
		"{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"lab\",\"version\":\"1\"}}");

	lab_assert_str(lab_str(answer.result, "protocolVersion"), "2025-11-25");
	lab_notify(driver, "notifications/initialized", NULL);
	return driver;
}

pid_t lab_driver_pid(const struct lab_driver *driver)
{
	return driver->pid;
}

static void take_line(struct lab_driver *driver, const char *line, gsize size)
{
	json_error_t error;
	struct lab_message message = {
		.json = json_loadb(line, size, JSON_ALLOW_NUL, &error),
		.order = driver->received++,
		.at = g_get_monotonic_time(),
	};

	remember(driver, "<-", line, size);
	/* stdout belongs to the protocol; a stray printf there breaks every client. */
	if (!message.json) {
		lab_fail("the driver wrote a line that is no JSON (%s)", error.text);
	}
	if (g_strcmp0(json_string_value(json_object_get(message.json, "jsonrpc")), "2.0") != 0 &&
		!json_is_array(message.json)) {
		lab_fail("the driver wrote a line that is no JSON-RPC 2.0");
	}
	g_array_append_val(driver->untaken, message);
}

/* Reads what is there. False at the end of the stream. */
static bool drain(struct lab_driver *driver)
{
	static char buffer[1 << 16];

	for (;;) {
		ssize_t got = read(driver->out, buffer, sizeof buffer);

		if (got < 0) {
			return errno == EAGAIN || errno == EINTR;
		}
		if (got == 0) {
			return false;
		}
		for (const char *at = buffer, *end = buffer + got; at < end;) {
			const char *newline = memchr(at, '\n', end - at);

			g_string_append_len(driver->partial, at, (newline ? newline : end) - at);
			if (!newline) {
				break;
			}
			take_line(driver, driver->partial->str, driver->partial->len);
			g_string_truncate(driver->partial, 0);
			at = newline + 1;
		}
	}
}

void lab_send_bytes(struct lab_driver *driver, const void *bytes, gsize size)
{
	const char *at = bytes;
	gint64 deadline = lab_deadline(20000);

	remember(driver, "->", at, size);
	while (size > 0) {
		ssize_t put = write(driver->in, at, size);

		if (put > 0) {
			at += put;
			size -= put;
			continue;
		}
		if (put < 0 && errno != EAGAIN && errno != EINTR) {
			lab_fail("the driver does not listen any more: %s", g_strerror(errno));
		}
		/* Reading while writing, or two full pipes would wait for each other. */
		struct pollfd fds[] = { { .fd = driver->in, .events = POLLOUT },
			{ .fd = driver->out, .events = POLLIN } };
		if (poll(fds, 2, lab_left(deadline)) <= 0 || !drain(driver)) {
			lab_fail("the driver takes no more input");
		}
	}
}

/* Takes the first untaken message for which `is_it` holds, waiting for more until the deadline. */
static struct lab_message take(struct lab_driver *driver,
	bool (*is_it)(const json_t *message, const void *data), const void *data, gint64 deadline,
	bool keep)
{
	guint seen = 0;
	bool open = true;

	for (;;) {
		for (; seen < driver->untaken->len; seen++) {
			struct lab_message message = g_array_index(driver->untaken, struct lab_message, seen);

			if (is_it(message.json, data)) {
				if (!keep) {
					g_array_remove_index(driver->untaken, seen);
				}
				return message;
			}
		}
		if (!open || !lab_readable(driver->out, deadline)) {
			return (struct lab_message){ 0 };
		}
		open = drain(driver);
	}
}

static bool is_answer(const json_t *message, const void *data)
{
	json_t *id = json_object_get(message, "id");

	return json_is_integer(id) && json_integer_value(id) == *(const int *)data &&
		!json_object_get(message, "method");
}

static bool is_notification(const json_t *message, const void *data)
{
	return g_strcmp0(json_string_value(json_object_get(message, "method")), data) == 0;
}

static bool is_anything(const json_t *message, const void *data)
{
	(void)message;
	(void)data;
	return true;
}

struct lab_message lab_wait_id(struct lab_driver *driver, int id, int ms)
{
	struct lab_message message = take(driver, is_answer, &id, lab_deadline(ms), false);

	if (!message.json) {
		lab_fail("request %d was not answered within %d ms", id, ms);
	}
	return message;
}

struct lab_message lab_wait_any(struct lab_driver *driver, int ms)
{
	struct lab_message message = take(driver, is_anything, NULL, lab_deadline(ms), false);

	if (!message.json) {
		lab_fail("nothing came from the driver within %d ms", ms);
	}
	return message;
}

struct lab_message lab_poll_notification(struct lab_driver *driver, const char *method, int ms)
{
	return take(driver, is_notification, method, lab_deadline(ms), false);
}

bool lab_has_answer(struct lab_driver *driver, int id, int ms)
{
	return take(driver, is_answer, &id, lab_deadline(ms), true).json;
}

int lab_driver_new_id(struct lab_driver *driver)
{
	return driver->next_id++;
}

void lab_driver_eof(struct lab_driver *driver)
{
	if (driver->in >= 0) {
		close(driver->in);
		driver->in = -1;
	}
}

void lab_driver_stop(struct lab_driver *driver)
{
	lab_driver_eof(driver);
	/* Not stopped yet for end_driver(): if it does not end, its stderr is wanted. */
	lab_at_end(end_driver, driver);
	gint64 deadline = lab_deadline(12000);
	while (lab_readable(driver->out, deadline) && drain(driver)) {
	}
	int code = lab_reap(driver->pid, lab_left(deadline));
	g_autofree char *text = lab_driver_stderr(driver);
	if (code != 0) {
		lab_fail("the driver ended with exit code %d", code);
	}
	if (driver->partial->len > 0) {
		lab_fail("the driver's last line has no newline: %s", driver->partial->str);
	}
	if (strstr(text, "Sanitizer") || strstr(text, "runtime error:") ||
		strstr(text, "-CRITICAL **") || strstr(text, "-WARNING **")) {
		lab_fail("the driver's stderr has a report");
	}
	driver->stopped = true;
}
