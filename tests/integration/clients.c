/* SPDX-License-Identifier: MIT */
/* Real clients from npm, on a desk with one application that answers and one that does not. */
#include <signal.h>
#include <unistd.h>

#include "lab/lab.h"

/* $CUA_CLIENTS_DIR holds copies of tests/clients/ and their node_modules; ./check makes it. */
static void run_client(struct lab_desk *desk, const char *name)
{
	const char *folder = g_getenv("CUA_CLIENTS_DIR");
	g_autofree char *script = g_build_filename(folder ? folder : "", name, NULL);
	g_autofree char *modules = g_build_filename(folder ? folder : "", "node_modules", NULL);

	if (!folder || !g_file_test(script, G_FILE_TEST_EXISTS) ||
		!g_file_test(modules, G_FILE_TEST_IS_DIR)) {
		lab_missing("CUA_CLIENTS_DIR does not name a folder with %s and its node_modules", name);
	}
	lab_galculator(desk, false);
	struct lab_app stopped = lab_galculator(desk, false);
	lab_app_stop(desk, &stopped);

	g_autofree char *pid = g_strdup_printf("%d", stopped.pid);
	g_autofree char *window = g_strdup_printf("%u", stopped.window);
	char **env = g_strdupv(desk->env);
	env = g_environ_setenv(env, "CUA_DRIVER", lab_driver_path(), TRUE);
	env = g_environ_setenv(env, "CUA_STOPPED_PID", pid, TRUE);
	env = g_environ_setenv(env, "CUA_STOPPED_WINDOW", window, TRUE);
	lab_run_tap(env, LAB_ARGV("node", script), 150000);
}

static void sdk1(struct lab_desk *desk)
{
	run_client(desk, "sdk1.mjs");
}

static void client2(struct lab_desk *desk)
{
	run_client(desk, "client2.mjs");
}

static void inspector(struct lab_desk *desk)
{
	run_client(desk, "inspector.mjs");
}

static const struct lab_test tests[] = {
	{ .name = "sdk1", .run = sdk1, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "node galculator", .about = "@modelcontextprotocol/sdk 1.x, as most hosts use it." },
	{ .name = "client2", .run = client2, .servers = LAB_XVFB, .wms = "openbox", .timeout = 180,
	  .needs = "node galculator", .about = "@modelcontextprotocol/client 2.x, both eras." },
	{ .name = "inspector", .run = inspector, .servers = LAB_XVFB, .wms = "openbox",
	  .timeout = 180, .needs = "node galculator", .about = "The inspector's command line." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
