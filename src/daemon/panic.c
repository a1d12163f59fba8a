/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "daemon/panic.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "cli.h"
#include "core/folder.h"
#include "core/panic.h"
#include "core/quote.h"
#include "core/roster.h"
#include "discovery/discovery.h"

/* How long the drivers have to let go of everything: more than what they give those who hold something. */
#define STOP_MS 8000
/* One that died meanwhile writes nothing. */
#define LOOK_MS 300

static const char usage[] =
	"Usage: cua-driver panic [--resume]\n\n"
	"Stops all input of all drivers of this user at once: what runs is cancelled, what is held is\n"
	"released, and actions are refused (panic_stopped) by every driver, also by those started later,\n"
	"until `cua-driver panic --resume`. SIGUSR1 stops, SIGUSR2 resumes a single one.\n\n"
	"Exit status: 0 all drivers have let go, 1 one has not (it is named, with what ends it).\n";

/* The file first: whoever is not told by signal finds it before its next action. */
static bool write_file(const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	return folder_prepare(folder, error)
		&& g_file_set_contents_full(path, "", 0, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static bool remove_file(const char *path)
{
	if (g_unlink(path) == 0 || errno == ENOENT) {
		return true;
	}
	quote_print(stderr, "cua-driver panic: %s: %s\n", path, g_strerror(errno));
	return false;
}

/* Those that are not as they were told to be. */
static GArray *others(bool stopped)
{
	GArray *list = roster_list();
	for (guint i = list->len; i > 0; i--) {
		if (g_array_index(list, struct roster_entry, i - 1).stopped == stopped) {
			g_array_remove_index(list, i - 1);
		}
	}
	return list;
}

/* Waits until all of them are; returns those that are not. */
static GArray *await(bool stopped)
{
	g_autofree char *folder = roster_folder();
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	gint64 until = g_get_monotonic_time() + STOP_MS * G_GINT64_CONSTANT(1000);
	if (fd >= 0) {
		inotify_add_watch(fd, folder, IN_MOVED_TO | IN_DELETE);
	}
	GArray *left = others(stopped);
	while (left->len > 0 && g_get_monotonic_time() < until) {
		struct pollfd wanted = { .fd = fd, .events = POLLIN };
		char events[4096];
		if (poll(&wanted, 1, LOOK_MS) > 0 && read(fd, events, sizeof events) < 0 && errno != EAGAIN) {
			break;
		}
		g_array_unref(left);
		left = others(stopped);
	}
	if (fd >= 0) {
		close(fd);
	}
	return left;
}

static int tell(bool stop)
{
	g_autoptr(GArray) list = roster_list();
	g_autoptr(GString) told = g_string_new(NULL);
	guint count = 0;
	for (guint i = 0; i < list->len; i++) {
		const struct roster_entry *entry = &g_array_index(list, struct roster_entry, i);
		if (roster_signal(entry, stop ? PANIC_STOP : PANIC_RESUME)) {
			g_string_append_printf(told, "%s%d", count++ > 0 ? ", " : "", (int)entry->pid);
		}
	}
	g_autoptr(GArray) left = await(stop);
	for (guint i = 0; i < left->len; i++) {
		int pid = (int)g_array_index(left, struct roster_entry, i).pid;
		fprintf(stderr, "cua-driver panic: the driver with pid %d was told and has not answered; to end it:\n"
			"  kill -9 %d\n", pid, pid);
	}
	if (stop) {
		printf("All input is stopped");
	} else {
		printf("Input is possible again");
	}
	if (count > 0) {
		printf("; told %u running driver%s (pid %s)", count, count == 1 ? "" : "s", told->str);
	}
	printf(stop ? ".\nTo let agents act again:\n  cua-driver panic --resume\n" : ".\n");
	return left->len == 0 ? 0 : EXIT_TOOL_ERROR;
}

int panic_main(int argc, char **argv)
{
	bool resume = argc == 2 && strcmp(argv[1], "--resume") == 0;
	g_autoptr(GError) error = NULL;
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 1 && !resume) {
		fputs(usage, stderr);
		return EXIT_BAD_USAGE;
	}
	discovery_apply();
	g_autofree char *path = panic_path();
	if (resume) {
		return remove_file(path) ? tell(false) : EXIT_TOOL_ERROR;
	}
	/* Without the file at least those that run are told. */
	bool written = write_file(path, &error);
	if (!written) {
		quote_print(stderr, "cua-driver panic: drivers started from now on can act: %s\n", error->message);
	}
	int code = tell(true);
	return written ? code : EXIT_TOOL_ERROR;
}
