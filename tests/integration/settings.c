/* SPDX-License-Identifier: MIT */
/* The settings of all sessions: damaged, on a full disk, and killed while they are written. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"

static void write_config(struct lab_place *place, const char *text)
{
	lab_assert(g_file_set_contents(place->config, text, -1, NULL));
}

static void damaged(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	lab_assert_int(lab_place_run(place, "config", "set", "max_image_dimension", "900").code, 0);
	lab_assert_str(lab_place_run(place, "config", "get", "max_image_dimension").out, "900\n");
	/* Refused, and nothing is written. */
	lab_assert_int(lab_place_run(place, "config", "set", "max_image_dimension", "-1").code, 64);
	lab_assert_int(lab_place_run(place, "config", "set", "capture_scoop", "desktop").code, 64);
	lab_assert_str(lab_place_run(place, "config", "get", "max_image_dimension").out, "900\n");
	/* Settings of a newer version are kept. */
	write_config(place, "{\"from_the_future\": [1], \"max_image_dimension\": 700}");
	lab_assert_int(lab_place_run(place, "config", "set", "capture_scope", "desktop").code, 0);
	g_autofree char *kept = NULL;
	lab_assert(g_file_get_contents(place->config, &kept, NULL, NULL));
	lab_assert_contains(kept, "from_the_future");
	lab_assert_contains(kept, "700");
	/* Damaged: said, kept aside, and defaults hold. */
	write_config(place, "{\"max_image_dimension\": 7");
	struct lab_run broken = lab_place_run(place, "config", "get", "max_image_dimension");
	lab_assert_str(broken.out, "1568\n");
	lab_assert_contains(broken.err, "config.json.bad");
	g_autofree char *aside = g_strconcat(place->config, ".bad", NULL), *text = NULL;
	lab_assert(g_file_get_contents(aside, &text, NULL, NULL));
	lab_assert_str(text, "{\"max_image_dimension\": 7");
	/* A value that means nothing: said, and its default holds. */
	write_config(place, "{\"max_image_dimension\": \"large\"}");
	struct lab_run nonsense = lab_place_run(place, "config", "get", "max_image_dimension");
	lab_assert_str(nonsense.out, "1568\n");
	lab_assert_contains(nonsense.err, "max_image_dimension takes");
	/* It cannot be read at all: said, and never overwritten. */
	lab_assert(g_unlink(place->config) == 0 && g_mkdir(place->config, 0700) == 0);
	struct lab_run unreadable = lab_place_run(place, "config", "set", "capture_scope", "desktop");
	lab_assert_int(unreadable.code, 1);
	lab_assert_contains(unreadable.err, "not saved");
	lab_assert(g_file_test(place->config, G_FILE_TEST_IS_DIR));
}

/* Not for root, who reads everything; the build may be where nobody else can go. */
static void unreadable(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);

	(void)desk;
	write_config(place, "{\"max_image_dimension\": 900}");
	struct lab_run run = lab_run(place->env, LAB_ARGV("sh", "-c",
		"cd \"$CUA_DRIVER_HOME\"; mkdir bin; cp \"$0\" bin/cua-driver; chmod 000 config.json; user=\n"
		"[ $(id -u) != 0 ] || { chown -R 65534:65534 . \"$XDG_RUNTIME_DIR\"; user='setpriv --reuid 65534 --regid 65534 --clear-groups'; }\n"
		"$user bin/cua-driver config get max_image_dimension; echo code $?\n"
		"$user bin/cua-driver config set max_image_dimension 800; echo code $?\n"
		"$user bin/cua-driver doctor >report; grep -A2 settings report\n"
		/* What it advises helps. */
		"eval \"$user $(sed -n 's/^ *\\(chmod .*config.json.*\\)/\\1/p' report)\"\n"
		"$user bin/cua-driver config get max_image_dimension; echo code $?\n"
		/* A folder that cannot be written to. */
		"chmod 500 .; $user bin/cua-driver config set max_image_dimension 700; echo code $?; chmod 700 .\n"
		"$user bin/cua-driver config get max_image_dimension\n", lab_driver_path()), "", 60000);
	lab_note("%s%s", run.out, run.err);
	lab_assert(g_str_has_prefix(run.out, "1568\ncode 0\ncode 1\nFAIL  settings"));
	lab_assert(g_str_has_suffix(run.out, "900\ncode 0\ncode 1\n900\n"));
	lab_assert_contains(run.err, "The settings cannot be read");
	lab_assert_contains(run.err, "The setting was not saved: writing");
}

