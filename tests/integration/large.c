/* SPDX-License-Identifier: MIT */
/* Containers that nobody can list: what can be seen of them is read, and the rest is said to be missing. */
#include <signal.h>
#include <string.h>

#include "lab/lab.h"

#define STATE(app) "{\"window_id\":%u,\"include_screenshot\":false}", (app).window

/* How many elements of that role there are. */
static int count_role(const json_t *state, const char *role)
{
	json_t *element;
	size_t i;
	int count = 0;

	json_array_foreach(lab_array(state, "elements"), i, element) {
		count += g_str_equal(lab_str(element, "role"), role);
	}
	return count;
}

static void sheet(struct lab_desk *desk)
{
	g_autofree char *home = g_dir_make_tmp("lab-office-XXXXXX", NULL);
	g_autofree char *profile = g_strdup_printf("-env:UserInstallation=file://%s", home);
	struct lab_app app = { 0 };
	struct lab_driver *driver = lab_driver_start(desk);
	gint64 deadline = lab_deadline(150000);
	json_t *state = NULL;

	/* It hands itself over to another process, whose window this is. */
	lab_spawn(&(struct lab_spawn){ .argv = LAB_ARGV("soffice", "--calc", "--norestore", "--nologo",
		"--nofirststartwizard", profile), .env = desk->env });
	while (lab_left(deadline) > 0 && !state) {
		json_t *windows = lab_array(lab_call_ok(driver, "list_windows", "{}").structured, "windows");
		json_t *window;
		size_t i;

		json_array_foreach(windows, i, window) {
			if (strstr(lab_str(window, "title"), "LibreOffice Calc")) {
				app.window = (xcb_window_t)lab_int(window, "window_id");
				app.pid = (pid_t)lab_int(window, "pid");
			}
		}
		/* It shows its window first and its sheet later. */
		struct lab_answer answer = app.window ? lab_call(driver, "get_window_state", STATE(app))
			: (struct lab_answer){ 0 };
		if (app.window && !answer.is_error && count_role(answer.structured, "table cell") > 0) {
			state = answer.structured;
		}
		lab_x_quiet(desk, 200);
	}
	if (!state) {
		lab_fail("no sheet was seen");
	}
	/* A few hundred of two thousand million, from the corner on, and no more than fit. */
	lab_element(state, "table cell", "A1");
	lab_element(state, "table cell", "B2");
	lab_element(state, "table cell", "C9");
	int cells = count_role(state, "table cell");
	lab_note("%d cells", cells);
	lab_assert(cells >= 30 && cells <= 1500);
	lab_assert(!lab_bool(state, "complete"));
	lab_assert_contains(lab_str(state, "truncated"), "can be seen");
	/* It still answers: nobody asked it for all its children. */
	lab_element(lab_call_ok(driver, "get_window_state", STATE(app)).structured, "table cell", "A1");
	kill(app.pid, SIGKILL);
	lab_run(NULL, LAB_ARGV("rm", "-rf", home), NULL, 20000);
}

static void rows(struct lab_desk *desk)
{
	GPtrArray *argv = g_ptr_array_new();

	g_ptr_array_add(argv, g_strdup("yad"));
	g_ptr_array_add(argv, g_strdup("--list"));
	g_ptr_array_add(argv, g_strdup("--title=Three thousand rows"));
	g_ptr_array_add(argv, g_strdup("--column=Number"));
	for (int i = 1; i <= 3000; i++) {
		g_ptr_array_add(argv, g_strdup_printf("row %d", i));
	}
	g_ptr_array_add(argv, NULL);
	struct lab_app app = lab_app_start(desk, (const char *const *)argv->pdata);
	lab_atspi_until_present(desk, app.pid, 20000);
	/* Until it has painted: before that nothing is anywhere. */
	lab_x_quiet(desk, 500);
	struct lab_driver *driver = lab_driver_start(desk);
	gint64 deadline = lab_deadline(20000);
	json_t *state;
	do {
		state = lab_call_ok(driver, "get_window_state", STATE(app)).structured;
	} while (count_role(state, "table cell") < 3 && lab_left(deadline) > 0);
	lab_element(state, "table cell", "row 1");
	lab_element(state, "table cell", "row 2");
	lab_assert(count_role(state, "table cell") < 1500);
	lab_assert(!lab_bool(state, "complete"));
	lab_assert_contains(lab_str(state, "truncated"), "can be seen");
	/* All of the window that is no row is there. */
	lab_element(state, "push button", "OK");
	lab_element(state, "push button", "Cancel");
}

static const struct lab_test tests[] = {
	{ .name = "rows", .run = rows, .servers = LAB_XVFB, .wms = "openbox", .needs = "yad",
	  .timeout = 120, .about = "Of three thousand rows of a GTK3 list those that can be seen are read." },
	{ .name = "sheet", .run = sheet, .servers = LAB_XVFB, .wms = "openbox", .needs = "soffice",
	  .timeout = 200, .about = "Of a sheet with 2^31 cells those that can be seen are read." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
