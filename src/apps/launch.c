/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "apps/launch.h"

#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/environment.h"
#include "apps/nursery.h"
#include "apps/process.h"
#include "apps/running.h"
#include "apps/scope.h"
#include "core/past.h"

/* The user's side is read within this time, or is not told. */
#define PROBE_MS 2000
/* How soon after the end of a program another process shows what it was told. */
#define BROKER_MS 2000
/* How soon after it came a window has taken what it takes. */
#define LINGER_MS 200
/* Windows are looked at again after this long though nobody said that one came. */
#define PATIENCE_MS 1000
/* What is to be there before an application starts may take this long. */
#define PREPARE_MS 2000

const char *launch_state_name(enum launch_state state)
{
	static const char *const names[] = { "ready", "no_window_yet", "brokered", "exited", "failed" };
	return names[state];
}

void launched_clear(struct launched *launched)
{
	g_clear_pointer(&launched->windows, g_ptr_array_unref);
	probe_clear(&launched->before);
	probe_clear(&launched->after);
	g_clear_pointer(&launched->tied, g_free);
}

/* One launch under way. */
struct vigil {
	const struct launch *launch;
	struct launched *launched;
	struct child *child;
	bool joined;             /* somebody else has started it */
	GHashTable *known;       /* set of window ids that were there before */
	GArray *charged;         /* pid_t: whoever may take the user's focus because of it */
	struct deadline until;   /* when the wait is over */
	int bell;                /* eventfd: something happened to a window */
};

static bool is_window(const struct window *window)
{
	return strcmp(window->type, "normal") == 0 || strcmp(window->type, "dialog") == 0;
}

/* A window that stands for itself, not one that announces another. */
static bool has_window(const GPtrArray *windows)
{
	for (guint i = 0; i < windows->len; i++) {
		if (is_window(windows->pdata[i])) {
			return true;
		}
	}
	return false;
}

static GPtrArray *all_windows(const struct launch *launch, GError **error)
{
	return launch->platform->impl->windows(launch->platform, deadline_in(PROBE_MS, launch->deadline.cancel),
		error);
}

static void take_window(struct launched *launched, const struct window *window)
{
	g_ptr_array_add(launched->windows, window_copy(window));
	if (launched->pid == 0 || is_window(window)) {
		launched->pid = window->pid;
	}
}

/* Those of what was started, also of a process that it started itself. */
static void take_own(struct vigil *vigil, const GPtrArray *windows)
{
	struct launched *launched = vigil->launched;
	g_ptr_array_set_size(launched->windows, 0);
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (process_is_of(window->pid, child_pid(vigil->child))) {
			take_window(launched, window);
		}
	}
}

/* Those of the application whoever owns them: that came since, or all. */
static void take_others(struct vigil *vigil, const GPtrArray *windows, bool all)
{
	const struct launch *launch = vigil->launch;
	for (guint i = 0; launch->entry != NULL && i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		bool came = !g_hash_table_contains(vigil->known, &window->id);
		/* Of one that only the bus can start nothing is known but that its window came now. */
		if (window->pid != 0 && ((came && launch->entry->exec == NULL) || ((came || all)
			&& running_identify(launch->entries, window->pid, window->app_name) == launch->entry))) {
			take_window(vigil->launched, window);
		}
	}
}

static bool session_lives(pid_t leader)
{
	g_autoptr(GArray) pids = process_list();
	struct process process;
	for (guint i = 0; i < pids->len; i++) {
		pid_t pid = g_array_index(pids, pid_t, i);
		if (pid != leader && getsid(pid) == leader && process_read(pid, &process) && process.state != 'Z') {
			return true;
		}
	}
	return false;
}

/* What there is to say of a program that has ended; false if more may come. */
static bool judge_end(struct vigil *vigil, const GPtrArray *windows, int status)
{
	struct launched *launched = vigil->launched;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		launched->status = status;
		launched->state = LAUNCH_FAILED;
		return true;
	}
	take_others(vigil, windows, false);
	if (has_window(launched->windows)) {
		launched->state = LAUNCH_BROKERED;
		return true;
	}
	if (vigil->launch->entry != NULL && vigil->launch->entry->exec == NULL) {
		/* The bus has taken it; who answers for it is nobody we started. */
		vigil->until = deadline_within(vigil->until, BROKER_MS);
		launched->state = LAUNCH_BROKERED;
		return false;
	}
	if (session_lives(child_pid(vigil->child))) {
		/* It left something behind that goes on. */
		return false;
	}
	vigil->until = deadline_within(vigil->until, BROKER_MS);
	launched->status = status;
	launched->state = LAUNCH_EXITED;
	return false;
}

/* Looks once. True if there is nothing more to wait for. */
static bool look(struct vigil *vigil, GError **error)
{
	struct launched *launched = vigil->launched;
	int status = 0;
	bool ended = child_ended(vigil->child, &status);
	g_autoptr(GPtrArray) windows = all_windows(vigil->launch, error);
	if (windows == NULL) {
		return true;
	}
	launched->pid = 0;
	launched->state = LAUNCH_NO_WINDOW_YET;
	take_own(vigil, windows);
	if (has_window(launched->windows)) {
		launched->state = LAUNCH_READY;
		return true;
	}
	return ended && judge_end(vigil, windows, status);
}

