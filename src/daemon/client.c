/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/client.h"

#include <errno.h>
#include <gio/gio.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "core/quote.h"
#include "daemon/address.h"
#include "daemon/build.h"
#include "discovery/discovery.h"

#define HELLO_MS 5000
#define STOP_MS 15000

struct client {
	int fd;
	GByteArray *rest;        /* read, not yet used */
	json_t *daemon;
	int last;                /* id of the last request */
};

/* Waits for the socket; false at the deadline. */
static bool ready(int fd, short events, gint64 until)
{
	gint64 left = (until - g_get_monotonic_time()) / 1000;
	struct pollfd wanted = { .fd = fd, .events = events };
	int found;
	do {
		found = poll(&wanted, 1, (int)CLAMP(left, 0, G_MAXINT));
	} while (found < 0 && errno == EINTR);
	return found > 0;
}

static bool fail(GError **error, const char *what)
{
	g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", what);
	return false;
}

static bool send_line(struct client *client, json_t *message, gint64 until, GError **error)
{
	char *text = json_dumps(message, JSON_COMPACT);
	g_autofree char *line = g_strconcat(text, "\n", NULL);
	free(text);
	gsize done = 0, length = strlen(line);
	while (done < length) {
		ssize_t sent = ready(client->fd, POLLOUT, until)
			? send(client->fd, line + done, length - done, MSG_NOSIGNAL | MSG_DONTWAIT) : -2;
		if (sent == -2) {
			return fail(error, "The daemon does not read");
		}
		if (sent < 0 && errno != EAGAIN && errno != EINTR) {
			return fail(error, "The daemon has gone");
		}
		done += (gsize)MAX(sent, 0);
	}
	return true;
}

/* The next message, or NULL. */
static json_t *read_message(struct client *client, gint64 until, GError **error)
{
	gsize looked = 0;
	for (;;) {
		char *end = client->rest->len > looked
			? memchr(client->rest->data + looked, '\n', client->rest->len - looked) : NULL;
		if (end != NULL) {
			gsize length = (gsize)((guint8 *)end - client->rest->data);
			json_t *json = json_loadb((char *)client->rest->data, length, 0, NULL);
			g_byte_array_remove_range(client->rest, 0, (guint)length + 1);
			if (json == NULL) {
				fail(error, "What listens there does not speak JSON");
			}
			return json;
		}
		looked = client->rest->len;
		guint8 buffer[65536];
		ssize_t got = ready(client->fd, POLLIN, until)
			? recv(client->fd, buffer, sizeof buffer, MSG_DONTWAIT) : -2;
		if (got == -2) {
			fail(error, "The daemon did not answer in time");
			return NULL;
		}
		if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
			fail(error, "The daemon went away before it answered");
			return NULL;
		}
		if (got > 0) {
			g_byte_array_append(client->rest, buffer, (guint)got);
		}
	}
}

json_t *client_request(struct client *client, const char *method, json_t *params, int ms,
	GError **error)
{
	gint64 until = g_get_monotonic_time() + ms * G_GINT64_CONSTANT(1000);
	int id = ++client->last;
	json_t *request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", id, "method", method,
		"params", params);
	json_t *answer = NULL;
	bool sent = send_line(client, request, until, error);
	json_decref(request);
	while (sent && answer == NULL) {
		answer = read_message(client, until, error);
		if (answer == NULL) {
			return NULL;
		}
		json_t *of = json_object_get(answer, "id");
		if (!json_is_integer(of) || json_integer_value(of) != id) {
			json_decref(answer); /* a notification */
			answer = NULL;
		}
	}
	return answer;
}

static bool say_hello(struct client *client, bool anonymous, GError **error)
{
	json_t *answer = client_request(client, "cua-driver/hello",
		json_pack("{s:b, s:s}", "anonymous", anonymous, "build", build_id()), HELLO_MS, error);
	if (answer == NULL) {
		return false;
	}
	client->daemon = json_incref(json_object_get(answer, "result"));
	json_decref(answer);
	const char *build = json_string_value(json_object_get(client->daemon, "build"));
	if (build == NULL) {
		return fail(error, "What listens there is no cua-driver daemon");
	}
	return true;
}

struct client *client_open_quiet(const char *path, bool anonymous, GError **error)
{
	struct sockaddr_un address;
	if (!address_of(path, &address, error)) {
		return NULL;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* A full backlog makes this wait; a daemon that does not accept is caught by the hello. */
	struct timeval patience = { .tv_sec = HELLO_MS / 1000 };
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "No daemon listens on %s (%s)",
			path, g_strerror(errno));
		if (fd >= 0) {
			close(fd);
		}
		return NULL;
	}
	struct client *client = g_new0(struct client, 1);
	client->fd = fd;
	client->rest = g_byte_array_new();
	bool ours = address_peer(fd) == geteuid();
	if (!ours) {
		fail(error, "The daemon on this socket belongs to another user");
	}
	if (!ours || !say_hello(client, anonymous, error)) {
		client_free(client);
		return NULL;
	}
	return client;
}

