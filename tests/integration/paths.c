/* SPDX-License-Identifier: MIT */
/* Files that others name or put there: pipes, devices, links, and names relative to somebody's
 * folder. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"

/* So long a command may take that finds no regular file. */
#define PROMPT_MS 10000

/* The sanitizers take all addresses there are, and measure memory themselves. */
#if LAB_SANITIZED
#define BOUND "ASAN_OPTIONS=\"$ASAN_OPTIONS:hard_rss_limit_mb=1000\""
#else
#define BOUND "ulimit -v 4000000;"
#endif

/*
 * The driver asked by a command line, which must not wait for anybody, nor need more memory than
 * that.
 */
static struct lab_run ask(struct lab_place *place, const char *command)
{
	g_autofree char *script = g_strconcat(BOUND " exec \"$0\" ", command, NULL);
	struct lab_run run = lab_run(
		place->env, LAB_ARGV("sh", "-c", script, lab_driver_path()), "", PROMPT_MS);

	if (run.code == -1) {
		lab_fail("cua-driver %s waits: %s", command, run.err);
	}
	return run;
}

static void irregular_settings(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	g_autofree char *large = g_build_filename(place->run, "large", NULL);
	const char *targets[] = { NULL, "/dev/zero", "/dev/random", large };

	(void)desk;
	lab_assert(truncate((close(creat(large, 0600)), large), (off_t)1 << 33) == 0);
	for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
		g_unlink(place->config);
		lab_assert((targets[i] != NULL ? symlink(targets[i], place->config)
					       : mkfifo(place->config, 0600))
			== 0);
		struct lab_run get = ask(place, "config get max_image_dimension");
		lab_assert_str(get.out, "1568\n");
		lab_assert_contains(
			get.err, targets[i] == large ? "larger than" : "no regular file");
		/* Nor is it replaced: who put it there may have meant it. */
		struct lab_run set = ask(place, "config set max_image_dimension 900");
		lab_assert_int(set.code, 1);
		lab_assert_contains(set.err, "not saved");
		struct lab_run call = ask(place, "get_config </dev/null");
		lab_assert_int(call.code, 0);
		struct stat info;
		lab_assert(lstat(place->config, &info) == 0
			&& (targets[i] != NULL ? S_ISLNK(info.st_mode) : S_ISFIFO(info.st_mode)));
	}
}

static void linked_settings(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	g_autofree char *target = g_build_filename(place->run, "dotfiles.json", NULL), *link = NULL,
			*text = NULL, *bad = NULL;

	(void)desk;
	/* First where nothing is yet, through a second link that is relative. */
	lab_assert(symlink("step", place->config) == 0);
	g_autofree char *step = g_build_filename(place->home, "step", NULL);
	lab_assert(symlink(target, step) == 0);
	for (int value = 900; value < 903; value++) {
		g_autofree char *command = g_strdup_printf(
			"config set max_image_dimension %d", value);
		lab_assert_int(ask(place, command).code, 0);
		link = g_file_read_link(place->config, NULL);
		lab_assert_str(link, "step");
		lab_assert(g_file_get_contents(target, &text, NULL, NULL));
		g_autofree char *wanted = g_strdup_printf("%d", value);
		lab_assert_contains(text, wanted);
	}
	/* What is damaged goes aside, and the link stays, too. */
	lab_assert(g_file_set_contents(target, "{", -1, NULL));
	lab_assert_int(ask(place, "config set max_image_dimension 910").code, 0);
	bad = g_strconcat(target, ".bad", NULL);
	lab_assert(g_file_test(bad, G_FILE_TEST_IS_REGULAR)
		&& g_file_test(place->config, G_FILE_TEST_IS_SYMLINK));
	lab_assert_str(ask(place, "config get max_image_dimension").out, "910\n");
}

