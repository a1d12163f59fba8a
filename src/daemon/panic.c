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
#include "core/error.h"
#include "core/folder.h"
#include "core/panic.h"
#include "core/quote.h"
#include "core/roster.h"
#include "discovery/discovery.h"

/* How long the drivers have to let go of everything: more than what they give those who hold something. */
#define STOP_MS 8000
/* One that died meanwhile writes nothing. */
#define LOOK_MS 300

static const char usage[] = "Usage: cua-driver panic [--resume]\n\n"
			    "Stops all input of all drivers of this user at once, on whatever "
			    "desktop they are: what runs is\n"
			    "cancelled, what is held is released, and actions are refused "
			    "(panic_stopped) by every driver, also\n"
			    "by those started later, until `cua-driver panic --resume`. It counts "
			    "whom it told. SIGUSR1 stops,\n"
			    "SIGUSR2 resumes a single one.\n\n"
			    "Exit status: 0 all drivers have let go, 1 one has not "
			    "(panic_incomplete; it is named, with what\n"
			    "ends it).\n";

static bool make_file(const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	return folder_prepare(folder, error)
		&& g_file_set_contents_full(path, "", 0, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/*
 * Files first: whoever is not told by signal finds one before its next action. One in our own
 * runtime folder, for drivers as old as that, and one where all drivers of the user look.
 */
static bool make_files(void)
{
	g_auto(GStrv) paths = panic_paths(), shared = folder_shared();
	gsize own = g_strv_length(paths) - g_strv_length(shared);
	bool made = false, good = true;
	for (gsize i = 0; paths[i] != NULL && !made; i++) {
		g_autoptr(GError) error = NULL;
		bool done = make_file(paths[i], &error);
		made = done && i >= own;
		good &= done || (i >= own && paths[i + 1] != NULL);
		if (!done) {
			quote_print(stderr,
				"cua-driver panic: drivers started from now on can act: %s\n",
				error->message);
		}
	}
	return good && made;
}

static bool remove_files(void)
{
	g_auto(GStrv) paths = panic_paths();
	bool removed = true;
	for (char **path = paths; *path != NULL; path++) {
		if (g_unlink(*path) < 0 && errno != ENOENT && errno != ENOTDIR) {
			quote_print(stderr, "cua-driver panic: %s: %s\n", *path, g_strerror(errno));
			removed = false;
		}
	}
	return removed;
}

/* Takes out of the list whoever is as it was told to be, or has ended. */
static void cross_out(GArray *told, bool stopped)
{
	g_autoptr(GArray) list = roster_list();
	for (guint i = told->len; i > 0; i--) {
		const struct roster_entry *entry = &g_array_index(told, struct roster_entry, i - 1);
		const struct roster_entry *now = roster_find(list, entry);
		/* One that never acted says nothing about being let go on. */
		if ((now != NULL ? now->stopped : false) == stopped || !roster_lives(entry)) {
			g_array_remove_index(told, i - 1);
		}
	}
}

/* Waits until all of them are; those that are not stay in the list. */
static void await(GArray *told, bool stopped)
{
	g_auto(GStrv) folders = roster_folders();
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	gint64 until = g_get_monotonic_time() + STOP_MS * G_GINT64_CONSTANT(1000);
	for (char **folder = folders; fd >= 0 && *folder != NULL; folder++) {
		inotify_add_watch(fd, *folder, IN_MOVED_TO | IN_DELETE);
	}
	cross_out(told, stopped);
	while (told->len > 0 && g_get_monotonic_time() < until) {
		struct pollfd wanted = { .fd = fd, .events = POLLIN };
		char events[4096];
		if (poll(&wanted, 1, LOOK_MS) > 0 && read(fd, events, sizeof events) < 0 && errno != EAGAIN) {
			break;
		}
		cross_out(told, stopped);
	}
	if (fd >= 0) {
		close(fd);
	}
}

/* Signals all of them. Returns those that were there; their pids go to `pids`. */
static GArray *signal_all(bool stop, GString *pids)
{
	GArray *list = roster_search();
	for (guint i = 0; i < list->len;) {
		const struct roster_entry *entry = &g_array_index(list, struct roster_entry, i);
		if (!roster_signal(entry, stop ? PANIC_STOP : PANIC_RESUME)) {
			g_array_remove_index(list, i);
			continue;
		}
		g_string_append_printf(pids, "%s%d", i++ > 0 ? ", " : "", (int)entry->pid);
	}
	return list;
}

static int complain(const GArray *left, guint count, bool stop)
{
	fprintf(stderr, "cua-driver panic: %s: %u of %u running drivers ha%s not answered.\n",
		error_info(ERROR_PANIC_INCOMPLETE)->wire, left->len, count,
		left->len == 1 ? "s" : "ve");
	for (guint i = 0; i < left->len; i++) {
		int pid = (int)g_array_index(left, struct roster_entry, i).pid;
		fprintf(stderr,
			"The driver with pid %d was told and has not answered%s; to end it:\n  "
			"kill -9 %d\n",
			pid, stop ? " and may still act" : "", pid);
	}
	return EXIT_TOOL_ERROR;
}

static int tell(bool stop)
{
	g_autoptr(GString) pids = g_string_new(NULL);
	g_autoptr(GArray) told = signal_all(stop, pids);
	guint count = told->len;
	await(told, stop);
	if (told->len > 0) {
		printf(stop ? "NOT all input is stopped"
			    : "Input is possible again, but not of all drivers");
	} else {
		printf(stop ? "All input is stopped" : "Input is possible again");
	}
	if (count > 0) {
		printf("; told %u running driver%s (pid %s)", count, count == 1 ? "" : "s",
			pids->str);
	} else {
		printf("; no driver runs");
	}
	printf(stop ? ".\nTo let agents act again:\n  cua-driver panic --resume\n" : ".\n");
	fflush(stdout);
	return told->len == 0 ? 0 : complain(told, count, stop);
}

int panic_main(int argc, char **argv)
{
	bool resume = argc == 2 && strcmp(argv[1], "--resume") == 0;
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 1 && !resume) {
		fputs(usage, stderr);
		return EXIT_BAD_USAGE;
	}
	discovery_apply();
	if (resume) {
		return remove_files() ? tell(false) : EXIT_TOOL_ERROR;
	}
	/* Without the files at least those that run are told. */
	bool made = make_files();
	int code = tell(true);
	return made ? code : EXIT_TOOL_ERROR;
}
