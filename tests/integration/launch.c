/* SPDX-License-Identifier: MIT */
/* launch_app, list_apps and kill_app, with a program (tests/harness/launchee) that starts in every way there is. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/oracle.h"

/* A window may take this long on a busy machine. */
#define WAIT "\"wait_ms\":30000"

static const char *const modes[] = { "window", "daemon", "exit0", "exit1", "crash", "never", "stuck", "thief",
	"single", "stubborn", "chatty" };

static char *launchee(void)
{
	return g_build_filename(g_getenv("CUA_BUILDDIR"), "tests/harness/launchee", NULL);
}

static void write_file(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	lab_assert(g_mkdir_with_parents(folder, 0700) == 0);
	lab_assert(g_file_set_contents(path, text, -1, NULL));
}

/* What was started outlives the driver; not the test. */
static void end_all(const char *home)
{
	GDir *proc = g_dir_open("/proc", 0, NULL);
	g_autofree char *sign = g_strdup_printf("HOME=%s", home);
	const char *name;

	while ((name = g_dir_read_name(proc))) {
		g_autofree char *path = g_strdup_printf("/proc/%s/environ", name);
		g_autofree char *bytes = NULL;
		gsize size = 0;

		if (g_ascii_isdigit(name[0])) {
			g_file_get_contents(path, &bytes, &size, NULL);
		}
		for (gsize at = 0; bytes && at < size; at += strlen(bytes + at) + 1) {
			if (g_str_equal(bytes + at, sign)) {
				kill((pid_t)g_ascii_strtoll(name, NULL, 10), SIGKILL);
			}
		}
	}
	g_dir_close(proc);
}

static void remove_home(void *home, bool failed)
{
	(void)failed;
	end_all(home);
	lab_run(NULL, LAB_ARGV("rm", "-rf", home), NULL, 5000);
}

/* A home with desktop entries "Launchee MODE", launchee-MODE.desktop; everything on the desk lives in it. */
static char *settle(struct lab_desk *desk)
{
	char *home = g_dir_make_tmp("lab-launch-XXXXXX", NULL);
	g_autofree char *applications = g_build_filename(home, ".local/share/applications", NULL);
	g_autofree char *config = g_build_filename(home, ".config", NULL);
	g_autofree char *program = launchee();

	lab_at_end(remove_home, home);
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *name = g_strdup_printf("launchee-%s.desktop", modes[i]);
		g_autofree char *text = g_strdup_printf("[Desktop Entry]\nType=Application\nName=Launchee %s\n"
			"GenericName=Test of %s\nExec=%s %s --class Launchee-%s %%U\nStartupWMClass=Launchee-%s\n"
			"MimeType=x-scheme-handler/%s;\n", modes[i], modes[i], program, modes[i], modes[i], modes[i],
			modes[i]);

		write_file(applications, name, text);
	}
	write_file(config, "mimeapps.list", "[Default Applications]\nx-scheme-handler/lab=launchee-window.desktop\n"
		"text/plain=launchee-window.desktop\n");
	desk->env = g_environ_setenv(desk->env, "HOME", home, TRUE);
	desk->env = g_environ_unsetenv(desk->env, "XDG_DATA_HOME");
	desk->env = g_environ_unsetenv(desk->env, "XDG_CONFIG_HOME");
	return home;
}

/* Whether the process exists and is no zombie. */
static bool lives(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, ") Z ") == NULL;
}

/* Windows whose owner is that process, as the server knows it. */
static int count_windows(struct lab_desk *desk, pid_t pid)
{
	g_autoptr(GArray) windows = lab_x_list(desk, desk->root, "_NET_CLIENT_LIST");
	int count = 0;

	for (guint i = 0; i < windows->len; i++) {
		count += lab_x_pid(desk, g_array_index(windows, uint32_t, i)) == pid;
	}
	return count;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	lab_assert(lab_gone(pid, 10000));
}

