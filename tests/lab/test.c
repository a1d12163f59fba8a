/* SPDX-License-Identifier: MIT */
/* One test in its own process: how it fails, skips and cleans up. */
#define _GNU_SOURCE 1
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

struct ending {
	void (*call)(void *data, bool failed);
	void *data;
};

static GArray *endings;
static gint64 test_end = G_MAXINT64;

gint64 lab_test_end(void)
{
	return test_end;
}

void lab_at_end(void (*call)(void *data, bool failed), void *data)
{
	struct ending ending = { call, data };

	if (!endings) {
		endings = g_array_new(FALSE, FALSE, sizeof(struct ending));
	}
	g_array_append_val(endings, ending);
}

/* An ending may fail the test itself; it was taken off the list before, so this cannot loop. */
static void finish(int code)
{
	/* A test that used up its time still gets some to put things away. */
	if (test_end != G_MAXINT64) {
		test_end = g_get_monotonic_time() + 15 * G_USEC_PER_SEC;
	}
	while (endings && endings->len > 0) {
		struct ending last = g_array_index(endings, struct ending, endings->len - 1);

		g_array_set_size(endings, endings->len - 1);
		last.call(last.data, code == 1);
	}
	fflush(NULL);
	_exit(code); /* no leak checker: a test frees nothing on purpose */
}

void lab_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);

	g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
	for (int i = 0; lines[i]; i++) {
		printf("# %s\n", lines[i]);
	}
	fflush(stdout);
}

void lab_fail_at(const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);

	lab_note("%s:%d: %s", file, line, text);
	finish(1);
	abort(); /* not reached */
}

bool lab_must_have_all(void)
{
	return g_getenv("CI") || g_getenv("CUA_CHECK");
}

void lab_missing_at(const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);

	if (lab_must_have_all()) {
		lab_fail_at(file, line, "%s", text);
	}
	lab_skip_because("%s", text);
}

void lab_skip_because(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);

	printf(LAB_SKIP_MARK "%s\n", text);
	finish(77);
	abort(); /* not reached */
}

static void stop_desk(void *data, bool failed)
{
	struct lab_desk *desk = data;

	if (failed) {
		/* Its end is still waited for, so that the next test finds the machine quiet. */
		close(desk->anchor);
		if (lab_reap(desk->pid, 10000) < 0) {
			lab_note("the desk did not end either");
		}
	} else {
		lab_desk_stop(desk);
	}
}

static void remove_meeting(void *data, bool failed)
{
	(void)failed;
	lab_run(NULL, LAB_ARGV("rm", "-rf", data), NULL, 10000);
}

/* Where the drivers of this test meet, and not those of others, or the user's own. */
static void set_meeting(void)
{
	char *folder = g_strdup_printf("%s/cua-place-%d", g_get_tmp_dir(), (int)getpid());

	g_setenv("CUA_DRIVER_TEST_PLACE", folder, TRUE);
	lab_at_end(remove_meeting, folder);
}

void lab_test_run(const struct lab_test *test, const char *server, const char *wm)
{
	struct lab_desk *desk = NULL;
	int seconds = test->timeout > 0 ? test->timeout : 60;

	test_end = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
	set_meeting();
	if (server) {
		desk = test->size != NULL ? lab_desk_start_sized(server, wm, test->size)
			: lab_desk_start(server, wm);
		lab_at_end(stop_desk, desk);
	}
	test->run(desk);
	finish(0);
	abort(); /* not reached */
}
