/* SPDX-License-Identifier: MIT */
/* Applications on a desk. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcbext.h>

#include <glib/gstdio.h>

#include "internal.h"

static void end_app(void *data, bool failed)
{
	struct lab_app *app = data;

	(void)failed;
	/* SIGKILL, because it may be stopped; by pid, because it is ours. Reaped already: no harm. */
	if (waitpid(app->pid, NULL, WNOHANG) == 0) {
		kill(app->pid, SIGKILL);
		waitpid(app->pid, NULL, 0);
	}
	g_free(app);
}

static bool has_window(struct lab_desk *desk, void *data)
{
	struct lab_app *app = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);

		if (lab_x_pid(desk, window) == app->pid && lab_x_viewable(desk, window)) {
			struct lab_rect bounds = lab_x_bounds(desk, window);

			if (bounds.width > 1 && bounds.height > 1) {
				app->window = window;
				return true;
			}
		}
	}
	if (waitpid(app->pid, NULL, WNOHANG) == app->pid) {
		lab_fail("the application ended before it showed a window");
	}
	return false;
}

struct lab_app lab_app_start(struct lab_desk *desk, const char *const *argv)
{
	struct lab_app app = {
		.pid = lab_spawn(&(struct lab_spawn){ .argv = argv, .env = desk->env }),
	};

	lab_at_end(end_app, g_memdup2(&app, sizeof app));
	lab_x_until(desk, has_window, &app, 60000, argv[0]);
	return app;
}

/* What is looked for, and where it was found. */
struct titled {
	const char *title;
	xcb_window_t window;
};

static bool has_title(struct lab_desk *desk, void *data)
{
	struct titled *titled = data;
	g_autoptr(GArray) windows = lab_x_stacking(desk);

	for (guint i = 0; i < windows->len; i++) {
		xcb_window_t window = g_array_index(windows, uint32_t, i);
		g_autofree char *title = lab_x_title(desk, window);

		if (title && strstr(title, titled->title) && lab_x_viewable(desk, window)) {
			titled->window = window;
			return true;
		}
	}
	return false;
}

struct lab_app lab_app_start_titled(struct lab_desk *desk, const char *const *argv, const char *title)
{
	struct titled titled = { .title = title };
	struct lab_app child = {
		.pid = lab_spawn(&(struct lab_spawn){ .argv = argv, .env = desk->env }),
	};

	lab_at_end(end_app, g_memdup2(&child, sizeof child));
	lab_x_until(desk, has_title, &titled, 90000, title);
	return (struct lab_app){ lab_x_pid(desk, titled.window), titled.window };
}

/* Whether the server answers us within that time. */
static bool server_answers(struct lab_desk *desk, int ms)
{
	gint64 deadline = lab_deadline(ms);
	unsigned sequence = xcb_get_input_focus(desk->x).sequence;
	void *reply = NULL;

	xcb_flush(desk->x);
	while (!xcb_poll_for_reply(desk->x, sequence, &reply, NULL)) {
		if (!lab_readable(xcb_get_file_descriptor(desk->x), deadline)) {
			xcb_discard_reply(desk->x, sequence);
			return false;
		}
	}
	free(reply);
	return true;
}

void lab_app_stop(struct lab_desk *desk, const struct lab_app *app)
{
	for (int tries = 0; tries < 20; tries++) {
		kill(app->pid, SIGSTOP);
		if (server_answers(desk, 300)) {
			return;
		}
		kill(app->pid, SIGCONT);
		/* Stopped again at once it would never come to let it go. */
		server_answers(desk, 5000);
	}
	lab_fail("the application holds the server whenever it is stopped");
}

struct lab_app lab_galculator(struct lab_desk *desk, bool scientific)
{
	/* A home of its own: the last mode a person used must not decide what a test sees. */
	g_autofree char *home = g_dir_make_tmp("lab-home-XXXXXX", NULL);
	g_autofree char *folder = g_build_filename(home, "galculator", NULL);
	g_autofree char *file = g_build_filename(folder, "galculator.conf", NULL);
	g_autofree char *variable = g_strdup_printf("XDG_CONFIG_HOME=%s", home);
	g_autofree char *text = g_strdup_printf("[general]\nmode=%d\n", scientific);

	g_mkdir_with_parents(folder, 0700);
	g_file_set_contents(file, text, -1, NULL);
	struct lab_app app = lab_app_start(desk, LAB_ARGV("env", variable, "galculator"));
	lab_atspi_until_present(desk, app.pid, 10000);
	/* It read its settings before it showed itself; the copy it saves on exit is not wanted. */
	unlink(file);
	rmdir(folder);
	rmdir(home);
	return app;
}

void lab_galculator_shows(struct lab_desk *desk, const struct lab_app *app, const char *number)
{
	lab_atspi_until_text(desk, app->pid, "text", NULL, number, 3000);
}

char *lab_file(struct lab_desk *desk, const char *name, const char *text)
{
	char *path = g_build_filename(g_environ_getenv(desk->env, "XDG_RUNTIME_DIR"), name, NULL);

	if (text && !g_file_set_contents(path, text, -1, NULL)) {
		lab_fail("cannot write %s", path);
	}
	return path;
}

char *lab_firefox_profile(struct lab_desk *desk)
{
	char *profile = lab_file(desk, "firefox", NULL);

	lab_assert(g_mkdir(profile, 0700) == 0);
	g_free(lab_file(desk, "firefox/user.js",
		"user_pref('browser.shell.checkDefaultBrowser', false);\n"
		"user_pref('browser.aboutwelcome.enabled', false);\n"
		"user_pref('browser.startup.homepage_override.mstone', 'ignore');\n"
		"user_pref('datareporting.policy.dataSubmissionEnabled', false);\n"
		"user_pref('toolkit.telemetry.reportingpolicy.firstRun', false);\n"));
	return profile;
}

struct lab_app lab_xterm(struct lab_desk *desk, const char *title)
{
	return lab_app_start(desk, LAB_ARGV("xterm", "-T", title, "-geometry", "60x20+40+40",
		"-e", "cat"));
}

void lab_app_kill(struct lab_app *app)
{
	kill(app->pid, SIGKILL);
	waitpid(app->pid, NULL, 0);
}