/* Launches and asserts the state and the first window's owner; returns the pid it told. */
static pid_t launch_ready(struct lab_desk *desk, struct lab_driver *driver, const char *name)
{
	struct lab_answer answer = lab_call_ok(driver, "launch_app", "{\"name\":\"%s\"," WAIT "}", name);
	xcb_window_t window;

	lab_assert_str(lab_str(answer.structured, "launch_state"), "ready");
	window = (xcb_window_t)lab_int(answer.structured, "windows/0/window_id");
	pid_t pid = (pid_t)lab_int(answer.structured, "pid");
	lab_assert_int(lab_x_pid(desk, window), pid);
	lab_assert_int(lab_int(answer.structured, "windows/0/pid"), pid);
	lab_assert(lab_x_viewable(desk, window));
	return pid;
}

static void states(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer;

	pid_t pid = launch_ready(desk, driver, "Launchee window");
	lab_assert_int(getsid(pid), pid);
	/* One that forks away from everything: whose window it is counts. */
	pid_t away = launch_ready(desk, driver, "launchee-daemon");
	lab_assert(getsid(away) != away);

	answer = lab_call_ok(driver, "launch_app", "{\"name\":\"launchee-exit0\"," WAIT "}");
	lab_assert_str(lab_str(answer.structured, "launch_state"), "exited");
	lab_assert_int(lab_int(answer.structured, "exit_code"), 0);
	lab_assert_int((long long)json_array_size(lab_array(answer.structured, "windows")), 0);

	answer = lab_call_refused(driver, "launch_failed", "launch_app", "{\"name\":\"launchee-exit1\"," WAIT "}");
	lab_assert_str(lab_str(answer.structured, "launch_state"), "failed");
	lab_assert_int(lab_int(answer.structured, "exit_code"), 1);
	answer = lab_call_refused(driver, "launch_failed", "launch_app", "{\"name\":\"launchee-crash\"," WAIT "}");
	lab_assert_int(lab_int(answer.structured, "signal"), SIGKILL);

	for (int stuck = 0; stuck < 2; stuck++) {
		answer = lab_call_ok(driver, "launch_app", "{\"name\":\"launchee-%s\",\"wait_ms\":300}",
			stuck ? "stuck" : "never");
		lab_assert_str(lab_str(answer.structured, "launch_state"), "no_window_yet");
		pid_t silent = (pid_t)lab_int(answer.structured, "pid");
		lab_assert(lives(silent));
		/* It is not started a second time. */
		answer = lab_call_ok(driver, "launch_app", "{\"name\":\"launchee-%s\",\"wait_ms\":0}",
			stuck ? "stuck" : "never");
		lab_assert_int(lab_int(answer.structured, "pid"), silent);
		lab_assert(lab_bool(answer.structured, "already_running"));
		end(silent);
	}
	/* Nothing of what they wrote came between the answers, or the lab would have failed. */
	launch_ready(desk, driver, "launchee-chatty");
	lab_driver_stop(driver);
	lab_assert(lives(pid));
	end(pid);
	end(away);
}

static void brokered(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	pid_t pid = launch_ready(desk, driver, "launchee-single");
	struct lab_answer answer = lab_call_ok(driver, "launch_app",
		"{\"name\":\"launchee-single\",\"creates_new_application_instance\":true," WAIT "}");

	lab_assert_str(lab_str(answer.structured, "launch_state"), "brokered");
	lab_assert_int(lab_int(answer.structured, "pid"), pid);
	xcb_window_t second = (xcb_window_t)lab_int(answer.structured, "windows/0/window_id");
	lab_assert_str(lab_x_title(desk, second), "second");
	lab_assert_int(count_windows(desk, pid), 2);
	end(pid);
}

