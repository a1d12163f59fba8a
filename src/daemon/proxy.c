/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli.h"
#include "core/quote.h"
#include "daemon/client.h"

/* One direction. */
struct pipe_way {
	int from, to;
	char buffer[65536];
	size_t start, end;       /* what is read and not yet written */
	bool ended;              /* nothing more comes */
	bool broken;             /* nobody takes it */
};

static void fill(struct pipe_way *way)
{
	ssize_t got = read(way->from, way->buffer, sizeof way->buffer);
	if (got > 0) {
		way->start = 0;
		way->end = (size_t)got;
	} else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
		way->ended = true;
	}
}

static void drain(struct pipe_way *way)
{
	ssize_t put = write(way->to, way->buffer + way->start, way->end - way->start);
	if (put > 0) {
		way->start += (size_t)put;
	} else if (put < 0 && errno != EAGAIN && errno != EINTR) {
		way->broken = true;
	}
}

static bool is_empty(const struct pipe_way *way)
{
	return way->start == way->end;
}

static void turn(struct pipe_way *ways[2])
{
	struct pollfd wanted[2] = { 0 };
	for (int i = 0; i < 2; i++) {
		struct pipe_way *way = ways[i];
		wanted[i].fd = -1;
		if (!is_empty(way)) {
			wanted[i] = (struct pollfd){ .fd = way->to, .events = POLLOUT };
		} else if (!way->ended) {
			wanted[i] = (struct pollfd){ .fd = way->from, .events = POLLIN };
		}
	}
	if (poll(wanted, 2, -1) <= 0) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (wanted[i].revents == 0) {
			continue;
		}
		if (is_empty(ways[i])) {
			fill(ways[i]);
		} else {
			drain(ways[i]);
		}
	}
}

int proxy_run(const char *path, int in, int out)
{
	g_autoptr(GError) error = NULL;
	struct client *client = client_open(path, false, &error);
	if (client == NULL) {
		quote_print(stderr, "cua-driver mcp: %s\n", error->message);
		return EXIT_UNAVAILABLE;
	}
	int fd = client_steal(client);
	client_free(client);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	struct pipe_way *asks = g_new0(struct pipe_way, 1), *answers = g_new0(struct pipe_way, 1);
	struct pipe_way *ways[2] = { asks, answers };
	asks->from = in, asks->to = fd;
	answers->from = fd, answers->to = out;
	bool told = false;
	/* The daemon closes when the input is over and everything is answered. */
	while (!(answers->ended && is_empty(answers)) && !answers->broken && !asks->broken) {
		turn(ways);
		if (asks->ended && is_empty(asks) && !told) {
			shutdown(fd, SHUT_WR);
			told = true;
		}
	}
	int code = 0;
	if (!told && !answers->broken) {
		quote_print(stderr, "cua-driver mcp: the daemon on %s went away\n", path);
		code = EXIT_UNAVAILABLE;
	}
	close(fd);
	g_free(asks);
	g_free(answers);
	return code;
}
