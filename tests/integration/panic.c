/* SPDX-License-Identifier: MIT */
/* The emergency stop, judged by a calculator that must not change. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <unistd.h>
#include <xcb/xinput.h>

#include "lab.h"

#define driver(desk, ...) lab_run((desk)->env, LAB_ARGV(lab_driver_path(), __VA_ARGS__), "", 60000)

/* Presses a key of the calculator; a fresh snapshot each time, because reading is never stopped. */
static struct lab_answer press(struct lab_driver *driver, const struct lab_app *app, const char *key)
{
	struct lab_answer state = lab_call_ok(driver, "get_window_state",
		"{\"window_id\": %u, \"include_screenshot\": false}", app->window);
	json_t *element = lab_element(state.structured, NULL, key);

	return lab_call(driver, "click", "{\"window_id\": %u, \"element_index\": %d, \"settle_ms\": 3000}",
		app->window, (int)lab_int(element, "element_index"));
}

static void everybody(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *first = lab_driver_start(desk), *second = lab_driver_start(desk);

	lab_assert(!press(first, &app, "7").is_error);
	lab_galculator_shows(desk, &app, "7");

	struct lab_run stop = driver(desk, "panic");
	lab_assert_int(stop.code, 0);
	lab_assert_contains(stop.out, "cua-driver panic --resume");
	/* Both are told, also the one that has never acted. */
	g_autofree char *told = g_strdup_printf("%d", (int)lab_driver_pid(first)),
			*idle = g_strdup_printf("%d", (int)lab_driver_pid(second));
	lab_assert_contains(stop.out, "told 2 running drivers");
	lab_assert_contains(stop.out, told);
	lab_assert_contains(stop.out, idle);
	lab_assert_str(press(first, &app, "8").code, "panic_stopped");
	struct lab_answer refused = press(second, &app, "8");
	lab_assert_str(refused.code, "panic_stopped");
	lab_assert_str(lab_str(refused.structured, "delivery"), "none");
	lab_assert(lab_bool(lab_call_ok(first, "get_session", "{}").structured, "panic"));
	/* A driver that is started now, and a call of its own. */
	struct lab_driver *third = lab_driver_start(desk);
	lab_assert_str(press(third, &app, "8").code, "panic_stopped");
	g_autofree char *key = g_strdup_printf("{\"window_id\": %u, \"key\": \"8\"}", app.window);
	struct lab_run call = driver(desk, "press_key", key);
	lab_assert_int(call.code, 1);
	lab_assert_contains(call.out, "panic_stopped");
	lab_galculator_shows(desk, &app, "7");

	struct lab_run resume = driver(desk, "panic", "--resume");
	lab_assert_int(resume.code, 0);
	lab_assert(!press(first, &app, "9").is_error);
	lab_galculator_shows(desk, &app, "79");
	lab_assert(!press(third, &app, "5").is_error);
	lab_galculator_shows(desk, &app, "795");
	lab_assert(!lab_bool(lab_call_ok(second, "get_session", "{}").structured, "panic"));
	lab_driver_stop(first);
	lab_driver_stop(second);
	lab_driver_stop(third);
}

/* How many buttons are down on all pointers together; the user's has none. */
static int count_down(struct lab_desk *desk)
{
	xcb_input_xi_query_device_reply_t *devices = xcb_input_xi_query_device_reply(desk->x,
		xcb_input_xi_query_device(desk->x, XCB_INPUT_DEVICE_ALL_MASTER), NULL);
	int down = 0;

	lab_assert(devices);
	xcb_input_xi_device_info_iterator_t it = xcb_input_xi_query_device_infos_iterator(devices);
	for (; it.rem > 0; xcb_input_xi_device_info_next(&it)) {
		if (it.data->type != XCB_INPUT_DEVICE_TYPE_MASTER_POINTER) {
			continue;
		}
		xcb_input_xi_query_pointer_reply_t *pointer = xcb_input_xi_query_pointer_reply(desk->x,
			xcb_input_xi_query_pointer(desk->x, desk->root, it.data->deviceid), NULL);
		lab_assert(pointer);
		for (int i = 0; i < pointer->buttons_len; i++) {
			down += __builtin_popcount(xcb_input_xi_query_pointer_buttons(pointer)[i]);
		}
		free(pointer);
	}
	free(devices);
	return down;
}

