/* SPDX-License-Identifier: MIT */
/* Which tests run on which desks, several at once, each in a child, and the TAP they make. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

#define ALL_WMS "openbox xfwm4 metacity mutter kwin_x11"

enum progress {
	WAITING,
	RUNNING,
	DONE,
};

/* One test on one desk. */
struct job {
	const struct lab_test *test;
	const char *server;      /* NULL: needs no desk */
	char *wm;
	char *title;
	enum progress progress;
	pid_t pid;
	int out;
	GString *output;
	gint64 killed_at, started, ended;
	bool timed_out;
	int status;
};

struct selection {
	GPtrArray *names;
	const char *desk;
};

static bool is_selected(const struct selection *selection, const char *name, const char *desk)
{
	if (selection->desk && (!desk || !g_pattern_match_simple(selection->desk, desk))) {
		return false;
	}
	for (guint i = 0; i < selection->names->len; i++) {
		if (g_pattern_match_simple(g_ptr_array_index(selection->names, i), name)) {
			return true;
		}
	}
	return selection->names->len == 0;
}

/* Whether $LAB_ONE_DESK is set and the test has its desk already. */
static bool has_enough(const GPtrArray *jobs, const struct lab_test *test)
{
	const struct job *last = jobs->len > 0 ? jobs->pdata[jobs->len - 1] : NULL;

	return last && last->test == test && g_getenv("LAB_ONE_DESK");
}

static void add_job(GPtrArray *jobs, const struct selection *selection, const struct lab_test *test,
	const char *server, const char *wm)
{
	g_autofree char *desk = server ? g_strdup_printf("%s/%s", server, wm) : NULL;

	if (!is_selected(selection, test->name, desk) || has_enough(jobs, test)) {
		return;
	}
	struct job *job = g_new0(struct job, 1);
	job->test = test;
	job->server = server;
	job->wm = g_strdup(wm);
	job->title = desk ? g_strdup_printf("%s [%s]", test->name, desk) : g_strdup(test->name);
	job->output = g_string_new(NULL);
	g_ptr_array_add(jobs, job);
}

static GPtrArray *list_jobs(const struct lab_test *tests, const struct selection *selection)
{
	GPtrArray *jobs = g_ptr_array_new();

	for (const struct lab_test *test = tests; test->name; test++) {
		if (test->servers == 0) {
			add_job(jobs, selection, test, NULL, NULL);
			continue;
		}
		g_auto(GStrv) parts = g_strsplit(test->wms ? test->wms : "openbox", "*", -1);
		g_autofree char *expanded = g_strjoinv(ALL_WMS, parts);
		g_auto(GStrv) wms = g_strsplit(expanded, " ", -1);
		for (unsigned server = LAB_XVFB; server <= LAB_XVNC; server <<= 1) {
			if (!(test->servers & server)) {
				continue;
			}
			for (int i = 0; wms[i]; i++) {
				if (*wms[i]) {
					add_job(jobs, selection, test,
						server == LAB_XVFB ? "xvfb" : "xvnc", wms[i]);
				}
			}
		}
	}
	return jobs;
}

/* The first program the job needs that is not installed; NULL if all are. */
static char *missing_program(const struct job *job)
{
	g_autoptr(GString) needs = g_string_new(job->test->needs);

	if (job->server) {
		g_string_append(needs, g_str_equal(job->server, "xvfb") ? " Xvfb" : " Xvnc");
		if (!g_str_equal(job->wm, "none")) {
			g_string_append_printf(needs, " %.*s", (int)strcspn(job->wm, "-"), job->wm);
		}
	}
	g_auto(GStrv) names = g_strsplit(needs->str, " ", -1);
	for (int i = 0; names[i]; i++) {
		g_autofree char *path = *names[i] ? g_find_program_in_path(names[i]) : g_strdup("");

		if (!path) {
			return g_strdup(names[i]);
		}
	}
	return NULL;
}