/* What is meant for one desktop must not be done on another. */
static bool is_of_named_display(const struct client *client, GError **error)
{
	const char *named = discovery_named();
	const char *display = json_string_value(json_object_get(client->daemon, "display"));
	if (named == NULL || (display != NULL && discovery_same_display(named, display))) {
		return true;
	}
	g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
		"The daemon on this socket drives another desktop than --display names");
	return false;
}

struct client *client_open(const char *path, bool anonymous, GError **error)
{
	struct client *client = client_open_quiet(path, anonymous, error);
	if (client != NULL && !is_of_named_display(client, error)) {
		g_clear_pointer(&client, client_free);
	}
	if (client != NULL && g_strcmp0(json_string_value(json_object_get(client->daemon, "build")),
		build_id()) != 0) {
		quote_print(stderr,
			"cua-driver: warning: the daemon (pid %d, version %s) is another build "
			"than this command; restart it to use what is new\n",
			(int)json_integer_value(json_object_get(client->daemon, "pid")),
			json_string_value(json_object_get(client->daemon, "version")));
	}
	return client;
}

const json_t *client_daemon(const struct client *client)
{
	return client->daemon;
}

void client_free(struct client *client)
{
	if (client->fd >= 0) {
		close(client->fd);
	}
	g_byte_array_unref(client->rest);
	json_decref(client->daemon);
	g_free(client);
}

int client_steal(struct client *client)
{
	int fd = client->fd;
	client->fd = -1;
	return fd;
}

char *client_socket_option(int argc, char **argv)
{
	if (argc == 1) {
		return strcmp(argv[0], "serve") == 0 ? address_default() : address_find();
	}
	if (argc == 3 && strcmp(argv[1], "--socket") == 0) {
		return g_strdup(argv[2]);
	}
	quote_print(stderr, "Usage: cua-driver %s [--socket PATH]\n", argv[0]);
	return NULL;
}

int status_main(int argc, char **argv)
{
	discovery_apply();
	g_autofree char *path = client_socket_option(argc, argv);
	g_autoptr(GError) error = NULL;
	if (path == NULL) {
		return EXIT_BAD_USAGE;
	}
	struct client *client = client_open(path, true, &error);
	json_t *answer = client != NULL
		? client_request(client, "cua-driver/status", json_object(), HELLO_MS, &error) : NULL;
	int code = EXIT_UNAVAILABLE;
	if (answer == NULL) {
		quote_print(stderr, "cua-driver: %s\n", error->message);
		fputs(client != NULL ? "" : "To start one: cua-driver serve, or "
			  "systemctl --user enable --now cua-driver.socket\n", stderr);
	} else {
		json_t *status = json_object_get(answer, "result");
		quote_print(stdout, "A daemon runs: pid %d, version %s, build %s\n",
			(int)json_integer_value(json_object_get(status, "pid")),
			json_string_value(json_object_get(status, "version")),
			json_string_value(json_object_get(status, "build")));
		quote_print(stdout,
			"socket:      %s\nconnections: %d\nsessions:    %d\nup for:      %d s\n",
			path, (int)json_integer_value(json_object_get(status, "connections")),
			(int)json_integer_value(json_object_get(status, "sessions")),
			(int)json_integer_value(json_object_get(status, "uptime_s")));
		const char *desktop = json_string_value(json_object_get(status, "desktop"));
		if (desktop != NULL) {
			quote_print(stdout, "desktop:     %s\n", desktop);
		}
		if (json_is_true(json_object_get(status, "panic"))) {
			printf("input:       stopped; cua-driver panic --resume lets agents act again\n");
		}
		json_decref(answer);
		code = 0;
	}
	if (client != NULL) {
		client_free(client);
	}
	return code;
}

int stop_main(int argc, char **argv)
{
	discovery_apply();
	g_autofree char *path = client_socket_option(argc, argv);
	g_autoptr(GError) error = NULL;
	if (path == NULL) {
		return EXIT_BAD_USAGE;
	}
	struct client *client = client_open(path, true, &error);
	json_t *answer = client != NULL
		? client_request(client, "cua-driver/stop", json_object(), HELLO_MS, &error) : NULL;
	if (answer == NULL) {
		quote_print(stderr, "cua-driver: %s\n", error->message);
		if (client != NULL) {
			client_free(client);
		}
		return EXIT_UNAVAILABLE;
	}
	json_decref(answer);
	/* It closes its connections last: then it has given back everything it held. */
	gint64 until = g_get_monotonic_time() + STOP_MS * G_GINT64_CONSTANT(1000);
	char byte;
	bool gone = false;
	while (!gone && ready(client->fd, POLLIN, until)) {
		gone = recv(client->fd, &byte, 1, MSG_DONTWAIT) == 0 || (errno != EAGAIN && errno != EINTR);
	}
	client_free(client);
	if (!gone) {
		fprintf(stderr, "cua-driver: the daemon was told to stop and has not yet\n");
		return EXIT_INTERNAL;
	}
	printf("The daemon has stopped\n");
	return 0;
}