static void as_it_is(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	int calls[3];
	pid_t pid = 0;

	/* Three at once are one application. */
	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		calls[i] = lab_send_call(driver, "launch_app", "{\"name\":\"Launchee window\"," WAIT "}");
	}
	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		struct lab_answer answer = lab_answer_of(driver, lab_wait_id(driver, calls[i], 30000));
		lab_assert(!answer.is_error);
		lab_assert_str(lab_str(answer.structured, "launch_state"), "ready");
		lab_assert(pid == 0 || pid == lab_int(answer.structured, "pid"));
		pid = (pid_t)lab_int(answer.structured, "pid");
	}
	lab_assert_int(count_windows(desk, pid), 1);
	/* By every name it has. */
	static const char *const names[] = { "{\"name\":\"LAUNCHEE WINDOW\"}", "{\"name\":\"test of window\"}",
		"{\"desktop_id\":\"launchee-window\"}", "{\"bundle_id\":\"launchee-window.desktop\"}",
		"{\"launch_path\":\"~/.local/share/applications/launchee-window.desktop\"}" };
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		struct lab_answer answer = lab_call_ok(driver, "launch_app", "%s", names[i]);
		lab_assert(lab_bool(answer.structured, "already_running"));
		lab_assert_int(lab_int(answer.structured, "pid"), pid);
	}
	lab_assert_int(count_windows(desk, pid), 1);
	/* Another one only if that is asked for. */
	struct lab_answer answer = lab_call_ok(driver, "launch_app",
		"{\"name\":\"launchee-window\",\"creates_new_application_instance\":true," WAIT "}");
	lab_assert(lab_int(answer.structured, "pid") != pid);
	end((pid_t)lab_int(answer.structured, "pid"));
	end(pid);
}

static void names(struct lab_desk *desk)
{
	char *home = settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);

	write_file(home, "no-program", "nothing to run\n");
	struct lab_answer answer = lab_call_refused(driver, "app_not_found", "launch_app",
		"{\"name\":\"Lanchee widow\"}");
	lab_assert(lab_array_has(lab_array(answer.structured, "nearest"), "Launchee window"));
	lab_assert_contains(answer.text, "Launchee window");
	lab_call_refused(driver, "app_not_found", "launch_app", "{\"desktop_id\":\"no.such.Thing\"}");
	lab_call_refused(driver, "app_not_found", "launch_app", "{\"launch_path\":\"~/no-program\"}");
	lab_call_refused(driver, "invalid_arguments", "launch_app", "{}");
	/* Nobody opens these; the daemon does not wait for anybody either. */
	lab_call_refused(driver, "app_not_found", "launch_app", "{\"urls\":[\"zzz://x\"]}");
	lab_call_refused(driver, "invalid_arguments", "launch_app", "{\"urls\":[\"no scheme, no file\"]}");
	/* A file that can be executed and is no program. */
	g_autofree char *path = g_build_filename(home, "no-program", NULL);
	lab_assert(chmod(path, 0700) == 0);
	answer = lab_call_refused(driver, "launch_failed", "launch_app", "{\"launch_path\":\"~/no-program\"}");
	lab_assert_str(lab_str(answer.structured, "launch_state"), "failed");
	lab_call_ok(driver, "list_windows", "{}");
}

static void urls(struct lab_desk *desk)
{
	char *home = settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_answer answer;

	/* A scheme and a file have their default application; what it was given is its window's title. */
	answer = lab_call_ok(driver, "launch_app", "{\"urls\":[\"lab://somewhere/x?y=1\"]," WAIT "}");
	lab_assert_str(lab_str(answer.structured, "desktop_id"), "launchee-window.desktop");
	lab_assert(lab_x_titled(desk, "lab://somewhere/x?y=1", 10000));
	write_file(home, "a note.txt", "hello\n");
	lab_call_ok(driver, "launch_app", "{\"urls\":[\"~/a note.txt\"]," WAIT "}");
	g_autofree char *uri = g_strdup_printf("file://%s/a%%20note.txt", home);
	lab_assert(lab_x_titled(desk, uri, 10000));
	/* To an application that is named, with arguments; by its path it gets the path. */
	g_autofree char *program = launchee();
	answer = lab_call_ok(driver, "launch_app", "{\"launch_path\":\"%s\",\"arguments\":[\"window\",\"--class\","
		"\"Named\"],\"urls\":[\"~/a note.txt\"]," WAIT "}", program);
	g_autofree char *path = g_strdup_printf("%s/a note.txt", home);
	lab_assert(lab_x_titled(desk, path, 10000));
	lab_assert_str(lab_str(answer.structured, "windows/0/app_name"), "Named");
}

