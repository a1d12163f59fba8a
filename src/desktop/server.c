/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "cli.h"
#include "desktop/child.h"
#include "desktop/server.h"

#define START_LIMIT (20 * G_USEC_PER_SEC)
#define STOP_LIMIT (2 * G_USEC_PER_SEC)
/* Two servers that probe the same number at once: the loser gives up, and we try again. */
#define ATTEMPTS 8

#define VNC_SOCKET "vnc"
#define COOKIE_NAME "MIT-MAGIC-COOKIE-1"
#define COOKIE_BYTES 16

static void add(GPtrArray *argv, const char *argument)
{
	g_ptr_array_add(argv, g_strdup(argument));
}

static void xvfb_arguments(GPtrArray *argv, const struct desk *desk)
{
	add(argv, "-screen");
	add(argv, "0");
	g_ptr_array_add(argv, g_strdup_printf("%dx%dx24", desk->options.width,
	                                      desk->options.height));
}

static void xvnc_arguments(GPtrArray *argv, const struct desk *desk)
{
	add(argv, "-depth");
	add(argv, "24");
	add(argv, "-geometry");
	g_ptr_array_add(argv, g_strdup_printf("%dx%d", desk->options.width, desk->options.height));
	/* Who reaches the socket is us; with a path and no port it opens no TCP socket. */
	add(argv, "-rfbport");
	add(argv, "-1");
	add(argv, "-rfbunixpath");
	g_ptr_array_add(argv, g_build_filename(desk->directory, VNC_SOCKET, NULL));
	add(argv, "-rfbunixmode");
	add(argv, "0600");
	add(argv, "-SecurityTypes");
	add(argv, "None");
	add(argv, "-AlwaysShared");
	add(argv, "-desktop");
	add(argv, "cua-driver");
}

static const struct server_impl servers[] = {
	{ "xvfb", "Xvfb", "xvfb", NULL, xvfb_arguments },
	{ "xvnc", "Xvnc", "tigervnc-standalone-server", "xtigervncviewer",
	  xvnc_arguments },
};

static const char *const common[] = {
	"-nolisten", "tcp", "-noreset", "-dpi", "96", "-s", "0",
	"+extension", "Composite", "+extension", "DAMAGE", "+extension", "GLX",
};

const struct server_impl *server_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(servers); i++) {
		if (name == NULL || strcmp(servers[i].name, name) == 0) {
			return &servers[i];
		}
	}
	return NULL;
}

char *server_names(void)
{
	GString *names = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(servers); i++) {
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", servers[i].name);
	}
	return g_string_free(names, FALSE);
}

static void append_counted(GByteArray *record, const void *bytes, guint length)
{
	guint16 count = GUINT16_TO_BE(length);

	g_byte_array_append(record, (const guint8 *)&count, sizeof count);
	g_byte_array_append(record, bytes, length);
}

/*
 * One record that fits every address and every display number (family wild, both empty), as the
 * number is not known before the server has read the file.
 */
static bool write_cookie(const char *path, GError **error)
{
	g_autoptr(GByteArray) record = g_byte_array_new();
	guint8 cookie[COOKIE_BYTES];
	guint16 wild = 0xffff;

	if (getrandom(cookie, sizeof cookie, 0) != sizeof cookie) {
		g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "no random bytes: %s",
		            g_strerror(errno));
		return false;
	}
	g_byte_array_append(record, (const guint8 *)&wild, sizeof wild);
	append_counted(record, "", 0);
	append_counted(record, "", 0);
	append_counted(record, COOKIE_NAME, strlen(COOKIE_NAME));
	append_counted(record, cookie, sizeof cookie);

	g_autoptr(GError) reason = NULL;
	if (!g_file_set_contents_full(path, (const char *)record->data, record->len,
	                              G_FILE_SET_CONTENTS_NONE, 0600, &reason)) {
		g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "%s", reason->message);
		return false;
	}
	return true;
}

/*
 * Reads the display number the server writes when it is ready to be connected to. A stop does
 * not interrupt at once: a server that gets SIGTERM between making its socket and its lock would
 * leave the socket behind.
 */
