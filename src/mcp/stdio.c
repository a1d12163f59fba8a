/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "core/quote.h"
#include "daemon/owner.h"
#include "daemon/proxy.h"
#include "discovery/discovery.h"
#include "mcp/connection.h"
#include "platform.h"

static gboolean on_signal(gpointer data)
{
	g_main_loop_quit(data);
	return G_SOURCE_CONTINUE;
}

static void on_closed(struct connection *connection, void *data)
{
	(void)connection;
	g_main_loop_quit(data);
}

static void serve(struct runtime *runtime, int in, int out)
{
	GMainLoop *loop = g_main_loop_new(NULL, TRUE);
	guint term = g_unix_signal_add(SIGTERM, on_signal, loop);
	guint interrupt = g_unix_signal_add(SIGINT, on_signal, loop);
	g_autofree char *folder = g_get_current_dir();
	struct connection *connection = connection_new(
		runtime, &(struct server_client){ .folder = folder }, in, out, on_closed, loop);
	runtime_run(runtime, loop);
	connection_free(connection);
	g_source_remove(term);
	g_source_remove(interrupt);
	g_main_loop_unref(loop);
}

static int serve_here(int in, int out)
{
	discovery_apply();
	if (owner_refuses("mcp")) {
		return EXIT_REFUSED;
	}
	struct platform *platform = platform_open();
	struct runtime *runtime = runtime_new(platform);
	serve(runtime, in, out);
	runtime_free(runtime);
	platform->impl->destroy(platform);
	return 0;
}

int mcp_main(int argc, char **argv)
{
	const char *socket = NULL;
	if (argc == 3 && strcmp(argv[1], "--socket") == 0) {
		socket = argv[2];
	} else if (argc > 1) {
		quote_print(stderr, "cua-driver mcp: unexpected argument '%s'\n", argv[1]);
		return EXIT_BAD_USAGE;
	}
	/* Whatever prints to standard output must not end up between the messages. */
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (out < 0) {
		quote_print(stderr, "cua-driver mcp: no standard output: %s\n", g_strerror(errno));
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
	int in_flags = connection_nonblocking(STDIN_FILENO), out_flags = connection_nonblocking(out);

	int code = socket != NULL ? proxy_run(socket, STDIN_FILENO, out)
		: serve_here(STDIN_FILENO, out);

	/* In this order: both may be one description, whose flags were those of the input first. */
	if (out_flags >= 0) {
		fcntl(out, F_SETFL, out_flags);
	}
	if (in_flags >= 0) {
		fcntl(STDIN_FILENO, F_SETFL, in_flags);
	}
	close(out);
	return code;
}
