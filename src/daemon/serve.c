/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "cli.h"
#include "core/emit.h"
#include "core/panic.h"
#include "core/quote.h"
#include "daemon/address.h"
#include "daemon/build.h"
#include "daemon/client.h"
#include "daemon/owner.h"
#include "discovery/discovery.h"
#include "mcp/connection.h"
#include "platform.h"

#define BACKLOG 128
/* Out of file descriptors: somebody has to leave before the next can come. */
#define ACCEPT_AGAIN_MS 500

struct daemon {
	GMainLoop *loop;
	struct runtime *runtime;
	char *path;              /* NULL: the socket came from systemd, which also removes it */
	int lock;                /* held while we own the path; -1 if we do not */
	int fd;
	guint accepting;
	GHashTable *guests;      /* set of struct guest */
	gint64 started;
};

/* A connected client. */
struct guest {
	struct daemon *daemon;
	struct connection *connection;
	int fd;
};

/* --- Clients ---------------------------------------------------------------------------------- */

static void guest_free(struct guest *guest)
{
	connection_free(guest->connection);
	close(guest->fd);
	g_free(guest);
}

static void on_closed(struct connection *connection, void *data)
{
	struct guest *guest = data;
	(void)connection;
	g_hash_table_remove(guest->daemon->guests, guest);
}

static void describe(struct daemon *daemon, GString *result)
{
	emit_string(result, "version", PACKAGE_VERSION);
	emit_string(result, "build", build_id());
	emit_int(result, "pid", getpid());
	emit_int(result, "connections", g_hash_table_size(daemon->guests));
	g_autoptr(GArray) sessions = sessions_list(runtime_sessions(daemon->runtime));
	emit_int(result, "sessions", sessions->len);
	emit_bool(result, "panic", panic_engaged());
	if (g_getenv("DISPLAY") != NULL) {
		emit_string(result, "display", g_getenv("DISPLAY"));
	}
	emit_int(result, "uptime_s", (g_get_monotonic_time() - daemon->started) / G_USEC_PER_SEC);
}

/* Looks at all processes. */
static void describe_desktop(GString *result)
{
	struct discovery *discovery = discovery_new(true);
	g_autofree char *desktop = discovery_words(discovery);
	emit_string(result, "desktop", desktop);
	discovery_free(discovery);
}

static gboolean on_stop(gpointer data)
{
	g_main_loop_quit(data);
	return G_SOURCE_REMOVE;
}

static bool control(struct server *server, const char *method, const struct datum *params, GString *result,
	void *data)
{
	struct daemon *daemon = data;
	if (strcmp(method, "cua-driver/hello") == 0) {
		if (datum_is_true(datum_get(params, "anonymous"))) {
			server_make_anonymous(server);
		}
		describe(daemon, result);
	} else if (strcmp(method, "cua-driver/status") == 0) {
		describe(daemon, result);
		describe_desktop(result);
	} else if (strcmp(method, "cua-driver/stop") == 0) {
		emit_bool(result, "stopping", true);
		/* Behind the answer to this. */
		g_timeout_add(50, on_stop, daemon->loop);
	} else {
		return false;
	}
	return true;
}

static gboolean on_client(gint fd, GIOCondition condition, gpointer data);

static gboolean on_accept_again(gpointer data)
{
	struct daemon *daemon = data;
	daemon->accepting = g_unix_fd_add(daemon->fd, G_IO_IN, on_client, daemon);
	return G_SOURCE_REMOVE;
}

static gboolean on_client(gint fd, GIOCondition condition, gpointer data)
{
	struct daemon *daemon = data;
	(void)condition;
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (client < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
			g_warning("No room for another client: %s", g_strerror(errno));
			daemon->accepting = g_timeout_add(ACCEPT_AGAIN_MS, on_accept_again, daemon);
			return G_SOURCE_REMOVE;
		}
		return G_SOURCE_CONTINUE;
	}
	if (address_peer(client) != geteuid()) {
		g_warning("Refused a client of another user");
		close(client);
		return G_SOURCE_CONTINUE;
	}
	struct guest *guest = g_new0(struct guest, 1);
	guest->daemon = daemon;
	guest->fd = client;
	g_autofree char *folder = address_folder(client);
	guest->connection = connection_new(daemon->runtime,
		&(struct server_client){ .control = control, .data = daemon, .folder = folder },
		client, client, on_closed, guest);
	g_hash_table_add(daemon->guests, guest);
	return G_SOURCE_CONTINUE;
}

/* --- The socket ------------------------------------------------------------------------------- */

/*
 * Whoever holds the lock beside the socket owns it. The lock dies with its process, so that a socket
 * left behind by a killed daemon is known to be one.
 */