/* The window manager may look at a press before it lets anybody have it, so a state can be a moment late. */
static void until_down(struct lab_desk *desk, int count)
{
	gint64 deadline = lab_deadline(20000);

	while (count_down(desk) != count) {
		lab_assert(lab_left(deadline) > 0);
	}
}

static void held(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_call_ok(driver, "screenshot", "{\"window_id\": %u}", app.window);
	lab_call_ok(driver, "mouse_button_down", "{\"window_id\": %u, \"x\": 3, \"y\": 3}", app.window);
	until_down(desk, 1);
	lab_assert_int(driver(desk, "panic").code, 0);
	until_down(desk, 0);
	lab_call_refused(driver, "panic_stopped", "click", "{\"window_id\": %u, \"x\": 3, \"y\": 3}", app.window);
	lab_assert_int(driver(desk, "panic", "--resume").code, 0);
	lab_call_ok(driver, "click", "{\"window_id\": %u, \"x\": 3, \"y\": 3}", app.window);
	until_down(desk, 0);
	lab_driver_stop(driver);
}

static bool has_stopped(struct lab_driver *driver)
{
	return lab_bool(lab_call_ok(driver, "get_session", "{}").structured, "panic");
}

static void by_signal(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *driver = lab_driver_start(desk);

	lab_assert(!press(driver, &app, "7").is_error);
	kill(lab_driver_pid(driver), SIGUSR1);
	gint64 deadline = lab_deadline(20000);
	while (!has_stopped(driver)) {
		lab_assert(lab_left(deadline) > 0);
	}
	lab_assert_str(press(driver, &app, "8").code, "panic_stopped");
	lab_galculator_shows(desk, &app, "7");
	/* What stopped one by hand, the command ends for all. */
	lab_assert_int(driver(desk, "panic", "--resume").code, 0);
	lab_assert(!press(driver, &app, "9").is_error);
	lab_galculator_shows(desk, &app, "79");
	lab_driver_stop(driver);
}

/* Where a driver on a desktop of its own (`cua-driver desktop`) has its files: nobody here knows
 * that folder. */
static char **elsewhere(struct lab_desk *desk, char **run)
{
	*run = g_dir_make_tmp("cua-run-XXXXXX", NULL);
	return g_environ_setenv(g_strdupv(desk->env), "XDG_RUNTIME_DIR", *run, TRUE);
}

static void other_desktops(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	struct lab_driver *here = lab_driver_start(desk);
	char **env = desk->env, *run, **other = elsewhere(desk, &run);

	/* One with a daemon's call, too: what it starts later is stopped as well. */
	desk->env = other;
	struct lab_driver *there = lab_driver_start(desk);
	desk->env = env;
	lab_assert(!press(there, &app, "7").is_error);
	lab_assert(!press(here, &app, "8").is_error);
	lab_galculator_shows(desk, &app, "78");

	struct lab_run stop = driver(desk, "panic");
	lab_assert_int(stop.code, 0);
	lab_assert_contains(stop.out, "All input is stopped; told 2 running drivers");
	lab_assert_str(press(there, &app, "9").code, "panic_stopped");
	lab_assert_str(press(here, &app, "9").code, "panic_stopped");
	desk->env = other;
	struct lab_driver *later = lab_driver_start(desk);
	desk->env = env;
	lab_assert_str(press(later, &app, "9").code, "panic_stopped");
	lab_galculator_shows(desk, &app, "78");

	struct lab_run resume = driver(desk, "panic", "--resume");
	lab_assert_int(resume.code, 0);
	lab_assert_contains(resume.out, "told 3 running drivers");
	lab_assert(!press(there, &app, "9").is_error);
	lab_galculator_shows(desk, &app, "789");
	lab_assert(!press(later, &app, "5").is_error);
	lab_driver_stop(here);
	lab_driver_stop(there);
	lab_driver_stop(later);
	lab_run(NULL, LAB_ARGV("rm", "-rf", run), NULL, 10000);
}

