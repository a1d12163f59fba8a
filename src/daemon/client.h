/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_CLIENT_H
#define DAEMON_CLIENT_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/*
 * A connection to a daemon, as the command line uses it: one request after another, blocking, each
 * with a time of its own.
 */
struct client;

/*
 * Connects and says who we are (`anonymous`: a one-shot call). Warns on stderr if the daemon is of
 * another build. NULL if nobody listens there, or it is not a daemon of this user.
 */
struct client *client_open(const char *path, bool anonymous, GError **error);
/* The same without a warning. */
struct client *client_open_quiet(const char *path, bool anonymous, GError **error);
/* What the daemon said of itself: version, build, pid. Borrowed. */
const json_t *client_daemon(const struct client *client);
void client_free(struct client *client);

/* The answer's `result` or `error` is in it; the caller owns it. `params` is taken over. */
json_t *client_request(struct client *client, const char *method, json_t *params, int ms,
	GError **error);

/* Takes the socket over, for whoever wants to speak on it directly. */
int client_steal(struct client *client);

/* `cua-driver status` and `cua-driver stop`. */
int status_main(int argc, char **argv);
int stop_main(int argc, char **argv);

/* The value of `--socket PATH` as the only option, else the default; NULL after a complaint. The caller frees it. */
char *client_socket_option(int argc, char **argv);

#endif