static bool read_number(struct desk *desk, int fd, char *number, size_t size)
{
	int64_t deadline = g_get_monotonic_time() + START_LIMIT;
	int stop = 0;
	size_t have = 0;
	bool done = false;

	while (!done && have < size - 1) {
		enum wake wake = watch_wait(&desk->watch, fd, POLLIN, deadline);

		if (wake == WAKE_READY) {
			ssize_t length = read(fd, number + have, size - 1 - have);

			if (length <= 0) {
				break; /* it closed the pipe without a word: it is dying */
			}
			have += (size_t)length;
			done = number[have - 1] == '\n';
		} else if (wake == WAKE_STOP) {
			stop = desk->watch.stop_signal;
			desk->watch.stop_signal = 0;
			deadline = MIN(deadline, g_get_monotonic_time() + STOP_LIMIT);
		} else if (wake == WAKE_TIMEOUT) {
			break;
		}
	}
	number[done ? have - 1 : 0] = '\0';
	if (stop != 0) {
		desk->watch.stop_signal = stop;
	}
	return done;
}

/* One attempt. `again` says that another may do better. */
static bool attempt(struct desk *desk, char *const *argv, int pipe_fds[2], bool *again,
                    GError **error)
{
	const char *program = desk->options.server->program;
	char number[16];
	int status = -1;

	desk->server = child_start(desk, program, (const char *const *)argv, pipe_fds[1], error);
	close(pipe_fds[1]);
	if (desk->server < 0) {
		desk->server = 0;
		return false;
	}
	if (!read_number(desk, pipe_fds[0], number, sizeof number)) {
		/* The end of the pipe comes a moment before the end of the process. */
		int64_t deadline = g_get_monotonic_time() + STOP_LIMIT;

		while (!watch_ended(&desk->watch, desk->server, &status)) {
			if (watch_wait(&desk->watch, -1, 0, deadline) != WAKE_CHILD) {
				break;
			}
		}
		*again = status != -1;
		child_set_error(desk, error, program, status, "the X server did not start");
		return false;
	}
	g_autofree char *display = g_strconcat(":", number, NULL);
	g_setenv("DISPLAY", display, TRUE);
	desk->display = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(desk->display) != 0) {
		child_set_error(desk, error, program, -1, "display %s does not let us in", display);
		return false;
	}
	desk_say(desk, "display %s is ready, %dx%d", display, desk->options.width,
	         desk->options.height);
	if (desk->options.server->viewer != NULL) {
		desk_say(desk, "to look at it: %s %s/%s", desk->options.server->viewer,
		         desk->directory, VNC_SOCKET);
	}
	return true;
}

bool server_start(struct desk *desk, GError **error)
{
	const struct server_impl *impl = desk->options.server;
	g_autofree char *cookie = g_build_filename(desk->directory, "Xauthority", NULL);

	if (!write_cookie(cookie, error)) {
		return false;
	}
	g_setenv("XAUTHORITY", cookie, TRUE);

	for (int left = ATTEMPTS; left > 0; left--) {
		g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
		bool again = false;
		int pipe_fds[2];

		if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
			g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "no pipe: %s", g_strerror(errno));
			return false;
		}
		add(argv, impl->program);
		add(argv, "-displayfd");
		g_ptr_array_add(argv, g_strdup_printf("%d", pipe_fds[1]));
		add(argv, "-auth");
		add(argv, cookie);
		for (size_t i = 0; i < G_N_ELEMENTS(common); i++) {
			add(argv, common[i]);
		}
		impl->arguments(argv, desk);
		g_ptr_array_add(argv, NULL);

		g_clear_error(error);
		bool ready = attempt(desk, (char *const *)argv->pdata, pipe_fds, &again, error);
		close(pipe_fds[0]);
		if (ready) {
			return true;
		}
		if (!again || desk->watch.stop_signal != 0) {
			return false;
		}
		desk_say(desk, "%s gave up, trying again", impl->program);
	}
	return false;
}