static bool user_is_back(struct lab_desk *desk, void *data)
{
	g_autofree xcb_get_input_focus_reply_t *focus = xcb_get_input_focus_reply(desk->x,
		xcb_get_input_focus(desk->x), NULL);
	xcb_window_t window = *(xcb_window_t *)data;

	return focus && focus->focus == window &&
		lab_x_number(desk, desk->root, "_NET_ACTIVE_WINDOW", 0) == window;
}

/* What the user lost is said, in this answer or, if it came after it, in the next one. */
static void assert_said(struct lab_driver *driver, struct lab_answer answer)
{
	if (!lab_array_has(lab_array(answer.structured, "disturbed"), "focus")) {
		answer = lab_call_ok(driver, "launch_app", "{\"name\":\"launchee-exit0\"," WAIT "}");
		lab_assert(lab_array_has(lab_get(answer.structured, "disturbed_late"), "focus"));
	}
}

/* The sentinel and the driver say the same. */
static void compare(struct lab_driver *driver, struct lab_answer answer, const struct lab_verdict *verdict)
{
	json_t *disturbed = lab_array(answer.structured, "disturbed");

	lab_note("%s, disturbed %s", verdict->text, lab_json(disturbed));
	lab_assert_int(verdict->foreign + verdict->pointer_moved + verdict->grabs, 0);
	if (verdict->focus_lost > 0) {
		assert_said(driver, answer);
	} else {
		lab_assert(verdict->held);
		lab_assert_int((int)json_array_size(disturbed), 0);
	}
}

/* The user types all the time. */
static void behind_the_user(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t user = lab_sentinel_window(sentinel);
	struct lab_answer answer;
	struct lab_verdict verdict;

	lab_sentinel_calibrate(sentinel, LAB_FIVE);
	lab_sentinel_start(sentinel);
	answer = lab_call_ok(driver, "launch_app", "{\"name\":\"launchee-window\"," WAIT "}");
	lab_assert_str(lab_str(answer.structured, "launch_state"), "ready");
	lab_sentinel_types(sentinel, 5);
	/* On a busy machine a window may have the focus before anybody could say that it must not; not for long. */
	lab_x_until(desk, user_is_back, &user, 20000, "having the focus");
	verdict = lab_sentinel_stop(sentinel);
	compare(driver, answer, &verdict);

	/* One that takes the focus: it is said, and the user has it again. */
	lab_sentinel_start(sentinel);
	answer = lab_call_ok(driver, "launch_app", "{\"name\":\"launchee-thief\"," WAIT "}");
	lab_assert(lab_x_titled(desk, "stolen", 20000));
	lab_x_until(desk, user_is_back, &user, 20000, "getting the focus back");
	verdict = lab_sentinel_stop(sentinel);
	lab_assert(verdict.focus_lost > 0);
	compare(driver, answer, &verdict);
	/* A busy window manager may come to the thief's request only now, after the thief has taken the focus itself. */
	gint64 deadline = lab_deadline(20000);
	do {
		lab_x_until(desk, user_is_back, &user, 20000, "getting the focus back");
		lab_sentinel_begin(sentinel);
		lab_sentinel_types(sentinel, 5);
		verdict = lab_sentinel_stop(sentinel);
	} while (!verdict.held && lab_left(deadline) > 0);
	if (!verdict.held) {
		lab_fail("the user does not have everything again: %s", verdict.text);
	}
}

