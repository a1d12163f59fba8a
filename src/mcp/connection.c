/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/connection.h"

#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <sys/stat.h>

/* How long requests that were read before the end of the input may still take. */
#define LINGER_MS 10000
/*
 * A client that does not read its answers is not read from until it has caught up. What was read is
 * answered all the same, and 50 bytes that ask for the list of tools are answered by 100 KB: so little
 * is read at a time.
 */
#define READ_SIZE 8192
#define BACKLOG (16 * 1024 * 1024)

struct connection {
	struct server *server;
	GInputStream *in;
	GOutputStream *out;
	GCancellable *cancel;     /* ends what is under way on the streams */
	connection_closed closed;
	void *data;
	char buffer[READ_SIZE];
	GString *writing;         /* handed to the stream; NULL if nothing is */
	GString *queued;          /* what came in the meantime */
	bool reading;
	bool ended;               /* the input is over */
	bool told;                /* `closed` was called, or must not be */
	GSource *closing;         /* tells it, outside of any callback */
	guint linger;             /* the timer that ends waiting for answers; 0 if none */
};

static void read_more(struct connection *connection);
static void write_more(struct connection *connection);

static gboolean on_closing(gpointer data)
{
	struct connection *connection = data;
	g_clear_pointer(&connection->closing, g_source_unref);
	connection->closed(connection, connection->data);
	return G_SOURCE_REMOVE;
}

static void tell_closed(struct connection *connection)
{
	if (connection->told) {
		return;
	}
	connection->told = connection->ended = true;
	connection->closing = g_idle_source_new();
	g_source_set_priority(connection->closing, G_PRIORITY_DEFAULT);
	g_source_set_callback(connection->closing, on_closing, connection, NULL);
	g_source_attach(connection->closing, g_main_context_get_thread_default());
}

static void close_when_done(struct connection *connection)
{
	if (connection->ended && server_running(connection->server) == 0
		&& connection->writing == NULL) {
		tell_closed(connection);
	}
}

static void on_written(GObject *source, GAsyncResult *result, gpointer data)
{
	struct connection *connection = data;
	bool ok = g_output_stream_write_all_finish(G_OUTPUT_STREAM(source), result, NULL, NULL);
	g_string_free(g_steal_pointer(&connection->writing), TRUE);
	if (!ok) {
		/* Nobody listens any more. */
		tell_closed(connection);
		return;
	}
	write_more(connection);
	read_more(connection);
	close_when_done(connection);
}

static void write_more(struct connection *connection)
{
	if (connection->writing != NULL || connection->queued->len == 0) {
		return;
	}
	connection->writing = connection->queued;
	connection->queued = g_string_new(NULL);
	g_output_stream_write_all_async(connection->out, connection->writing->str,
		connection->writing->len, G_PRIORITY_DEFAULT, connection->cancel, on_written, connection);
}

static void on_write(GString *lines, void *data)
{
	struct connection *connection = data;
	if (connection->queued->len == 0) {
		g_string_free(connection->queued, TRUE);
		connection->queued = lines;
	} else {
		g_string_append_len(connection->queued, lines->str, (gssize)lines->len);
		g_string_free(lines, TRUE);
	}
	write_more(connection);
}

static void on_idle(void *data)
{
	close_when_done(data);
}

static gboolean on_linger(gpointer data)
{
	struct connection *connection = data;
	connection->linger = 0;
	tell_closed(connection);
	return G_SOURCE_REMOVE;
}

static void on_end(struct connection *connection)
{
	if (connection->told) {
		return;
	}
	connection->ended = true;
	server_end(connection->server);
	connection->linger = g_timeout_add(LINGER_MS, on_linger, connection);
	close_when_done(connection);
}

static void on_read(GObject *source, GAsyncResult *result, gpointer data)
{
	struct connection *connection = data;
	gssize length = g_input_stream_read_finish(G_INPUT_STREAM(source), result, NULL);
	connection->reading = false;
	if (length <= 0) {
		on_end(connection);
		return;
	}
	server_feed(connection->server, connection->buffer, (gsize)length);
	read_more(connection);
}

static void read_more(struct connection *connection)
{
	gsize backlog = connection->queued->len
		+ (connection->writing != NULL ? connection->writing->len : 0);
	if (connection->reading || connection->ended || backlog > BACKLOG) {
		return;
	}
	connection->reading = true;
	g_input_stream_read_async(connection->in, connection->buffer, sizeof connection->buffer,
		G_PRIORITY_DEFAULT, connection->cancel, on_read, connection);
}

struct connection *connection_new(struct runtime *runtime, const struct server_client *who, int in,
	int out, connection_closed closed, void *data)
{
	struct connection *connection = g_new0(struct connection, 1);
	connection->closed = closed;
	connection->data = data;
	connection->cancel = g_cancellable_new();
	connection->in = g_unix_input_stream_new(in, FALSE);
	connection->out = g_unix_output_stream_new(out, FALSE);
	connection->queued = g_string_new(NULL);
	connection->server = server_new(runtime, who,
		&(struct server_out){ on_write, on_idle, connection });
	read_more(connection);
	return connection;
}

void connection_free(struct connection *connection)
{
	/* Both streams may still have something under way that points here. */
	connection->told = connection->ended = true;
	g_cancellable_cancel(connection->cancel);
	while (connection->reading || connection->writing != NULL) {
		g_main_context_iteration(NULL, TRUE);
	}
	if (connection->closing != NULL) {
		g_source_destroy(connection->closing);
		g_source_unref(connection->closing);
	}
	if (connection->linger != 0) {
		g_source_remove(connection->linger);
	}
	server_free(connection->server);
	g_string_free(connection->queued, TRUE);
	g_object_unref(connection->in);
	g_object_unref(connection->out);
	g_object_unref(connection->cancel);
	g_free(connection);
}

int connection_nonblocking(int fd)
{
	struct stat info;
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fstat(fd, &info) < 0 || (!S_ISFIFO(info.st_mode) && !S_ISSOCK(info.st_mode))) {
		return -1;
	}
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	return flags;
}
