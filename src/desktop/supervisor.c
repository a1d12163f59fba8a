/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "desktop/buses.h"
#include "desktop/child.h"
#include "desktop/desk.h"
#include "desktop/displays.h"
#include "desktop/rundir.h"
#include "desktop/server.h"
#include "desktop/wm.h"

#define COMMAND_GRACE (3 * G_USEC_PER_SEC) /* after a signal, to end by itself */
#define APPS_GRACE (1 * G_USEC_PER_SEC)    /* what COMMAND left behind */
#define PARTS_GRACE (1 * G_USEC_PER_SEC)
#define EXIT_TIMED_OUT 124 /* as timeout(1) has it */

static void tell(const struct desk *desk, enum word_kind kind, int value)
{
	struct word word = { (int)kind, value };

	send(desk->watch.front_fd, &word, sizeof word, MSG_NOSIGNAL);
}

static bool start(struct desk *desk, GError **error)
{
	if (!rundir_make(desk->directory, error)) {
		return false;
	}
	environment_enter(desk->directory);
	desk_say(desk, "private directory is %s", desk->directory);
	/*
	 * The window manager starts once the launcher owns its name, so that its toolkit does not
	 * activate another one, and gets going while we wake the registry.
	 */
	bool ok = server_start(desk, error) && buses_start(desk, error) && wm_start(desk, error) &&
	          buses_wake(desk, error) && wm_await(desk, error);
	if (desk->display != NULL) {
		xcb_disconnect(desk->display);
		desk->display = NULL;
	}
	return ok;
}

static int exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Waits for COMMAND to end on its own after `sig`, or by a second signal. Its exit code. */
static int end_command(struct desk *desk)
{
	int64_t deadline = g_get_monotonic_time() + COMMAND_GRACE;
	int sig = desk->watch.stop_signal;
	int status;

	desk_say(desk, "ending, signal %d", sig);
	if (!desk->watch.stop_by_tty) {
		kill(desk->command, sig); /* our unreaped child: the pid is still its own */
	}
	desk->watch.stop_signal = 0;
	while (!watch_ended(&desk->watch, desk->command, &status)) {
		if (watch_wait(&desk->watch, -1, 0, deadline) != WAKE_CHILD) {
			return 128 + sig;
		}
	}
	return exit_code(status);
}

static int server_died(int status)
{
	g_autofree char *end = child_describe(status);

	desk_complain("the X server %s; ending", end);
	return EXIT_INTERNAL;
}

static int await_command(struct desk *desk)
{
	int64_t deadline = desk->options.timeout > 0
		? g_get_monotonic_time() + desk->options.timeout : INT64_MAX;

	for (;;) {
		int status;

		if (watch_ended(&desk->watch, desk->command, &status)) {
			return exit_code(status);
		}
		if (watch_ended(&desk->watch, desk->server, &status)) {
			return server_died(status);
		}
		switch (watch_wait(&desk->watch, -1, 0, deadline)) {
		case WAKE_STOP:
			return end_command(desk);
		case WAKE_TIMEOUT:
			desk_complain("%s took longer than the timeout; ending",
			              desk->options.command[0]);
			return EXIT_TIMED_OUT;
		case WAKE_CHILD:
		case WAKE_READY:
			break;
		}
	}
}

static int run(struct desk *desk)
{
	g_autoptr(GError) error = NULL;
	bool ok = start(desk, &error);

	if (ok) {
		desk_say(desk, "starting %s", desk->options.command[0]);
		desk->command = child_start_command(desk, &error);
		ok = desk->command > 0;
		desk_let_go_of_streams();
		tell(desk, WORD_STARTED, 0);
	}
	if (ok) {
		return await_command(desk);
	}
	if (desk->watch.stop_signal != 0) {
		return 128 + desk->watch.stop_signal;
	}
	int status;
	if (desk->bus > 0 && watch_ended(&desk->watch, desk->server, &status)) {
		return server_died(status); /* all else failed for want of it */
	}
	desk_complain("%s", error->message);
	return error->code;
}

/*
 * From the outside in: first what COMMAND left, while it still has a display and buses to say
 * goodbye to; then what stands around the display; the display last.
 */
static void end_all(struct desk *desk)
{
	pid_t parts[] = { desk->server, desk->bus, desk->launcher, desk->wm };
	pid_t living[G_N_ELEMENTS(parts)];
	size_t n = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (parts[i] > 0 && !watch_ended(&desk->watch, parts[i], NULL)) {
			living[n++] = parts[i];
		}
	}
	bool has_server = n > 0 && living[0] == desk->server;

	tree_end(&desk->tree, living, n, APPS_GRACE);
	tree_end(&desk->tree, living, has_server ? 1 : 0, PARTS_GRACE);
	if (!tree_end(&desk->tree, NULL, 0, PARTS_GRACE)) {
		desk_complain("something started here could not be ended");
	}
	if (desk->server > 0) {
		g_hash_table_add(desk->tree.ended, GINT_TO_POINTER(desk->server));
	}
	displays_sweep(desk->tree.ended, desk->begun_wall);
	rundir_remove(desk->directory);
}

void supervisor_run(struct desk *desk, int front_fd)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	prctl(PR_SET_NAME, "cua-desktop", 0, 0, 0);
	setpgid(0, 0);
	sigaction(SIGTTOU, &ignore, NULL); /* outside the foreground a word on stderr stops us */
	tree_finish(&desk->tree); /* what was there before is the front's, not ours */
	tree_init(&desk->tree);
	watch_init(&desk->watch, watch_signals(), front_fd);

	int code = run(desk);
	end_all(desk);
	desk_say(desk, "all ended, exit code %d", code);
	tell(desk, WORD_RESULT, code);
	_exit(0);
}