/* What a program in a terminal starts by that command line takes nothing from the user for long, and what it took is said. */
static void assert_guarded(struct lab_desk *desk, struct lab_driver *driver, const struct lab_app *terminal,
	struct lab_sentinel *sentinel, const char *command, const char *shown)
{
	xcb_window_t user = lab_sentinel_window(sentinel);
	lab_note("%s", command);
	lab_sentinel_start(sentinel);
	struct lab_answer answer = lab_call_ok(driver, "type_text", "{\"pid\":%d,\"window_id\":%u,\"text\":\"%s\\n\"}",
		terminal->pid, terminal->window, command);
	xcb_window_t window = lab_x_titled(desk, shown, 20000);
	lab_assert(window != XCB_NONE);
	lab_sentinel_types(sentinel, 5);
	lab_x_until(desk, user_is_back, &user, 20000, "having the focus");
	struct lab_verdict verdict = lab_sentinel_stop(sentinel);
	compare(driver, answer, &verdict);
	xcb_kill_client(desk->x, window);
	xcb_flush(desk->x);
}

static void offspring(struct lab_desk *desk)
{
	settle(desk);
	g_autofree char *program = launchee();
	struct lab_app terminal = lab_app_start(desk, LAB_ARGV("xterm", "-e", "sh"));
	struct lab_app single = lab_app_start(desk, LAB_ARGV(program, "single", "first"));
	struct lab_driver *driver = lab_driver_start(desk);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	xcb_window_t user = lab_sentinel_window(sentinel);
	lab_sentinel_calibrate(sentinel, LAB_FIVE);

	g_autofree char *child = g_strdup_printf("%s thief &", program);
	g_autofree char *orphan = g_strdup_printf("(DESKTOP_STARTUP_ID=sh-%d-host-x-0_TIME0 setsid %s thief &)", terminal.pid, program);
	g_autofree char *window = g_strdup_printf("(setsid %s thief --startup sh/x/%d-1-host_TIME1 &)", program, terminal.pid);
	g_autofree char *asked = g_strdup_printf("(setsid %s single --startup 'host;1;2;%d_TIME3' &)", program, terminal.pid);
	assert_guarded(desk, driver, &terminal, sentinel, child, "stolen");
	assert_guarded(desk, driver, &terminal, sentinel, orphan, "stolen");
	assert_guarded(desk, driver, &terminal, sentinel, window, "stolen");
	assert_guarded(desk, driver, &terminal, sentinel, asked, "second");
	lab_app_kill(&single);

	/* What somebody else starts at the same time has the focus, and keeps it. */
	lab_call_ok(driver, "type_text", "{\"pid\":%d,\"window_id\":%u,\"text\":\":\\n\"}", terminal.pid, terminal.window);
	lab_assert(user_is_back(desk, &user));
	struct lab_app own = lab_app_start(desk, LAB_ARGV(program, "thief"));
	lab_x_until(desk, user_is_back, &own.window, 20000, "turning to a new window");
	struct lab_answer answer = lab_call_ok(driver, "type_text", "{\"pid\":%d,\"window_id\":%u,\"text\":\":\\n\"}", terminal.pid,
		terminal.window);
	lab_assert(user_is_back(desk, &own.window));
	lab_assert(json_array_size(lab_array(answer.structured, "disturbed")) == 0 && lab_get(answer.structured, "disturbed_late") == NULL);
}

