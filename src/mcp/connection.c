/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <sys/stat.h>
#include <unistd.h>

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
	int in;
	GSource *reading;         /* NULL: nothing is read now */
	GOutputStream *out;
	bool prompt;              /* a write to it never blocks */
	GCancellable *cancel;     /* ends what is under way on it */
	connection_closed closed;
	void *data;
	char buffer[READ_SIZE];
	GString *writing;         /* handed to the stream; NULL if nothing is */
	GString *queued;          /* what came in the meantime */
	bool ended;               /* the input is over */
	bool told;                /* `closed` was called, or must not be */
	GSource *closing;         /* tells it, outside of any callback */
	guint linger;             /* the timer that ends waiting for answers; 0 if none */
};

static void read_more(struct connection *connection);
static void write_more(struct connection *connection);

static void stop_reading(struct connection *connection)
{
	if (connection->reading != NULL) {
		g_source_destroy(connection->reading);
		g_clear_pointer(&connection->reading, g_source_unref);
	}
}

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
	stop_reading(connection);
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

/* As much as can be without waiting, which mostly is all of it. What goes wrong is heard of by what is left. */
static void write_now(struct connection *connection)
{
	if (connection->prompt) {
		int fd = g_unix_output_stream_get_fd(G_UNIX_OUTPUT_STREAM(connection->out));
		ssize_t length = write(fd, connection->queued->str, connection->queued->len);
		g_string_erase(connection->queued, 0, MAX(length, 0));
	}
}

static void write_more(struct connection *connection)
{
	if (connection->writing == NULL && connection->queued->len > 0) {
		write_now(connection);
	}
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

/* Whether more may be read now: there is an end to what a client can leave unread. */
static bool reads(const struct connection *connection)
{
	gsize backlog = connection->queued->len
		+ (connection->writing != NULL ? connection->writing->len : 0);
	return !connection->ended && backlog <= BACKLOG;
}

static gboolean on_readable(int fd, GIOCondition condition, gpointer data)
{
	struct connection *connection = data;
	(void)condition;
	ssize_t length = read(fd, connection->buffer, sizeof connection->buffer);
	if (length > 0) {
		server_feed(connection->server, connection->buffer, (gsize)length);
	} else if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
		on_end(connection);
	}
	if (!reads(connection)) {
		stop_reading(connection);
	}
	return G_SOURCE_CONTINUE;
}

static void read_more(struct connection *connection)
{
	if (connection->reading == NULL && reads(connection)) {
		connection->reading = g_unix_fd_source_new(connection->in, G_IO_IN | G_IO_HUP | G_IO_ERR);
		g_source_set_callback(connection->reading, G_SOURCE_FUNC(on_readable), connection, NULL);
		/* Otherwise GLib takes it out of the poll and back again each time, and wakes itself for both. */
		g_source_set_can_recurse(connection->reading, TRUE);
		g_source_attach(connection->reading, g_main_context_get_thread_default());
	}
}

struct connection *connection_new(struct runtime *runtime, const struct server_client *who, int in,
	int out, connection_closed closed, void *data)
{
	struct connection *connection = g_new0(struct connection, 1);
	connection->closed = closed;
	connection->data = data;
	connection->cancel = g_cancellable_new();
	connection->in = in;
	connection->out = g_unix_output_stream_new(out, FALSE);
	connection->prompt = (fcntl(out, F_GETFL) & O_NONBLOCK) != 0;
	connection->queued = g_string_new(NULL);
	connection->server = server_new(runtime, who,
		&(struct server_out){ on_write, on_idle, connection });
	read_more(connection);
	return connection;
}

void connection_free(struct connection *connection)
{
	stop_reading(connection);
	/* The stream may still have something under way that points here. */
	connection->told = connection->ended = true;
	g_cancellable_cancel(connection->cancel);
	while (connection->writing != NULL) {
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
