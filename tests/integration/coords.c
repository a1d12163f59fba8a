/* SPDX-License-Identifier: MIT */
/*
 * A click at `at` lands in the element: in GTK 4 applications, whose widgets tell themselves where
 * they are (boxes.c). $COORDS_APPS are other applications: command lines, separated by semicolons,
 * each perhaps with " @ " and keys to press in it, by their names for xdotool. tests/coords/full
 * has a long list.
 */
#include <poll.h>
#include <string.h>

#include "coords/coords.h"

#define PATIENCE 30000
#define QUIET_MS 700
/* A share of elements that may be withheld, and how few of them are no share. */
#define MOST_WITHHELD 0.03
#define FEW 20

static char **split(const char *text, const char *by)
{
	char **parts = g_strsplit(text ? text : "", by, -1);

	for (char **part = parts; *part; part++) {
		g_strstrip(*part);
	}
	return parts;
}

/* Starts one, and presses its keys as a user would. */
static struct coords_app open_app(
	struct lab_desk *desk, const char *command, const char *const *env)
{
	char **parts = split(command, " @ "), **argv = split(parts[0], " "),
	     **keys = split(parts[1], " ");
	struct coords_app app = coords_start(desk, (const char *const *)argv, env);

	lab_atspi_until_present(desk, app.app.pid, PATIENCE);
	lab_x_quiet(desk, QUIET_MS);
	if (parts[1]) {
		lab_user_works_in(desk, app.app.window);
	}
	for (char **key = keys; parts[1] && *key; key++) {
		lab_assert_int(
			lab_run(desk->env, LAB_ARGV("xdotool", "key", *key), NULL, 10000).code, 0);
		lab_x_quiet(desk, QUIET_MS);
	}
	return app;
}

/* Looks at one, and says what was seen. */
static struct coords_count look(
	struct lab_desk *desk, const char *command, const char *const *env, const char *condition)
{
	struct coords_app app = open_app(desk, command, env);
	struct lab_driver *driver = lab_driver_start(desk);
	/* What is listed is made only when somebody looks. */
	lab_call_ok(driver, "get_window_state", "{\"window_id\":%u,\"include_screenshot\":false}",
		app.app.window);
	lab_x_quiet(desk, QUIET_MS / 2);
	struct coords_count count = coords_judge(desk, driver, &app);
	lab_note("coords\t%s\t%s\t%d\t%d\t%d", command, condition, count.right, count.wrong,
		count.withheld);
	lab_driver_stop(driver);
	lab_app_kill(&app.app);
	return count;
}

static void look_at_all(
	struct lab_desk *desk, const char *commands, const char *const *env, const char *condition)
{
	char **list = split(commands, ";");
	struct coords_count all = { 0 };
	int bad = 0;

	for (char **command = list; *command; command++) {
		struct coords_count count = look(desk, *command, env, condition);
		int sum = count.right + count.wrong + count.withheld;

		all.right += count.right;
		all.wrong += count.wrong;
		all.withheld += count.withheld;
		bad += count.right == 0 || (sum >= FEW && count.withheld >= MOST_WITHHELD * sum);
	}
	lab_note("%d right, %d wrong, %d withheld", all.right, all.wrong, all.withheld);
	if (all.wrong > 0 || bad > 0) {
		lab_fail("%d elements are not where the driver says; of %d applications none or "
			 "too many were placed",
			all.wrong, bad);
	}
}

/* What is installed wherever the tests run; one of them is enough where only the surroundings
 * differ. */
#define USUAL "gnome-calculator; gtk4-demo; gtk4-widget-factory"
#define ONE "gnome-calculator"

static const char *commands(const char *usual)
{
	const char *named = g_getenv("COORDS_APPS");

	return named ? named : usual;
}

static void plain(struct lab_desk *desk)
{
	look_at_all(desk, commands(USUAL), NULL, "openbox");
}

static void composited(struct lab_desk *desk)
{
	look_at_all(desk, commands(ONE), NULL, "mutter, composited");
}

static void dark(struct lab_desk *desk)
{
	look_at_all(desk, commands(ONE),
		LAB_ARGV("ADW_DEBUG_COLOR_SCHEME=prefer-dark", "BOXES_DARK=1"), "dark");
}

static void dense(struct lab_desk *desk)
{
	look_at_all(desk, commands(ONE), LAB_ARGV("GDK_SCALE=2"), "mutter, scale 2");
}

static void right_to_left(struct lab_desk *desk)
{
	look_at_all(desk, commands(ONE), LAB_ARGV("BOXES_RTL=1"), "right to left");
}

static void record(struct lab_desk *desk)
{
	const char *folder = g_getenv("COORDS_FOLDER"), *tag = g_getenv("COORDS_TAG"),
		   *more = g_getenv("COORDS_ENV");
	char **env = split(more, " ");

	for (char **command = split(commands(ONE), ";"); *command; command++) {
		struct coords_app app = open_app(
			desk, *command, more && *more ? (const char *const *)env : NULL);
		g_autofree char *name = g_strdelimit(g_path_get_basename(*command), " =@", '_');
		g_autofree char *file = g_strdup_printf(
			"%s/%s-%s.tree", folder, name, tag ? tag : desk->wm);

		/* What is listed is made only when somebody looks. */
		coords_record(desk, &app, file);
		coords_record(desk, &app, file);
		lab_note("%s", file);
		lab_app_kill(&app.app);
	}
}

#define DESK .servers = LAB_XVFB, .timeout = 2400

static const struct lab_test tests[] = { { .name = "plain",
						 .run = plain,
						 DESK,
						 .wms = "openbox",
						 .size = "1600x1000",
						 .about = "A click at `at` lands in the widget." },
	{ .name = "composited",
		.run = composited,
		DESK,
		.wms = "mutter",
		.size = "1600x1000",
		.about = "The same with a compositor, where windows have shadows." },
	{ .name = "dark",
		.run = dark,
		DESK,
		.wms = "openbox",
		.size = "1600x1000",
		.about = "The same in dark colours." },
	{ .name = "dense",
		.run = dense,
		DESK,
		.wms = "mutter",
		.size = "2600x1800",
		.about = "The same with units of two pixels." },
	{ .name = "right-to-left",
		.run = right_to_left,
		DESK,
		.wms = "openbox",
		.size = "1600x1000",
		.about = "The same from right to left." },
	{ 0 } };

/* Run instead where $COORDS_FOLDER names a place for the files; $COORDS_ENV has settings,
 * $COORDS_TAG a part of their names. */
static const struct lab_test recordings[] = {
	{ .name = "record", .run = record, DESK, .wms = "openbox mutter", .size = "1600x1000",
	  .about = "What accessibility tells, and the truth, as files for tests/unit/gtk4-tree." },
	{ 0 }
};

int main(int argc, char **argv)
{
	g_setenv("CUA_DRIVER_TEST_OBJECTS", "1", TRUE);
	return lab_main(argc, argv, g_getenv("COORDS_FOLDER") ? recordings : tests);
}