static void listed(struct lab_desk *desk)
{
	settle(desk);
	g_autofree char *program = launchee();
	struct lab_app app = lab_app_start(desk, LAB_ARGV(program, "window", "--class", "Launchee-window"));
	struct lab_app stranger = lab_app_start(desk, LAB_ARGV(program, "window", "--class", "Unheard-of"));
	struct lab_driver *driver = lab_driver_start(desk);

	lab_user_works_in(desk, app.window);
	json_t *apps = lab_array(lab_call_ok(driver, "list_apps", "{}").structured, "apps");
	json_t *known = lab_pick_int(apps, "pid", app.pid);
	lab_assert_str(lab_str(known, "name"), "Launchee window");
	lab_assert_str(lab_str(known, "desktop_id"), "launchee-window.desktop");
	lab_assert_str(lab_str(known, "launch_path"), program);
	lab_assert(lab_bool(known, "running") && lab_bool(known, "active"));
	json_t *unknown = lab_pick_int(apps, "pid", stranger.pid);
	lab_assert(lab_bool(unknown, "running") && !lab_bool(unknown, "active"));
	json_t *installed = lab_pick_str(apps, "desktop_id", "launchee-thief.desktop");
	lab_assert(!lab_bool(installed, "running"));
	lab_assert(json_is_null(lab_get(installed, "pid")));
	apps = lab_array(lab_call_ok(driver, "list_apps", "{\"running_only\":true}").structured, "apps");
	lab_assert(lab_pick_int(apps, "pid", app.pid) && !lab_pick_str(apps, "desktop_id", "launchee-thief.desktop"));
}

/* A process of another user; only root can make one. */
static pid_t fork_stranger(void)
{
	int ready[2];
	char byte;
	lab_assert(pipe(ready) == 0);
	pid_t pid = fork();
	lab_assert(pid >= 0);
	if (pid == 0) {
		if (setuid(65534) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || write(ready[1], "", 1) != 1) {
			_exit(1);
		}
		pause();
		_exit(0);
	}
	close(ready[1]);
	lab_assert(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	return pid;
}

static void ended(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	pid_t pid = launch_ready(desk, driver, "launchee-window");
	struct lab_answer answer = lab_call_ok(driver, "kill_app", "{\"pid\":%d,\"timeout_ms\":20000}", pid);

	lab_assert_str(lab_str(answer.structured, "signal"), "SIGTERM");
	/* Reaped as well: no zombie of it is left. */
	lab_assert(lab_gone(pid, 10000));
	pid = launch_ready(desk, driver, "launchee-stubborn");
	answer = lab_call_ok(driver, "kill_app", "{\"pid\":%d,\"timeout_ms\":200}", pid);
	lab_assert_str(lab_str(answer.structured, "signal"), "SIGKILL");
	lab_assert(lab_gone(pid, 10000));
	lab_call_refused(driver, "app_not_found", "kill_app", "{\"pid\":%d}", pid);

	lab_call_refused(driver, "process_protected", "kill_app", "{\"pid\":1}");
	lab_call_refused(driver, "process_protected", "kill_app", "{\"pid\":%d}", lab_driver_pid(driver));
	lab_call_refused(driver, "process_protected", "kill_app", "{\"pid\":%d}", getpid());
	/* What is not ours to end is not touched. */
	lab_assert(lives(lab_driver_pid(driver)));
	if (geteuid() == 0) {
		pid_t stranger = fork_stranger();
		lab_call_refused(driver, "process_protected", "kill_app", "{\"pid\":%d}", stranger);
		lab_assert(lives(stranger));
		kill(stranger, SIGKILL);
	}
}

/* A process with a certain number, as the kernel gives it by chance one day. */
static pid_t fork_as(pid_t pid)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
			set_tid_size;
	} how = { .exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&pid, .set_tid_size = 1 };

	pid_t child = (pid_t)syscall(SYS_clone3, &how, sizeof how);
	if (child == 0) {
		for (;;) {
			pause();
		}
	}
	return child;
}

