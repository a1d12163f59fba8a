/* SPDX-License-Identifier: MIT */
/* Sessions that end right after their pointer was used: what they worked on lives on. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xinput.h>

#include "lab/oracle.h"

/* How many pairs of pointer and keyboard there are; the user has one. */
static int count_pairs(struct lab_desk *desk)
{
	xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(desk->x,
		xcb_input_xi_query_device(desk->x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);
	int count = reply ? reply->num_infos / 2 : -1;

	free(reply);
	return count;
}

static void until_gone(struct lab_desk *desk)
{
	gint64 deadline = lab_deadline(30000);

	while (count_pairs(desk) != 1) {
		lab_assert(lab_left(deadline) > 0);
		lab_x_quiet(desk, 50);
	}
}

static void ends_at_once(struct lab_desk *desk)
{
	static const char *const tools[] = { "click", "mouse_button_down" };
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	for (int i = 0; i < 6; i++) {
		lab_call_ok(driver, "screenshot", "{\"window_id\": %u, \"session\": \"s%d\"}", app.window, i);
		lab_call_ok(driver, tools[i % 2], "{\"window_id\": %u, \"x\": 3, \"y\": 3, \"session\": \"s%d\"}",
			app.window, i);
		lab_call_ok(driver, "end_session", "{\"session\": \"s%d\"}", i);
		/* GTK asks for the pointer of a device it had an event of. */
		until_gone(desk);
		lab_assert(kill(app.pid, 0) == 0);
	}
	struct lab_node seven = lab_atspi_find(desk, app.pid, NULL, "7");
	lab_assert(seven.path);
	lab_atspi_press(desk, &seven);
	lab_galculator_shows(desk, &app, "7");
	lab_driver_stop(driver);
}

/* The process that guards a driver: a child of one of its threads. */
static pid_t guardian_of(pid_t driver)
{
	g_autofree char *folder = g_strdup_printf("/proc/%d/task", driver);
	g_autoptr(GDir) tasks = g_dir_open(folder, 0, NULL);
	pid_t found = 0;

	for (const char *task; tasks && !found && (task = g_dir_read_name(tasks));) {
		g_autofree char *path = g_build_filename(folder, task, "children", NULL);
		g_autofree char *children = NULL;

		found = g_file_get_contents(path, &children, NULL, NULL) ? atoi(children) : 0;
	}
	lab_assert(found);
	return found;
}

/* The next driver comes while what the last one left is still being cleared away, and lets it be. */
static void dies_at_once(struct lab_desk *desk)
{
	static const char *const tools[] = { "click", "mouse_button_down" };
	struct lab_app app = lab_galculator(desk, false);

	for (int i = 0; i < 6; i++) {
		struct lab_driver *driver = lab_driver_start(desk);
		lab_call_ok(driver, "screenshot", "{\"window_id\": %u}", app.window);
		lab_call_ok(driver, tools[i % 2], "{\"window_id\": %u, \"x\": 3, \"y\": 3}", app.window);
		/* Who guards the last of them dies, too: the next driver's does it then. */
		pid_t guardian = i == 5 ? guardian_of(lab_driver_pid(driver)) : 0;
		kill(lab_driver_pid(driver), SIGKILL);
		if (guardian) {
			kill(guardian, SIGKILL);
		}
		lab_driver_forget(driver);
		lab_assert(kill(app.pid, 0) == 0);
	}
	struct lab_driver *driver = lab_driver_start(desk);
	lab_call_ok(driver, "screenshot", "{\"window_id\": %u}", app.window);
	lab_call_ok(driver, "click", "{\"window_id\": %u, \"x\": 3, \"y\": 3}", app.window);
	lab_driver_stop(driver);
	until_gone(desk);
	lab_assert(kill(app.pid, 0) == 0);
	struct lab_node seven = lab_atspi_find(desk, app.pid, NULL, "7");
	lab_assert(seven.path);
	lab_atspi_press(desk, &seven);
	lab_galculator_shows(desk, &app, "7");
}

/* One session of a driver gets a pointer, or is told that there is none. */
static struct lab_answer point(struct lab_driver *driver, xcb_window_t window, const char *session)
{
	lab_call_ok(driver, "screenshot", "{\"window_id\": %u, \"session\": \"%s\"}", window, session);
	int id = lab_send_call(driver, "move_cursor", "{\"window_id\": %u, \"x\": 3, \"y\": 3, \"session\": \"%s\"}",
		window, session);
	return lab_answer_of(driver, lab_wait_id(driver, id, 30000));
}

/*
 * Eight pointers are all there are, of all drivers together. Who comes later waits, and is told; what a killed driver
 * had is free again.
 */
static void shares(struct lab_desk *desk)
{
	enum { EACH = 4, PAIRS = 8 };
	struct lab_harness *canvas = lab_harness_start(desk, "canvas", NULL);
	char *before = lab_traces_read(desk);
	struct lab_driver *one = lab_driver_start(desk), *two = lab_driver_start(desk);
	char name[8];

	for (int i = 0; i < EACH; i++) {
		g_snprintf(name, sizeof name, "s%d", i);
		lab_assert(!point(one, canvas->window, name).is_error);
		lab_assert(!point(two, canvas->window, name).is_error);
	}
	lab_assert_int(count_pairs(desk), PAIRS + 1);
	struct lab_answer ninth = point(two, canvas->window, "late0");
	lab_assert(ninth.is_error);
	lab_assert_str(ninth.code, "no_input_device");
	lab_assert_str(lab_str(ninth.structured, "delivery"), "none");
	lab_assert_int(count_pairs(desk), PAIRS + 1);
	/* One that waits gets what another session gives back, as often as one does. */
	for (int i = 0; i < EACH - 1; i++) {
		lab_call_ok(two, "screenshot", "{\"window_id\": %u, \"session\": \"late%d\"}", canvas->window, i);
		int id = lab_send_call(two, "move_cursor",
			"{\"window_id\": %u, \"x\": 9, \"y\": 9, \"session\": \"late%d\"}",
			canvas->window, i);
		lab_call_ok(one, "end_session", "{\"session\": \"s%d\"}", i);
		struct lab_answer late = lab_answer_of(two, lab_wait_id(two, id, 30000));
		if (late.is_error) {
			lab_fail("given back for the %d. time: %s", i + 1, lab_json(late.structured));
		}
		lab_assert_int(count_pairs(desk), PAIRS + 1);
	}
	/* And what nobody gives back, because its driver is dead. */
	kill(lab_driver_pid(one), SIGKILL);
	lab_driver_forget(one);
	struct lab_answer heir = point(two, canvas->window, "heir");
	if (heir.is_error) {
		lab_fail("after a driver died: %s", lab_json(heir.structured));
	}
	lab_driver_stop(two);
	lab_traces_until(desk, before, "nothing is left behind");
}

static const struct lab_test tests[] = {
	{ .name = "shares", .run = shares, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .about = "Two drivers share eight pointers; the ninth session waits, and a dead driver's are free again." },
	{ .name = "ends_at_once", .run = ends_at_once, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .timeout = 180,
	  .about = "A session that ends right after a click, or with a button down, leaves its application alive." },
	{ .name = "dies_at_once", .run = dies_at_once, .servers = LAB_XVFB, .wms = "openbox",
	  .needs = "galculator", .timeout = 180,
	  .about = "So do drivers that are killed then, the next one coming at once, and the last one's guardian." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