/* One that cannot answer: it may still have keys down, and nobody may be told that all is well. */
static void no_answer(struct lab_desk *desk)
{
	struct lab_app app = lab_galculator(desk, false);
	char **env = desk->env, *run;

	desk->env = elsewhere(desk, &run);
	struct lab_driver *stuck = lab_driver_start(desk);
	desk->env = env;
	struct lab_driver *other = lab_driver_start(desk);
	lab_assert(!press(stuck, &app, "7").is_error);
	lab_assert(!press(other, &app, "8").is_error);
	kill(lab_driver_pid(stuck), SIGSTOP);
	struct lab_run stop = driver(desk, "panic");
	g_autofree char *how = g_strdup_printf("kill -9 %d", (int)lab_driver_pid(stuck));
	lab_assert_int(stop.code, 1);
	lab_assert_contains(stop.err, "panic_incomplete: 1 of 2");
	lab_assert_contains(stop.err, how);
	lab_assert(!strstr(stop.out, "All input is stopped"));
	lab_assert_str(press(other, &app, "9").code, "panic_stopped");
	/* As soon as it can, it does. */
	kill(lab_driver_pid(stuck), SIGCONT);
	lab_assert_str(press(stuck, &app, "9").code, "panic_stopped");
	lab_galculator_shows(desk, &app, "78");
	lab_assert_int(driver(desk, "panic").code, 0);
	lab_assert_int(driver(desk, "panic", "--resume").code, 0);
	lab_driver_stop(stuck);
	lab_driver_stop(other);
	lab_run(NULL, LAB_ARGV("rm", "-rf", run), NULL, 10000);
}

static void nobody_else(struct lab_desk *desk)
{
	g_autofree char *run = g_dir_make_tmp("cua-run-XXXXXX", NULL);
	g_autofree char *folder = g_build_filename(run, "cua-driver", "drivers", NULL);
	char **env = g_environ_setenv(g_get_environ(), "XDG_RUNTIME_DIR", run, TRUE);
	pid_t bystander = lab_spawn(&(struct lab_spawn){ .argv = LAB_ARGV("sleep", "600") });
	g_autofree char *file = g_strdup_printf("%s/%d", folder, (int)bystander);

	(void)desk;
	/* A driver had this pid once. SIGUSR1 would end a program that does not expect it. */
	lab_assert(g_mkdir_with_parents(folder, 0700) == 0 && g_file_set_contents(file, "12345 acting\n", -1, NULL));
	lab_assert_int(lab_run(env, LAB_ARGV(lab_driver_path(), "panic"), "", 60000).code, 0);
	struct lab_run resume = lab_run(env, LAB_ARGV(lab_driver_path(), "panic", "--resume"), "", 60000);
	lab_assert_int(resume.code, 0);
	lab_assert(!strstr(resume.out, "pid"));
	lab_assert_int(waitpid(bystander, NULL, WNOHANG), 0);
	lab_assert(kill(bystander, SIGTERM) == 0);
	lab_assert_int(lab_reap(bystander, 10000), 128 + SIGTERM);
	lab_assert_int(lab_run(env, LAB_ARGV(lab_driver_path(), "panic", "--resum"), "", 60000).code, 64);
	lab_run(NULL, LAB_ARGV("rm", "-rf", run), NULL, 10000);
}

static const struct lab_test tests[] = {
	{ .name = "everybody",
		.run = everybody,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.timeout = 120,
		.about = "panic stops drivers that run and that come later, until it is ended." },
	{ .name = "held",
		.run = held,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.timeout = 120,
		.about = "panic releases a button that is held between two calls." },
	{ .name = "by_signal",
		.run = by_signal,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.timeout = 120,
		.about = "SIGUSR1 stops one driver." },
	{ .name = "other_desktops",
		.run = other_desktops,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.timeout = 120,
		.about = "panic reaches drivers whose runtime folder is another one, and those "
			 "that come later there." },
	{ .name = "no_answer",
		.run = no_answer,
		.servers = LAB_XVFB,
		.wms = "openbox",
		.needs = "galculator",
		.timeout = 120,
		.about = "A driver that does not answer is named, and nobody says that all input "
			 "is stopped." },
	{ .name = "nobody_else",
		.run = nobody_else,
		.about = "A process that merely has the pid of a dead driver is left alone." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
