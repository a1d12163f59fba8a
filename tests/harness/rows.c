/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal.h"

const char *const rows_names[ROWS] = { "alpha", "beta", "gamma", "delta", "epsilon", "zeta" };

static void (*apply)(const char *command, int number);
static const char *name;
static GString *input;

static gboolean say_done(gpointer data)
{
	g_autofree char *command = data;

	journal_note("done %s", command);
	return G_SOURCE_REMOVE;
}

static gboolean say_ready(gpointer data)
{
	(void)data;
	journal_ready(name);
	return G_SOURCE_REMOVE;
}

/* After everything that waits, layout and painting included. */
static void when_idle(GSourceFunc call, gpointer data)
{
	g_idle_add_full(G_PRIORITY_LOW, call, data, NULL);
}

static gboolean on_input(gint fd, GIOCondition condition, gpointer data)
{
	char bytes[512];
	ssize_t count = read(fd, bytes, sizeof bytes);
	char *end;

	(void)condition;
	(void)data;
	if (count <= 0) {
		exit(0);
	}
	g_string_append_len(input, bytes, count);
	while ((end = strchr(input->str, '\n'))) {
		g_autofree char *line = g_strndup(input->str, (gsize)(end - input->str));
		g_auto(GStrv) words = g_strsplit(line, " ", 2);

		g_string_erase(input, 0, end - input->str + 1);
		apply(words[0], words[1] ? atoi(words[1]) : 0);
		when_idle(say_done, g_strdup(line));
	}
	return G_SOURCE_CONTINUE;
}

void rows_init(int argc, char **argv, const char *toolkit, void (*change)(const char *command, int number))
{
	apply = change;
	name = toolkit;
	input = g_string_new(NULL);
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--journal-fd") == 0) {
			journal_open(atoi(argv[i + 1]));
		}
	}
	/* Qt's loop on this system is GLib's. */
	g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_input, NULL);
	when_idle(say_ready, NULL);
}

void rows_pressed(const char *where, const char *what)
{
	journal_note("pressed %s %s", where, what);
}