static void on_happening(const struct happening *happening, void *data)
{
	const struct vigil *vigil = data;
	if (happening->kind == HAPPENED_OPENED || happening->kind == HAPPENED_TAKEN) {
		eventfd_write(vigil->bell, 1);
	}
}

/* Waits for the next thing that may matter. False when the time is over. */
static bool wait_event(struct vigil *vigil, bool ended)
{
	eventfd_t unused;
	struct pollfd fds[] = {
		{ .fd = vigil->bell, .events = POLLIN },
		{ .fd = child_descriptor(vigil->child), .events = POLLIN },
	};
	g_autoptr(GError) over = NULL;
	struct deadline patience = deadline_within(vigil->until, PATIENCE_MS);
	deadline_poll_all(patience, fds, ended ? 1 : 2, "a window", NULL);
	eventfd_read(vigil->bell, &unused);
	return !deadline_over(vigil->until, "a window", &over);
}

static bool watch(struct vigil *vigil, GError **error)
{
	GError *problem = NULL;
	bool more = true;
	while (!look(vigil, &problem) && more) {
		more = wait_event(vigil, child_ended(vigil->child, NULL));
	}
	if (problem != NULL) {
		g_propagate_error(error, problem);
		return false;
	}
	if (vigil->launched->state == LAUNCH_EXITED) {
		/* Nothing new came; but whom it told may have had a window before. */
		g_autoptr(GPtrArray) windows = all_windows(vigil->launch, error);
		if (windows == NULL) {
			return false;
		}
		take_others(vigil, windows, true);
		if (has_window(vigil->launched->windows)) {
			vigil->launched->state = LAUNCH_BROKERED;
		}
	} else if (vigil->launched->state == LAUNCH_NO_WINDOW_YET && vigil->launched->pid == 0) {
		vigil->launched->pid = child_ended(vigil->child, NULL) ? 0 : child_pid(vigil->child);
	}
	return true;
}

/* A window may take the focus a moment after it came: that moment is waited for. */
static void linger(struct vigil *vigil)
{
	struct past *past = vigil->launch->platform->past;
	guint64 count = past_count(past);
	struct deadline until = deadline_in(LINGER_MS, vigil->launch->deadline.cancel);
	while (vigil->launched->windows->len > 0 && past_wait(past, count, until)) {
		count = past_count(past);
	}
}

static bool probe(struct vigil *vigil, pid_t pid, bool first, struct probe *result, GError **error)
{
	struct platform *platform = vigil->launch->platform;
	struct window *nobody = window_new();
	nobody->pid = pid;
	void *probing = platform->impl->probe_begin(platform, nobody,
		first ? PROBE_BEFORE : PROBE_AFTER, false);
	bool looked = platform->impl->probe_end(platform, probing, deadline_in(PROBE_MS, NULL), result, error);
	window_free(nobody);
	return looked;
}

/* From here on whoever is charged is kept from taking the focus. */
static bool arm(struct vigil *vigil, GError **error)
{
	struct probe *before = &vigil->launched->before;
	for (guint i = 0; i < vigil->charged->len; i++) {
		struct probe next;
		if (!probe(vigil, g_array_index(vigil->charged, pid_t, i), true, &next, error)) {
			return false;
		}
		/* What came after the last answer is told once. */
		next.late_steals += before->late_steals;
		next.late_rises += before->late_rises;
		next.late_grabs += before->late_grabs;
		next.late_keys_lost += before->late_keys_lost;
		probe_clear(before);
		*before = next;
	}
	return true;
}

static void disarm(struct vigil *vigil)
{
	for (guint i = 0; i < vigil->charged->len; i++) {
		probe_clear(&vigil->launched->after);
		vigil->launched->looked = probe(vigil, g_array_index(vigil->charged, pid_t, i), false,
			&vigil->launched->after, NULL);
	}
}

static char **command(const struct launch *launch, GError **error)
{
	if (launch->entry != NULL) {
		return entry_command(launch->entry, launch->uris, launch->arguments, error);
	}
	GStrvBuilder *words = g_strv_builder_new();
	g_strv_builder_add(words, launch->program);
	if (launch->arguments != NULL) {
		g_strv_builder_addv(words, (const char **)(uintptr_t)launch->arguments);
	}
	for (int i = 0; launch->uris != NULL && launch->uris[i] != NULL; i++) {
		g_autofree char *path = g_filename_from_uri(launch->uris[i], NULL, NULL);
		g_strv_builder_add(words, path != NULL ? path : launch->uris[i]);
	}
	char **list = g_strv_builder_end(words);
	g_strv_builder_unref(words);
	return list;
}

/* What the nursery knows it by. */
static const char *key_of(const struct launch *launch)
{
	return launch->entry != NULL ? launch->entry->id : launch->program;
}

