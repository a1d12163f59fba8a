/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "desktop/desk.h"
#include "desktop/rundir.h"

/* Socket addresses hold 108 bytes; the longest name below us is at-spi/bus_65535. */
#define BASE_LENGTH_MAX 60

static bool usable(const char *base, bool must_be_private)
{
	struct stat st;

	if (base == NULL || base[0] != '/' || strlen(base) > BASE_LENGTH_MAX ||
	    stat(base, &st) != 0 || !S_ISDIR(st.st_mode) || access(base, W_OK | X_OK) != 0) {
		return false;
	}
	return !must_be_private || (st.st_uid == geteuid() && (st.st_mode & 0777) == 0700);
}

char *rundir_choose(void)
{
	const char *base = g_getenv("XDG_RUNTIME_DIR");
	uint64_t number;

	if (!usable(base, true)) {
		base = g_getenv("TMPDIR");
	}
	if (!usable(base, false)) {
		base = "/tmp";
	}
	/* Unguessable, so nobody can take the name before us in a place all may write to. */
	if (getrandom(&number, sizeof number, 0) != sizeof number) {
		number = ((uint64_t)g_random_int() << 32) | g_random_int();
	}
	return g_strdup_printf("%s/cua-desktop-%016" G_GINT64_MODIFIER "x", base, number);
}

bool rundir_make(const char *directory, GError **error)
{
	g_autofree char *log = g_build_filename(directory, "log", NULL);

	if (mkdir(directory, 0700) != 0 || chmod(directory, 0700) != 0 || mkdir(log, 0700) != 0) {
		g_set_error(error, DESK_ERROR, EXIT_INTERNAL, "cannot make %s: %s", directory,
		            g_strerror(errno));
		return false;
	}
	return true;
}

static void detach(char *point)
{
	char *argv[] = { NULL, (char *)"-u", (char *)"-z", point, NULL };

	if (umount2(point, MNT_DETACH | UMOUNT_NOFOLLOW) == 0) {
		return;
	}
	/* A FUSE mount of an ordinary user: only the setuid helper may. */
	g_autofree char *helper = g_find_program_in_path("fusermount3");
	if (helper == NULL) {
		helper = g_find_program_in_path("fusermount");
	}
	argv[0] = helper;
	if (helper != NULL) {
		g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
		             NULL, NULL, NULL, NULL, NULL, NULL);
	}
}

static void detach_mounts(const char *directory)
{
	g_autofree char *text = NULL;
	g_autofree char *below = g_strconcat(directory, "/", NULL);

	if (!g_file_get_contents("/proc/self/mountinfo", &text, NULL, NULL)) {
		return;
	}
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (guint i = g_strv_length(lines); i-- > 0;) { /* the innermost is last */
		g_auto(GStrv) fields = g_strsplit(lines[i], " ", 6);

		if (g_strv_length(fields) < 5) {
			continue;
		}
		g_autofree char *point = g_strcompress(fields[4]); /* blanks are octal escapes */
		if (g_str_has_prefix(point, below)) {
			detach(point);
		}
	}
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	(void)remove(path);
	return 0;
}

void rundir_remove(const char *directory)
{
	struct stat st;

	if (lstat(directory, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		return;
	}
	detach_mounts(directory);
	nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