static void number_used_again(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	pid_t pid = launch_ready(desk, driver, "launchee-window");

	end(pid);
	gint64 deadline = lab_deadline(10000);
	pid_t other;
	while ((other = fork_as(pid)) < 0 && errno == EEXIST && lab_left(deadline) > 0) {
		/* It is gone for us, but not yet for the kernel. */
		g_usleep(10000);
	}
	if (other < 0) {
		lab_skip("no process can be given a number here: %s", g_strerror(errno));
	}
	lab_assert_int(other, pid);
	lab_call_refused(driver, "process_replaced", "kill_app", "{\"pid\":%d}", pid);
	lab_assert(lives(pid));
	kill(other, SIGKILL);
	lab_assert_int(waitpid(other, NULL, 0), other);
}

/* A stopped program and many calls at once: whoever asks for something else gets it. */
static void never_wedged(struct lab_desk *desk)
{
	settle(desk);
	struct lab_driver *driver = lab_driver_start(desk);
	int stuck[8];

	for (size_t i = 0; i < G_N_ELEMENTS(stuck); i++) {
		stuck[i] = lab_send_call(driver, "launch_app", "{\"name\":\"launchee-stuck\","
			"\"creates_new_application_instance\":true,\"wait_ms\":60000}");
	}
	/* Who wants to know hears that it is waited for. */
	int told = lab_send(driver, "tools/call", "{\"name\":\"launch_app\",\"arguments\":{\"name\":\"launchee-never\","
		"\"wait_ms\":60000},\"_meta\":{\"progressToken\":\"launch\"}}");
	lab_call_refused(driver, "app_not_found", "launch_app", "{\"urls\":[\"zzz://x\"]}");
	pid_t pid = launch_ready(desk, driver, "launchee-window");
	json_t *progress = lab_poll_notification(driver, "notifications/progress", 20000).json;
	lab_assert_str(lab_str(progress, "params/progressToken"), "launch");
	lab_assert(!lab_has_answer(driver, told, 0));
	lab_notify(driver, "notifications/cancelled", "{\"requestId\":%d}", told);
	lab_call_ok(driver, "kill_app", "{\"pid\":%d,\"timeout_ms\":20000}", pid);
	lab_assert(!lab_has_answer(driver, stuck[0], 0));
	for (size_t i = 0; i < G_N_ELEMENTS(stuck); i++) {
		lab_notify(driver, "notifications/cancelled", "{\"requestId\":%d}", stuck[i]);
	}
	lab_driver_stop(driver);
}

static const struct lab_test tests[] = {
	{ .name = "states", .run = states, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "Programs that start well, badly, late or never: launch_state says which." },
	{ .name = "brokered", .run = brokered, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "One that passes the request on to the instance that runs." },
	{ .name = "as_it_is", .run = as_it_is, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "An application that runs is returned as it is, by any of its names." },
	{ .name = "names", .run = names, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "What is not there is refused, with the nearest names." },
	{ .name = "urls", .run = urls, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "URLs and files go to their default application, or to the one named." },
	{ .name = "behind_the_user", .run = behind_the_user, .servers = LAB_XVFB, .wms = "*",
	  .timeout = 120, .about = "The user types on while applications start, also one that takes the focus." },
	{ .name = "offspring", .run = offspring, .servers = LAB_XVFB, .wms = "openbox mutter kwin_x11", .timeout = 120, .needs = "xterm",
	  .about = "What an application starts in answer to an action takes nothing from the user." },
	{ .name = "listed", .run = listed, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "list_apps knows what runs, and which desktop entry it is of." },
	{ .name = "ended", .run = ended, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "kill_app asks, then kills; what is not ours to end is refused." },
	{ .name = "number_used_again", .run = number_used_again, .servers = LAB_XVFB, .wms = "openbox",
	  .about = "A pid that belongs to another process by now is refused." },
	{ .name = "never_wedged", .run = never_wedged, .servers = LAB_XVFB, .wms = "openbox", .timeout = 120,
	  .about = "Programs that hang while they start stand in nobody's way." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