static void start_job(struct job *job)
{
	g_autofree char *missing = missing_program(job);
	int ends[2];

	job->progress = DONE;
	if (missing) {
		bool must = lab_must_have_all();

		g_string_printf(job->output, must ? "# %s is not installed\n" :
			LAB_SKIP_MARK "%s is not installed\n", missing);
		job->status = (must ? 1 : 77) << 8;
		return;
	}
	fflush(NULL);
	if (pipe2(ends, O_CLOEXEC) < 0) {
		g_error("pipe: %s", g_strerror(errno));
	}
	job->started = g_get_monotonic_time();
	job->pid = fork();
	if (job->pid == 0) {
		/* A test outlives neither the program nor a ^C on it. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(ends[1], STDOUT_FILENO);
		lab_test_run(job->test, job->server, job->wm);
	}
	close(ends[1]);
	job->out = ends[0];
	int seconds = job->test->timeout > 0 ? job->test->timeout : 60;
	/* The test notices its deadline itself and then cleans up; this is for one that hangs. */
	job->killed_at = job->started + (gint64)(seconds + 25) * G_USEC_PER_SEC;
	job->progress = RUNNING;
}

static void read_job(struct job *job)
{
	char buffer[4096];
	ssize_t got = read(job->out, buffer, sizeof buffer);

	if (got > 0) {
		g_string_append_len(job->output, buffer, got);
		return;
	}
	close(job->out);
	waitpid(job->pid, &job->status, 0);
	job->ended = g_get_monotonic_time();
	job->progress = DONE;
}

static bool report_job(const struct job *job, int number)
{
	char *skip = strstr(job->output->str, LAB_SKIP_MARK);
	bool ok = WIFEXITED(job->status) && (WEXITSTATUS(job->status) == 0 ||
		(WEXITSTATUS(job->status) == 77 && skip));
	g_autofree char *reason = skip ? g_strdup(skip + strlen(LAB_SKIP_MARK)) : NULL;

	if (skip) {
		*skip = '\0';
		reason[strcspn(reason, "\n")] = '\0';
	}
	fputs(job->output->str, stdout);
	if (!ok && job->test->about) {
		printf("# %s: %s\n", job->test->name, job->test->about);
	}
	if (job->timed_out) {
		printf("# it hung and was killed\n");
	} else if (WIFSIGNALED(job->status)) {
		printf("# killed by signal %d (%s)\n", WTERMSIG(job->status),
			strsignal(WTERMSIG(job->status)));
	}
	printf("%s %d - %s%s%s\n", ok ? "ok" : "not ok", number, job->title,
		ok && skip ? " # SKIP " : "", ok && skip ? reason : "");
	if (g_getenv("LAB_TIMES")) {
		printf("# %.1f s\n", (job->ended - job->started) / 1e6);
	}
	fflush(stdout);
	return ok;
}

/* Starts what may start, waits for something to happen, kills what hangs. */
static void turn(GPtrArray *jobs, int limit)
{
	struct pollfd fds[64];
	struct job *polled[G_N_ELEMENTS(fds)];
	int running = 0;
	gint64 now = g_get_monotonic_time();

	for (guint i = 0; i < jobs->len && running < limit; i++) {
		struct job *job = g_ptr_array_index(jobs, i);

		if (job->progress == WAITING) {
			start_job(job);
		}
		if (job->progress == RUNNING) {
			if (now > job->killed_at) {
				job->timed_out = true;
				kill(job->pid, SIGKILL);
			}
			fds[running] = (struct pollfd){ .fd = job->out, .events = POLLIN };
			polled[running++] = job;
		}
	}
	if (running > 0 && poll(fds, running, 1000) > 0) {
		for (int i = 0; i < running; i++) {
			if (fds[i].revents) {
				read_job(polled[i]);
			}
		}
	}
}

static int usage(const char *program)
{
	fprintf(stderr, "usage: %s [--list] [--desk SERVER/WM] [TEST…]\n", program);
	return 64;
}

int lab_main(int argc, char **argv, const struct lab_test *tests)
{
	struct selection selection = { .names = g_ptr_array_new() };
	const char *wanted = g_getenv("LAB_JOBS");
	int limit = CLAMP(wanted ? atoi(wanted) : 2, 1, 64);
	bool list = false, all_ok = true;

	for (int i = 1; i < argc; i++) {
		if (g_str_equal(argv[i], "--list")) {
			list = true;
		} else if (g_str_equal(argv[i], "--desk") && i + 1 < argc) {
			selection.desk = argv[++i];
		} else if (argv[i][0] == '-') {
			return usage(argv[0]);
		} else {
			g_ptr_array_add(selection.names, argv[i]);
		}
	}
	GPtrArray *jobs = list_jobs(tests, &selection);
	if (list) {
		for (guint i = 0; i < jobs->len; i++) {
			struct job *job = g_ptr_array_index(jobs, i);
			printf("%s: %s\n", job->title, job->test->about ? job->test->about : "");
		}
		return 0;
	}
	/* Other desks run beside this one: the driver shall find only what it is told. */
	g_setenv("CUA_DRIVER_NO_DISCOVERY", "1", TRUE);
	signal(SIGPIPE, SIG_IGN);
	printf("1..%u\n", jobs->len);
	if (!lab_driver_path()) {
		printf("Bail out! CUA_DRIVER does not name the driver's program\n");
		return 99;
	}
	for (guint done = 0; done < jobs->len;) {
		struct job *next = g_ptr_array_index(jobs, done);

		if (next->progress == DONE) {
			all_ok = report_job(next, ++done) && all_ok;
		} else {
			turn(jobs, limit);
		}
	}
	return all_ok ? 0 : 1;
}