/* A picture of a name without a folder goes to the folder of who asked, whichever way it came. */
static void callers_folder(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(desk);
	xcb_window_t window = lab_window_open(desk, &(struct lab_window){ .title = "Picture" });
	g_autofree char *there = g_build_filename(place->run, "there", NULL);
	static const char *const ways[] = {
		"\"$0\" screenshot \"$1\"",
		"\"$0\" call --socket \"$2\" screenshot \"$1\"",
		("printf '%s\\n' "
		 "\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"tools/"
		 "call\\\",\\\"params\\\":{\\\"name\\\":"
		 "\\\"screenshot\\\",\\\"arguments\\\":$1}}\" | \"$0\" mcp --socket \"$2\""),
		"\"$0\" stop >/dev/null; \"$0\" screenshot \"$1\"",
	};

	lab_assert(g_mkdir(there, 0700) == 0);
	lab_daemon_start(place);
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *arguments = g_strdup_printf(
			"{\"window_id\": %u, \"screenshot_out_file\": \"way%zu.png\"}", window, i);
		g_autofree char *script = g_strdup_printf("cd \"%s\"; %s", there, ways[i]);
		g_autofree char *file = g_strdup_printf("%s/way%zu.png", there, i);
		struct lab_run run = lab_run(place->env,
			LAB_ARGV("sh", "-c", script, lab_driver_path(), arguments, place->socket),
			"", 60000);

		lab_assert_int(run.code, 0);
		if (!g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
			lab_fail("nothing is in the caller's folder: %s%s", run.out, run.err);
		}
		lab_assert_contains(run.out, file);
	}
}

/* The tree is there without the picture, which the caller is told of. */
static void unwritable(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer = lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"screenshot_out_file\":\"/no/such/folder/x.png\"}", app.window);

	lab_element(answer.structured, NULL, "7");
	lab_assert_contains(lab_str(answer.structured, "screenshot_error"), "/no/such/folder");
	lab_assert_contains(answer.text, "was not written");
	/* Where the picture is all that was wanted, that is a failure. */
	lab_call_refused(driver, "file_not_written", "screenshot",
		"{\"window_id\":%u,\"screenshot_out_file\":\"/no/such/folder/x.png\"}", app.window);
}

static void irregular_picture(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	g_autofree char *folder = g_dir_make_tmp("cua-paths-XXXXXX", NULL),
			*pipe = g_build_filename(folder, "pipe.png", NULL);

	lab_assert(mkfifo(pipe, 0600) == 0);
	const char *paths[] = { pipe, "/dev/zero", "/dev/random", folder };
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		struct lab_answer answer = lab_call_refused(driver, "invalid_arguments",
			"clipboard_write", "{\"image_path\":\"%s\"}", paths[i]);
		lab_assert_contains(lab_str(answer.structured, "message"), "no regular file");
		lab_assert(answer.ms < PROMPT_MS);
	}
	g_unlink(pipe);
	g_rmdir(folder);
}

/* A pipe among the desktop entries, or behind a link, or instead of a list: GIO would open it and
 * wait. */
static void irregular_entries(struct lab_desk *desk)
{
	static const char *const names[] = { "applications/pipe.desktop",
		"applications/deep/er/pipe.desktop", "applications/mimeapps.list" };
	char **env = desk->env;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *home = g_dir_make_tmp("cua-paths-XXXXXX", NULL),
				*path = g_build_filename(home, names[i], NULL);
		g_autofree char *folder = g_path_get_dirname(path);
		lab_assert(g_mkdir_with_parents(folder, 0700) == 0);
		lab_assert((i == 1 ? symlink("/dev/zero", path) : mkfifo(path, 0600)) == 0);
		desk->env = g_environ_setenv(g_strdupv(env), "XDG_DATA_HOME", home, TRUE);
		struct lab_driver *driver = lab_driver_start(desk);
		desk->env = env;
		lab_assert_contains(
			lab_call_refused(driver, "irregular_file", "list_apps", "{}").text,
			names[i]);
		lab_call_refused(driver, "irregular_file", "launch_app",
			"{\"name\":\"no such application\"}");
		lab_assert(g_unlink(path) == 0);
		lab_call_ok(driver, "list_apps", "{}");
		lab_driver_stop(driver);
		lab_run(NULL, LAB_ARGV("rm", "-rf", home), NULL, 10000);
	}
}

static const struct lab_test tests[] = {
	{ .name = "irregular_settings",
		.run = irregular_settings,
		.about = "Settings that are a pipe, a device or endless are said to be, and "
			 "neither waited for nor replaced." },
	{ .name = "linked_settings",
		.run = linked_settings,
		.about = "A link to the settings stays one; what it leads to is written." },
	{ .name = "callers_folder",
		.run = callers_folder,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.about = "A relative path is relative to the caller's folder, also behind a "
			 "daemon." },
	{ .name = "unwritable",
		.run = unwritable,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.about = "A screenshot that cannot be written does not take the tree along." },
	{ .name = "irregular_entries",
		.run = irregular_entries,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.about = "A pipe or a device among the desktop entries is named, and not waited "
			 "for." },
	{ .name = "irregular_picture",
		.run = irregular_picture,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.about = "A picture file that is a pipe or a device is refused at once." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
