/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "mcp/server.h"
#include "platform.h"

/* How long requests that were read before the end of the input may still take. */
#define LINGER_MS 10000
#define READ_SIZE 65536
/* A client that does not read its answers is not read from until it has caught up. */
#define BACKLOG (32 * 1024 * 1024)

struct stdio {
	GMainLoop *loop;
	struct server *server;
	GInputStream *in;
	GOutputStream *out;
	GCancellable *cancel;     /* ends what is under way on the streams */
	char buffer[READ_SIZE];
	GString *writing;         /* handed to the stream; NULL if nothing is */
	GString *queued;          /* what came in the meantime */
	bool reading;
	bool ended;               /* the input is over */
	guint linger;             /* the timer that ends waiting for answers; 0 if none */
};

static void read_more(struct stdio *stdio);

static void quit_when_done(struct stdio *stdio)
{
	if (stdio->ended && server_running(stdio->server) == 0 && stdio->writing == NULL) {
		g_main_loop_quit(stdio->loop);
	}
}

static void write_more(struct stdio *stdio);

static void on_written(GObject *source, GAsyncResult *result, gpointer data)
{
	struct stdio *stdio = data;
	g_autoptr(GError) error = NULL;
	bool ok = g_output_stream_write_all_finish(G_OUTPUT_STREAM(source), result, NULL, &error);
	g_string_free(g_steal_pointer(&stdio->writing), TRUE);
	if (!ok) {
		/* Nobody listens any more. */
		stdio->ended = true;
		g_main_loop_quit(stdio->loop);
		return;
	}
	write_more(stdio);
	read_more(stdio);
	quit_when_done(stdio);
}

static void write_more(struct stdio *stdio)
{
	if (stdio->writing != NULL || stdio->queued->len == 0) {
		return;
	}
	stdio->writing = stdio->queued;
	stdio->queued = g_string_new(NULL);
	g_output_stream_write_all_async(stdio->out, stdio->writing->str, stdio->writing->len,
		G_PRIORITY_DEFAULT, stdio->cancel, on_written, stdio);
}

static void on_write(GString *lines, void *data)
{
	struct stdio *stdio = data;
	if (stdio->queued->len == 0) {
		g_string_free(stdio->queued, TRUE);
		stdio->queued = lines;
	} else {
		g_string_append_len(stdio->queued, lines->str, (gssize)lines->len);
		g_string_free(lines, TRUE);
	}
	write_more(stdio);
}

static void on_idle(void *data)
{
	quit_when_done(data);
}

static gboolean on_linger(gpointer data)
{
	struct stdio *stdio = data;
	stdio->linger = 0;
	g_main_loop_quit(stdio->loop);
	return G_SOURCE_REMOVE;
}

static void on_end(struct stdio *stdio)
{
	stdio->ended = true;
	server_end(stdio->server);
	stdio->linger = g_timeout_add(LINGER_MS, on_linger, stdio);
	quit_when_done(stdio);
}

static void on_read(GObject *source, GAsyncResult *result, gpointer data)
{
	struct stdio *stdio = data;
	gssize length = g_input_stream_read_finish(G_INPUT_STREAM(source), result, NULL);
	stdio->reading = false;
	if (length <= 0) {
		on_end(stdio);
		return;
	}
	server_feed(stdio->server, stdio->buffer, (gsize)length);
	read_more(stdio);
}

static void read_more(struct stdio *stdio)
{
	gsize backlog = stdio->queued->len + (stdio->writing != NULL ? stdio->writing->len : 0);
	if (stdio->reading || stdio->ended || backlog > BACKLOG) {
		return;
	}
	stdio->reading = true;
	g_input_stream_read_async(stdio->in, stdio->buffer, sizeof stdio->buffer, G_PRIORITY_DEFAULT,
		stdio->cancel, on_read, stdio);
}

static gboolean on_signal(gpointer data)
{
	g_main_loop_quit(data);
	return G_SOURCE_CONTINUE;
}

/*
 * GIO waits until a pipe or socket is ready and then makes a plain call, which blocks when there is
 * less room than data. Returns the flags to restore, because the parent may share the description.
 */
static int make_nonblocking(int fd)
{
	struct stat info;
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fstat(fd, &info) < 0 || (!S_ISFIFO(info.st_mode) && !S_ISSOCK(info.st_mode))) {
		return -1;
	}
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	return flags;
}

static void serve(struct runtime *runtime, int in, int out)
{
	struct stdio *stdio = g_new0(struct stdio, 1);
	stdio->loop = g_main_loop_new(NULL, FALSE);
	stdio->cancel = g_cancellable_new();
	stdio->in = g_unix_input_stream_new(in, FALSE);
	stdio->out = g_unix_output_stream_new(out, FALSE);
	stdio->queued = g_string_new(NULL);
	stdio->server = server_new(runtime, &(struct server_out){ on_write, on_idle, stdio });

	guint term = g_unix_signal_add(SIGTERM, on_signal, stdio->loop);
	guint interrupt = g_unix_signal_add(SIGINT, on_signal, stdio->loop);
	read_more(stdio);
	g_main_loop_run(stdio->loop);

	/* Both streams may still have something under way that points here. */
	g_cancellable_cancel(stdio->cancel);
	stdio->ended = true;
	while (stdio->reading || stdio->writing != NULL) {
		g_main_context_iteration(NULL, TRUE);
	}
	g_source_remove(term);
	g_source_remove(interrupt);
	if (stdio->linger != 0) {
		g_source_remove(stdio->linger);
	}
	server_free(stdio->server);
	g_string_free(stdio->queued, TRUE);
	g_object_unref(stdio->in);
	g_object_unref(stdio->out);
	g_object_unref(stdio->cancel);
	g_main_loop_unref(stdio->loop);
	g_free(stdio);
}

int mcp_main(int argc, char **argv)
{
	if (argc > 1) {
		fprintf(stderr, "cua-driver mcp: unexpected argument '%s'\n", argv[1]);
		return EXIT_BAD_USAGE;
	}
	/* Whatever prints to standard output must not end up between the messages. */
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (out < 0) {
		fprintf(stderr, "cua-driver mcp: no standard output: %s\n", g_strerror(errno));
		return EXIT_UNAVAILABLE;
	}
	/* A closed one would become the number of the next thing opened, and be read as the client. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd += STDERR_FILENO) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) {
			return EXIT_UNAVAILABLE;
		}
	}
	dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, SIG_IGN);
	int in_flags = make_nonblocking(STDIN_FILENO), out_flags = make_nonblocking(out);

	struct platform *platform = platform_open();
	struct runtime *runtime = runtime_new(platform);
	serve(runtime, STDIN_FILENO, out);
	runtime_free(runtime);
	platform->impl->destroy(platform);

	/* In this order: both may be one description, whose flags were those of the input first. */
	if (out_flags >= 0) {
		fcntl(out, F_SETFL, out_flags);
	}
	if (in_flags >= 0) {
		fcntl(STDIN_FILENO, F_SETFL, in_flags);
	}
	close(out);
	return 0;
}
