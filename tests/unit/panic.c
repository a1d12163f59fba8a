/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/panic.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/call.h"
#include "core/headless.h"
#include "core/roster.h"
#include "core/tool.h"

/* A runtime with a folder of its own, and what it let go of. */
struct fixture {
	char *folder;
	struct platform *platform;
	struct runtime *runtime;
	GString *heard;          /* the answer, once there is one */
	int released;            /* atomic */
};

static int running, idle[2];

/* An action that goes on until somebody stops it. */
static void act(struct call *call)
{
	g_autoptr(GError) error = NULL;
	g_atomic_int_set(&running, 1);
	g_main_context_wakeup(NULL);
	if (!deadline_poll(call->deadline, idle[0], POLLIN, "nothing", &error)) {
		answer_fail_error(call->answer, error);
		answer_delivered(call->answer, DELIVERED_PARTIAL);
	}
}

static const struct tool acts = { .name = "act", .title = "Act", .about = "Acts.", .run = act,
	.effect = TOOL_ACTS, .target = TARGET_DRIVER };

static void look(struct call *call)
{
	answer_text(call->answer, "looked");
}

static const struct tool reads = { .name = "look", .title = "Look", .about = "Looks.", .run = look,
	.effect = TOOL_READS, .target = TARGET_DRIVER };

static void release(struct deadline deadline, void *data)
{
	struct fixture *fixture = data;
	g_assert_cmpint(deadline_left(deadline), >, 0);
	g_atomic_int_inc(&fixture->released);
	g_main_context_wakeup(NULL);
}

static void on_done(const struct answer *answer, void *data)
{
	struct fixture *fixture = data;
	g_string_assign(fixture->heard, "{");
	answer_render(answer, fixture->heard, true);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->folder = g_dir_make_tmp("cua-panic-XXXXXX", NULL);
	g_setenv("XDG_RUNTIME_DIR", fixture->folder, TRUE);
	/* Not where the user's own drivers meet. */
	g_autofree char *own = g_build_filename(fixture->folder, "cua-driver", NULL);
	g_setenv("CUA_DRIVER_TEST_PLACE", own, TRUE);
	g_assert_cmpint(pipe(idle), ==, 0);
	fixture->platform = headless_new();
	fixture->runtime = runtime_new(fixture->platform);
	fixture->heard = g_string_new(NULL);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	runtime_free(fixture->runtime);
	fixture->platform->impl->destroy(fixture->platform);
	/* Nothing of a driver that has ended stays in the roster. */
	g_autofree char *own = g_build_filename(fixture->folder, "cua-driver", NULL);
	g_auto(GStrv) rosters = roster_folders();
	g_rmdir(rosters[0]);
	g_assert_cmpint(g_rmdir(own), ==, 0);
	g_assert_cmpint(g_rmdir(fixture->folder), ==, 0);
	g_free(fixture->folder);
	g_string_free(fixture->heard, TRUE);
	close(idle[0]);
	close(idle[1]);
}

static void begin(struct fixture *fixture, const struct tool *tool)
{
	struct answer *unused = answer_new();
	g_string_truncate(fixture->heard, 0);
	g_atomic_int_set(&running, 0);
	call_start(fixture->runtime, "test", tool, args_parse(tool, NULL, unused),
		&(struct call_listener){ on_done, NULL, fixture });
	answer_free(unused);
}

static const char *finish(struct fixture *fixture)
{
	while (fixture->heard->len == 0) {
		g_main_context_iteration(NULL, TRUE);
	}
	return fixture->heard->str;
}

static gboolean on_tick(gpointer data)
{
	(void)data;
	return G_SOURCE_CONTINUE;
}

/* What the roster says of us; it is a file, so it is looked at again and again. */
static void until_stopped(bool stopped)
{
	guint tick = g_timeout_add(20, on_tick, NULL);
	bool found = false;
	while (!found) {
		g_autoptr(GArray) list = roster_list();
		g_assert_cmpint(list->len, ==, 1);
		g_assert_cmpint(g_array_index(list, struct roster_entry, 0).pid, ==, getpid());
		found = g_array_index(list, struct roster_entry, 0).stopped == stopped;
		if (!found) {
			g_main_context_iteration(NULL, TRUE);
		}
	}
	g_source_remove(tick);
}