static bool take_path(struct daemon *daemon, GError **error)
{
	g_autofree char *lock = g_strconcat(daemon->path, ".lock", NULL);
	if (!address_prepare(daemon->path, error)) {
		return false;
	}
	daemon->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (daemon->lock >= 0 && flock(daemon->lock, LOCK_EX | LOCK_NB) == 0) {
		return true;
	}
	bool taken = errno == EWOULDBLOCK;
	g_set_error(error, G_IO_ERROR, taken ? G_IO_ERROR_ADDRESS_IN_USE : G_IO_ERROR_FAILED,
		taken ? "A daemon runs already on %s: see cua-driver status" : "%s cannot be locked: %s",
		daemon->path, g_strerror(errno));
	if (daemon->lock >= 0) {
		close(daemon->lock);
		daemon->lock = -1;
	}
	return false;
}

static int listen_on(struct daemon *daemon, GError **error)
{
	struct sockaddr_un address;
	if (!address_of(daemon->path, &address, error) || !take_path(daemon, error)) {
		return -1;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	g_unlink(daemon->path);
	mode_t mask = umask(0177);
	bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0
		&& listen(fd, BACKLOG) == 0;
	int saved = errno;
	umask(mask);
	if (!ok) {
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(saved), "%s: %s", daemon->path,
			g_strerror(saved));
		if (fd >= 0) {
			close(fd);
		}
		return -1;
	}
	return fd;
}

/* The socket of systemd's socket unit, or one of our own. */
static bool open_socket(struct daemon *daemon, GError **error)
{
	int handed = sd_listen_fds(1);
	if (handed > 1) {
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "systemd handed over %d sockets, not one",
			handed);
		return false;
	}
	if (handed == 1) {
		g_clear_pointer(&daemon->path, g_free);
		daemon->fd = SD_LISTEN_FDS_START;
		fcntl(daemon->fd, F_SETFL, fcntl(daemon->fd, F_GETFL) | O_NONBLOCK);
		return true;
	}
	daemon->fd = listen_on(daemon, error);
	return daemon->fd >= 0;
}

static void close_socket(struct daemon *daemon)
{
	if (daemon->accepting != 0) {
		g_source_remove(daemon->accepting);
	}
	close(daemon->fd);
	if (daemon->path != NULL) {
		g_unlink(daemon->path);
		close(daemon->lock);
	}
}

/* --- The daemon ------------------------------------------------------------------------------- */

static gboolean on_signal(gpointer data)
{
	g_main_loop_quit(data);
	return G_SOURCE_CONTINUE;
}

static void run(struct daemon *daemon)
{
	struct platform *platform = platform_open();
	daemon->runtime = runtime_new(platform);
	daemon->started = g_get_monotonic_time();
	daemon->loop = g_main_loop_new(NULL, TRUE);
	daemon->guests = g_hash_table_new_full(NULL, NULL, (GDestroyNotify)guest_free, NULL);
	daemon->accepting = g_unix_fd_add(daemon->fd, G_IO_IN, on_client, daemon);
	guint term = g_unix_signal_add(SIGTERM, on_signal, daemon->loop);
	guint interrupt = g_unix_signal_add(SIGINT, on_signal, daemon->loop);
	quote_print(stderr, "cua-driver: listening on %s\n",
		daemon->path != NULL ? daemon->path : "the socket of systemd");
	sd_notify(0, "READY=1");

	runtime_run(daemon->runtime, daemon->loop);

	sd_notify(0, "STOPPING=1");
	close_socket(daemon);
	/* Cancels what their calls do; only then the workers can come to an end. */
	g_hash_table_unref(daemon->guests);
	g_source_remove(term);
	g_source_remove(interrupt);
	runtime_free(daemon->runtime);
	platform->impl->destroy(platform);
	g_main_loop_unref(daemon->loop);
}

int serve_main(int argc, char **argv)
{
	discovery_apply();
	g_autoptr(GError) error = NULL;
	struct daemon daemon = { .lock = -1, .fd = -1, .path = client_socket_option(argc, argv) };
	if (daemon.path == NULL) {
		return EXIT_BAD_USAGE;
	}
	if (owner_refuses("serve")) {
		g_free(daemon.path);
		return EXIT_REFUSED;
	}
	signal(SIGPIPE, SIG_IGN);
	int code = 0;
	if (open_socket(&daemon, &error)) {
		run(&daemon);
	} else {
		quote_print(stderr, "cua-driver serve: %s\n", error->message);
		code = EXIT_UNAVAILABLE;
	}
	g_free(daemon.path);
	return code;
}