/* Whether this machine lets us mount; where it does not, the case cannot be shown. */
static void full_disk(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	g_autofree char *script = g_strdup_printf(
		"mount -t tmpfs -o size=16k,nr_inodes=8 none '%s' || exit 99\n"
		"'%s' config set max_image_dimension 900 || exit 98\n"
		"cat /dev/zero >'%s/fill' 2>/dev/null\n"
		"'%s' config set max_image_dimension 800; echo \"code $?\"\n"
		"'%s' config get max_image_dimension\n"
		"mount -o remount,ro '%s' || exit 97\n"
		"'%s' config set max_image_dimension 700; echo \"code $?\"\n"
		"'%s' config get max_image_dimension\n",
		place->home, lab_driver_path(), place->home, lab_driver_path(), lab_driver_path(),
		place->home, lab_driver_path(), lab_driver_path());

	(void)desk;
	struct lab_run run = lab_run(place->env, LAB_ARGV("unshare", "-rm", "sh", "-c", script), "", 60000);
	if (run.code == 99 || strstr(run.err, "unshare failed")) {
		lab_skip("no file system can be mounted here: %s", run.err);
	}
	lab_assert_int(run.code, 0);
	lab_assert_str(run.out, "code 1\n900\ncode 1\n900\n");
	lab_assert_contains(run.err, "No space left");
	lab_assert_contains(run.err, "Read-only");
}

/* The whole command takes some ten milliseconds. */
#define KILLS 150

static void atomic(struct lab_desk *desk)
{
	struct lab_place *place = lab_place_new(NULL);
	int whole = 0;

	(void)desk;
	lab_assert_int(lab_place_run(place, "config", "set", "max_image_dimension", "1000").code, 0);
	for (int i = 0; i < KILLS; i++) {
		g_autofree char *value = g_strdup_printf("%d", 1001 + i);
		pid_t pid = lab_spawn(&(struct lab_spawn){ .env = place->env,
			.argv = LAB_ARGV(lab_driver_path(), "config", "set", "max_image_dimension", value) });
		/* At a different moment each time, from before it begins to after it ended. */
		g_usleep((gulong)(i * 100));
		kill(pid, SIGKILL);
		lab_reap(pid, 10000);
		g_autofree char *text = NULL;
		lab_assert(g_file_get_contents(place->config, &text, NULL, NULL));
		json_t *json = json_loads(text, 0, NULL);
		if (!json) {
			lab_fail("a killed write left half a file: %s", text);
		}
		int found = (int)lab_int(json, "max_image_dimension");
		lab_assert(found >= 1000 && found <= 1001 + i);
		whole += found == 1001 + i;
	}
	lab_note("%d of %d writes were done before the kill", whole, KILLS);
	lab_assert_int(lab_place_run(place, "config", "set", "max_image_dimension", "5").code, 0);
	/* Nor does what they left pile up. */
	lab_assert_str(lab_run(place->env, LAB_ARGV("ls", place->home), NULL, 10000).out,
		"config.json\nconfig.json.lock\n");
}

static const struct lab_test tests[] = {
	{ .name = "damaged", .run = damaged,
	  .about = "Wrong, newer, damaged and unreadable settings are said and never lost." },
	{ .name = "unreadable", .run = unreadable, .needs = "setpriv",
	  .about = "A file or a folder without permission is said, left as it is, and read again after the advice." },
	{ .name = "full_disk", .run = full_disk, .needs = "unshare mount",
	  .about = "A full and a read-only disk are said, and the old settings stay." },
	{ .name = "atomic", .run = atomic,
	  .about = "A write killed at any moment leaves the old settings or the new ones." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