static void what_runs_is_stopped_and_answered(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	void *registration = panic_register(release, fixture);
	begin(fixture, &acts);
	while (!g_atomic_int_get(&running)) {
		g_main_context_iteration(NULL, TRUE);
	}
	until_stopped(false);
	kill(getpid(), PANIC_STOP);
	const char *answer = finish(fixture);
	g_assert_nonnull(strstr(answer, "\"code\":\"panic_stopped\""));
	/* It had begun: what reached the application is not forgotten. */
	g_assert_nonnull(strstr(answer, "\"delivery\":\"partial\""));
	g_assert_nonnull(strstr(answer, "\"retry\":\"unsafe\""));
	until_stopped(true);
	/* At once, and once more if the action still ran then. */
	g_assert_cmpint(g_atomic_int_get(&fixture->released), >=, 1);

	begin(fixture, &acts);
	answer = finish(fixture);
	g_assert_nonnull(strstr(answer, "\"code\":\"panic_stopped\""));
	g_assert_nonnull(strstr(answer, "\"delivery\":\"none\""));
	g_assert_false(g_atomic_int_get(&running));
	/* Looking is no input. */
	begin(fixture, &reads);
	g_assert_nonnull(strstr(finish(fixture), "looked"));

	kill(getpid(), PANIC_RESUME);
	until_stopped(false);
	g_assert_false(panic_engaged());
	g_assert_cmpint(write(idle[1], "x", 1), ==, 1);
	begin(fixture, &acts);
	g_assert_nonnull(strstr(finish(fixture), "\"isError\":false"));
	panic_unregister(registration);
}

static void a_file_stops_whoever_comes_later(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_auto(GStrv) paths = panic_paths();
	const char *path = paths[0];
	g_assert_cmpint(write(idle[1], "x", 1), ==, 1);
	begin(fixture, &acts);
	g_assert_nonnull(strstr(finish(fixture), "\"isError\":false"));
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
	begin(fixture, &acts);
	g_assert_nonnull(strstr(finish(fixture), "\"code\":\"panic_stopped\""));
	g_assert_cmpint(g_unlink(path), ==, 0);
	begin(fixture, &acts);
	g_assert_nonnull(strstr(finish(fixture), "\"isError\":false"));
}

static void dead_and_reused_pids_are_no_drivers(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_auto(GStrv) folders = roster_folders();
	const char *folder = folders[0];
	g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
	/* A pid that is another process's now, and one that nobody has. */
	g_autofree char *reused = g_strdup_printf("%s/%d", folder, (int)getppid());
	g_autofree char *dead = g_build_filename(folder, "4194303", NULL);
	g_assert_true(g_file_set_contents(reused, "1 acting\n", -1, NULL));
	g_assert_true(g_file_set_contents(dead, "1 acting\n", -1, NULL));
	g_autoptr(GArray) list = roster_list();
	g_assert_cmpint(list->len, ==, 0);
	g_assert_false(g_file_test(reused, G_FILE_TEST_EXISTS));
	g_assert_false(g_file_test(dead, G_FILE_TEST_EXISTS));
	g_assert_false(roster_signal(&(struct roster_entry){ .pid = getppid(), .started = 1 }, PANIC_STOP));
	/* One that it is: it would be told. */
	g_assert_true(roster_write(false, NULL));
	g_autoptr(GArray) us = roster_list();
	g_assert_cmpint(us->len, ==, 1);
	g_assert_true(roster_signal(&g_array_index(us, struct roster_entry, 0), 0));
	roster_remove();
	(void)fixture;
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	/* What it says of itself is no failure. */
	g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_FATAL_MASK);
	g_test_add("/panic/running", struct fixture, NULL, set_up, what_runs_is_stopped_and_answered, tear_down);
	g_test_add("/panic/later", struct fixture, NULL, set_up, a_file_stops_whoever_comes_later, tear_down);
	g_test_add("/panic/roster", struct fixture, NULL, set_up, dead_and_reused_pids_are_no_drivers, tear_down);
	return g_test_run();
}