/* Makes the process; it does not run yet. */
static struct child *make(const struct launch *launch, GError **error)
{
	g_auto(GStrv) words = command(launch, error);
	if (words == NULL) {
		return NULL;
	}
	char *path = g_find_program_in_path(words[0]);
	if (path == NULL) {
		error_set(error, ERROR_LAUNCH_FAILED, "There is no program \"%s\"", words[0]);
		return NULL;
	}
	g_free(words[0]);
	words[0] = path;
	const struct entry *entry = launch->entry;
	g_auto(GStrv) environment = environment_new(entry != NULL ? entry->file : NULL);
	const struct birth birth = { words, environment, entry != NULL ? entry->folder : NULL, key_of(launch) };
	return child_new(&birth, error);
}

static bool run(struct vigil *vigil, GError **error)
{
	struct platform *platform = vigil->launch->platform;
	pid_t pid = child_pid(vigil->child);
	bool done = vigil->joined;
	if (!vigil->joined) {
		g_array_append_val(vigil->charged, pid);
		/* Before it runs: what it starts itself is then where it is. */
		vigil->launched->tied = scope_release(key_of(vigil->launch), pid, vigil->launch->deadline);
		done = arm(vigil, error) && child_go(vigil->child, vigil->launch->deadline, error);
	}
	if (done) {
		vigil->until = deadline_in(vigil->launch->wait_ms, vigil->launch->deadline.cancel);
		platform->impl->look_out(platform, true);
		void *follower = past_follow(platform->past, on_happening, vigil);
		done = watch(vigil, error);
		past_unfollow(platform->past, follower);
		platform->impl->look_out(platform, false);
	}
	if (done) {
		linger(vigil);
	} else if (!vigil->joined) {
		child_abandon(vigil->child);
	}
	disarm(vigil);
	return done;
}

static bool attend(const struct launch *launch, const GPtrArray *windows, const GPtrArray *running,
	struct child *child, struct launched *launched, GError **error)
{
	struct vigil vigil = { .launch = launch, .launched = launched, .child = child, .joined = launched->ran };
	vigil.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	vigil.known = g_hash_table_new(g_int64_hash, g_int64_equal);
	vigil.charged = g_array_new(FALSE, FALSE, sizeof(pid_t));
	for (guint i = 0; i < windows->len; i++) {
		g_hash_table_add(vigil.known, &((struct window *)windows->pdata[i])->id);
	}
	/* It may only tell one that runs, which then does what it would have done. */
	for (guint i = 0; i < running->len && !vigil.joined; i++) {
		const struct instance *instance = running->pdata[i];
		if (instance->entry != NULL && instance->entry == launch->entry) {
			g_array_append_val(vigil.charged, instance->pid);
		}
	}
	bool done = run(&vigil, error);
	close(vigil.bell);
	g_hash_table_unref(vigil.known);
	g_array_unref(vigil.charged);
	return done;
}

/* The process of an application that runs and has a window; 0 if there is none. */
static pid_t find_running(const struct launch *launch, const GPtrArray *running)
{
	for (guint i = 0; i < running->len; i++) {
		const struct instance *instance = running->pdata[i];
		bool same = launch->entry != NULL ? instance->entry == launch->entry
			: running_is_program(instance->pid, launch->program);
		if (same && instance->windows > 0) {
			return instance->pid;
		}
	}
	return 0;
}

/* It is left as it is. */
static void tell_running(const GPtrArray *windows, struct launched *launched)
{
	launched->ran = true;
	launched->state = LAUNCH_READY;
	for (guint i = 0; i < windows->len; i++) {
		const struct window *window = windows->pdata[i];
		if (window->pid == launched->pid) {
			g_ptr_array_add(launched->windows, window_copy(window));
		}
	}
}

bool launch_run(const struct launch *launch, struct launched *launched, GError **error)
{
	/* Of two calls for one application the second finds what the first has started. */
	static GMutex turn;
	struct platform *platform = launch->platform;
	*launched = (struct launched){ .windows = window_list_new() };
	if (platform->impl->prepare != NULL) {
		platform->impl->prepare(platform, deadline_in(PREPARE_MS, launch->deadline.cancel));
	}
	g_mutex_lock(&turn);
	g_autoptr(GPtrArray) windows = all_windows(launch, error);
	g_autoptr(GPtrArray) running = windows != NULL ? running_list(launch->entries, windows) : NULL;
	struct child *child = NULL;
	if (running != NULL && !launch->another) {
		launched->pid = find_running(launch, running);
		child = launched->pid == 0 ? nursery_find(key_of(launch)) : NULL;
		launched->ran = child != NULL;
	}
	if (running != NULL && launched->pid == 0 && child == NULL) {
		child = make(launch, error);
	}
	g_mutex_unlock(&turn);
	bool done = running != NULL && launched->pid != 0;
	if (done) {
		tell_running(windows, launched);
	} else if (child != NULL) {
		done = attend(launch, windows, running, child, launched, error);
		child_unref(child);
	}
	return done;
}
