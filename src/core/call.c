/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/call.h"

#include <malloc.h>

#include "core/admission.h"
#include "core/helm.h"
#include "core/panic.h"
#include "core/picture.h"
#include "core/progress.h"
#include "core/recheck.h"
#include "core/scope.h"
#include "core/target.h"
#include "core/token.h"
#include "core/tool.h"

/* contract: no call waits on an application longer than this unless the caller allows more. */
#define CALL_MS 10000
#define LEAST_MS 500
/* More threads than applications that can hang at once; each holds at most one. */
#define WORKERS 48
/* After this long without a call the platform gives back what it keeps to be fast. */
#define REST_MS 600000
/* The admission key of calls that talk only to the display server; others use a pid. */
#define KEY_DISPLAY 0
/* The keys of calls that talk to all applications, and to windows whose owner nobody knows. */
#define KEY_EVERYBODY (-1)
#define KEY_NOBODY (-2)
/* The key of calls that use the user's own pointer and keyboard on the screen. */
#define KEY_SCREEN (-3)
/* Below it each call has a key of its own and waits for nobody. */
#define KEY_OWN (-4)

struct runtime {
	struct platform *platform;
	GMainContext *context;
	struct helm *helm;
	GThreadPool *workers; /* for what the helm does not take */
	struct admission *admission;
	struct gallery *gallery;
	struct sessions *sessions;
	struct settings *settings;
	GSource *sweep;       /* armed while there are sessions */
	guint32 own_keys;     /* handed out */
	GHashTable *running;  /* set of struct job; main context only */
	GSource *alarm;       /* rings when the first of those that wait for their turn is due, or sooner */
	gint64 alarm_at;      /* G_MAXINT64: never */
	GSource *rest;        /* armed since something ran */
	gint64 ran_at;        /* when the last one was over */
	GCancellable *spare;  /* of a call that is over, with its descriptor; for the next one */
};

enum stage {
	STAGE_TARGET, /* finding the window, with the display server only */
	STAGE_RUN,
};

/* A call with what only the scheduler knows. */
struct job {
	struct call call;
	struct runtime *runtime;
	struct args *args;
	struct session *session;
	char *session_name;
	struct window *window;
	struct answer *answer;
	struct call_listener listener;
	enum stage stage;
	gint64 key;        /* what it has entered or waits for; guarded by `mutex` */
	GMutex mutex;
	gint64 due;        /* until then it may wait for its turn; main context only */
	struct progress progress;
	bool cancelled;    /* main context only */
	bool acting;       /* the tool runs, and acts; guarded by `mutex` */
	bool stopped;      /* cancelled by an emergency stop, and answered; guarded by `mutex` */

	/* Parking; guarded by `mutex` but for what says otherwise. */
	call_resume resume; /* set by the tool while it runs; NULL: it is done */
	gint64 limit;      /* then it goes on even if it is not its turn */
	GSource *waker;    /* since it was parked first */
	gint64 wake_at;    /* G_MAXINT64: not asked for */
	bool parked;       /* nobody touches it but the waker and call_cancel() */
};

/* To make one takes two system calls, and most calls are not cancelled. */
static GCancellable *take_cancellable(struct runtime *runtime)
{
	GCancellable *cancel = g_steal_pointer(&runtime->spare);
	if (cancel == NULL) {
		cancel = g_cancellable_new();
		/* Held for the whole call: otherwise each of its many waits would make and close it. */
		g_cancellable_get_fd(cancel);
	}
	return cancel;
}

static void drop_cancellable(GCancellable *cancel)
{
	if (cancel != NULL) {
		g_cancellable_release_fd(cancel);
		g_object_unref(cancel);
	}
}

static void leave_cancellable(struct runtime *runtime, GCancellable *cancel)
{
	if (runtime->spare == NULL && !g_cancellable_is_cancelled(cancel)) {
		runtime->spare = cancel;
	} else {
		drop_cancellable(cancel);
	}
}

static void job_free(struct job *job)
{
	/* First: whoever might still wake it has to be silent before the rest goes. */
	if (job->call.forget != NULL) {
		job->call.forget(job->call.state);
	}
	progress_end(&job->progress);
	recheck_free(job->call.ahead);
	args_free(job->args);
	session_unref(job->session);
	g_free(job->session_name);
	window_free(job->window);
	answer_free(job->answer);
	leave_cancellable(job->runtime, job->call.deadline.cancel);
	g_mutex_clear(&job->mutex);
	g_free(job);
}

static void clear_source(GSource **source)
{
	if (*source != NULL) {
		g_source_destroy(*source);
		g_clear_pointer(source, g_source_unref);
	}
}

static gboolean on_rest(gpointer data)
{
	struct runtime *runtime = data;
	gint64 idle = g_get_monotonic_time() - runtime->ran_at;
	if (g_hash_table_size(runtime->running) > 0 || idle < REST_MS * G_GINT64_CONSTANT(1000)) {
		/* Once more: to arm it after each call costs more than a look now and then. */
		return G_SOURCE_CONTINUE;
	}
	clear_source(&runtime->rest);
	/* Not a job: the runtime itself stands for the request to rest. */
	g_thread_pool_push(runtime->workers, runtime, NULL);
	return G_SOURCE_REMOVE;
}

static GSource *add_timer(GMainContext *context, int ms, GSourceFunc callback, void *data)
{
	GSource *source = g_timeout_source_new((guint)ms);
	g_source_set_callback(source, callback, data, NULL);
	g_source_attach(source, context);
	return source;
}

static gboolean dispatch_bell(GSource *source, GSourceFunc callback, gpointer data)
{
	(void)source;
	return callback(data);
}

/* A source that is ready when its ready time says so. */
static GSource *add_bell(GMainContext *context, GSourceFunc callback, void *data)
{
	static GSourceFuncs funcs = { .dispatch = dispatch_bell };
	GSource *source = g_source_new(&funcs, sizeof(GSource));
	g_source_set_callback(source, callback, data, NULL);
	g_source_attach(source, context);
	return source;
}

/* Main context: the job is over, however it ended. Who asked hears it first, the rest can wait. */
static void retire(struct job *job)
{
	struct runtime *runtime = job->runtime;
	if (!job->cancelled) {
		job->listener.done(job->answer, job->listener.data);
	}
	clear_source(&job->waker);
	g_hash_table_remove(runtime->running, job);
	job_free(job);
	runtime->ran_at = g_get_monotonic_time();
	if (runtime->rest == NULL && runtime->platform->impl->rest != NULL) {
		runtime->rest = add_timer(runtime->context, REST_MS, on_rest, runtime);
	}
}

static gboolean on_finished(gpointer data)
{
	retire(data);
	return G_SOURCE_REMOVE;
}

/* Hands the job back to the main context, behind what it has reported. */
static void finish(struct job *job)
{
	const struct platform *platform = job->runtime->platform;
	if (answer_is(job->answer, ERROR_AMBIGUOUS_SESSION) && platform->impl->desktops != NULL) {
		platform->impl->desktops(job->answer);
	}
	if (progress_is_silent(&job->progress) && helm_regain(job->runtime->helm)) {
		retire(job);
		return;
	}
	GSource *source = g_idle_source_new();
	g_source_set_priority(source, G_PRIORITY_DEFAULT);
	g_source_set_callback(source, on_finished, job, NULL);
	g_source_attach(source, job->runtime->context);
	g_source_unref(source);
}

/* Worker: true if the job may go on under `key`; otherwise it waits and must not be touched. */
static bool enter(struct job *job, gint64 key)
{
	g_mutex_lock(&job->mutex);
	job->key = key;
	g_mutex_unlock(&job->mutex);
	return admission_enter(job->runtime->admission, key, job);
}

/* Its time went by while it waited for its turn. */
static void fail_late(struct job *job)
{
	if (job->key == KEY_DISPLAY) {
		answer_fail(job->answer, ERROR_DEADLINE_EXCEEDED,
			"Earlier calls are still waiting for the display server");
		answer_delivered(job->answer, DELIVERED_NONE);
		return;
	}
	answer_fail(job->answer, ERROR_APP_UNRESPONSIVE,
		"Earlier calls to the same application are still waiting for it");
}

/*
 * A thread default of its own, so that nothing of a worker ends up in the main loop. Nobody runs it, and it is kept: to
 * make one takes two system calls.
 */
static GMainContext *context_of_thread(void)
{
	static GPrivate kept = G_PRIVATE_INIT((GDestroyNotify)g_main_context_unref);
	GMainContext *context = g_private_get(&kept);
	if (context == NULL) {
		context = g_main_context_new();
		g_private_set(&kept, context);
	}
	return context;
}

static void run_now(struct job *job)
{
	if (g_cancellable_is_cancelled(job->call.deadline.cancel)) {
		return;
	}
	call_resume run = job->resume != NULL ? job->resume : job->call.tool->run;
	/* What is left is too short to tell a slow application from no time. */
	if (job->resume == NULL && deadline_left(job->call.deadline) < LEAST_MS) {
		fail_late(job);
		return;
	}
	GMainContext *context = context_of_thread();
	g_main_context_push_thread_default(context);
	job->resume = NULL;
	run(&job->call);
	g_main_context_pop_thread_default(context);
}

/* Returns whether it was told to stop. */
static bool set_acting(struct job *job, bool acting)
{
	g_mutex_lock(&job->mutex);
	job->acting = acting;
	bool stopped = job->stopped;
	g_mutex_unlock(&job->mutex);
	return stopped;
}

static void run_tool(struct job *job)
{
	g_autoptr(GError) error = NULL;
	/* What was done and is only waited for is no action any more. */
	if (job->call.tool->effect != TOOL_ACTS || job->resume != NULL) {
		run_now(job);
		return;
	}
	/* Before it asks whether it may: a stop in between cancels it. */
	set_acting(job, true);
	if (panic_enter(&error)) {
		run_now(job);
		panic_leave();
	} else {
		answer_fail_error(job->answer, error);
	}
	if (set_acting(job, false)) {
		answer_recode(job->answer, ERROR_CANCELLED, ERROR_PANIC_STOPPED,
			"The user stopped all input while this ran");
	}
}

static gboolean on_wake(gpointer data);

/* Worker: lays a job aside that wants to wait; it must not be touched afterwards. False if it is done. */
static bool park(struct job *job)
{
	g_mutex_lock(&job->mutex);
	bool waits = job->resume != NULL && !g_cancellable_is_cancelled(job->call.deadline.cancel);
	if (waits) {
		job->parked = true;
		if (job->waker == NULL) {
			job->waker = add_bell(job->runtime->context, on_wake, job);
		}
		g_source_set_ready_time(job->waker, job->wake_at);
	}
	g_mutex_unlock(&job->mutex);
	return waits;
}

/* Whether the call means something without a window; what target_find() said is forgotten then. */
static bool does_without(struct job *job)
{
	const struct tool *tool = job->call.tool;
	if (tool->does_without == NULL || !tool->does_without(job->args)) {
		return false;
	}
	answer_reset(job->answer);
	return true;
}

static gint64 key_of(const struct window *window)
{
	if (window == NULL) {
		return KEY_DISPLAY;
	}
	return window->pid != 0 ? window->pid : KEY_NOBODY;
}

static void work(gpointer data, gpointer user_data)
{
	struct job *job = data;
	struct runtime *runtime = user_data;
	if (data == runtime) {
		runtime->platform->impl->rest(runtime->platform, deadline_in(CALL_MS, NULL));
		picture_rest();
		malloc_trim(0);
		return;
	}
	if (job->stage == STAGE_RUN) {
		/* It had to wait for its turn, and others had theirs. */
		g_clear_pointer(&job->call.ahead, recheck_free);
	} else {
		enum scope_of scope = scope_judge(&job->call);
		if (scope == SCOPE_WINDOW_ACTION) {
			job->window = target_find(job->call.platform, job->args, job->session, job->call.deadline,
				job->answer);
		}
		job->call.window = job->window;
		job->stage = STAGE_RUN;
		admission_leave(runtime->admission, KEY_DISPLAY);
		if (scope == SCOPE_REFUSED || (scope == SCOPE_WINDOW_ACTION && job->window == NULL
			&& !does_without(job))) {
			finish(job);
			return;
		}
		if (!enter(job, scope == SCOPE_SCREEN_ACTION ? KEY_SCREEN : key_of(job->window))) {
			return;
		}
	}
	run_tool(job);
	if (!job->call.late) {
		admission_leave(runtime->admission, job->key);
	}
	if (!park(job)) {
		finish(job);
	}
}

static void start(void *item, void *data)
{
	struct runtime *runtime = data;
	if (!helm_take(runtime->helm, item)) {
		g_thread_pool_push(runtime->workers, item, NULL);
	}
}

/* Main context: takes a waiting job out of the line. False if it runs. */
static bool withdraw(struct job *job)
{
	g_mutex_lock(&job->mutex);
	gint64 key = job->key;
	g_mutex_unlock(&job->mutex);
	return admission_remove(job->runtime->admission, key, job);
}

/* It has waited for its turn for as long as it may. If it runs, whatever it waits for has the same deadline. */
static void ring(struct job *job)
{
	job->due = G_MAXINT64;
	if (!withdraw(job)) {
		return;
	}
	if (job->resume != NULL) {
		/* It has something to say, if only that it waited in vain. */
		job->call.late = true;
		start(job, job->runtime);
	} else {
		fail_late(job);
		retire(job);
	}
}

/* One that rings sooner stays, and is set again when it does: most calls are over by then. */
static void set_alarm(struct runtime *runtime, gint64 at)
{
	if (at < runtime->alarm_at) {
		runtime->alarm_at = at;
		g_source_set_ready_time(runtime->alarm, at);
	}
}

static gboolean on_alarm(gpointer data)
{
	struct runtime *runtime = data;
	gint64 now = g_get_monotonic_time();
	g_autoptr(GList) jobs = g_hash_table_get_keys(runtime->running);
	runtime->alarm_at = G_MAXINT64;
	g_source_set_ready_time(runtime->alarm, -1);
	for (GList *at = jobs; at != NULL; at = at->next) {
		struct job *job = at->data;
		if (job->due <= now) {
			ring(job);
		} else {
			set_alarm(runtime, job->due);
		}
	}
	return G_SOURCE_CONTINUE;
}

void call_progress(struct call *call, double done, double total, const char *message)
{
	progress_report(&((struct job *)call)->progress, done, total, message);
}

void call_status(struct call *call, double total, const char *message)
{
	progress_status(&((struct job *)call)->progress, total, message);
}

/* Main context: the time has come, or something has happened. */
static gboolean on_wake(gpointer data)
{
	struct job *job = data;
	g_mutex_lock(&job->mutex);
	g_source_set_ready_time(job->waker, -1);
	bool goes_on = job->parked;
	if (goes_on) {
		job->parked = false;
		job->wake_at = G_MAXINT64;
	}
	g_mutex_unlock(&job->mutex);
	if (goes_on) {
		job->call.late = false;
		gint64 now = g_get_monotonic_time();
		job->call.deadline.at = now + CALL_MS * G_GINT64_CONSTANT(1000);
		job->due = MAX(job->limit, now + LEAST_MS * G_GINT64_CONSTANT(1000));
		set_alarm(job->runtime, job->due);
		if (enter(job, job->key)) {
			start(job, job->runtime);
		}
	}
	return G_SOURCE_CONTINUE;
}

void call_park(struct call *call, gint64 at, gint64 limit, call_resume resume)
{
	struct job *job = (struct job *)call;
	g_mutex_lock(&job->mutex);
	job->resume = resume;
	job->limit = limit;
	job->wake_at = MIN(job->wake_at, at);
	g_mutex_unlock(&job->mutex);
}

void call_wake(struct call *call, gint64 at)
{
	struct job *job = (struct job *)call;
	g_mutex_lock(&job->mutex);
	if (at < job->wake_at) {
		job->wake_at = at;
		if (job->parked) {
			g_source_set_ready_time(job->waker, at);
		}
	}
	g_mutex_unlock(&job->mutex);
}

static gboolean on_sweep(gpointer data)
{
	struct runtime *runtime = data;
	if (sessions_sweep(runtime->sessions) > 0) {
		return G_SOURCE_CONTINUE;
	}
	clear_source(&runtime->sweep);
	return G_SOURCE_REMOVE;
}

/*
 * What has to be known of an element before something is done to it is asked for at once. Not while other calls run: they may
 * be about to change it. With `then` the whole window is read first, by the same ways.
 */
static void look_ahead(struct job *job)
{
	const struct args *args = job->args;
	int index;
	if (job->call.tool->effect != TOOL_ACTS || g_hash_table_size(job->runtime->running) > 0
		|| !args_knows(args, "element_token") || !args_given(args, "element_token") || args_given(args, "then")) {
		return;
	}
	struct snapshot *snapshot = token_find(job->session, args_string(args, "element_token"), &index);
	if (snapshot != NULL) {
		job->call.ahead = recheck_ahead(job->call.platform, snapshot, index);
		snapshot_unref(snapshot);
	}
}

struct call *call_start(struct runtime *runtime, const char *session, const struct tool *tool,
	struct args *args, const struct call_listener *listener)
{
	struct job *job = g_new0(struct job, 1);
	g_mutex_init(&job->mutex);
	job->runtime = runtime;
	job->args = args;
	job->session = sessions_use(runtime->sessions, session, NULL);
	job->session_name = g_strdup(session);
	if (runtime->sweep == NULL) {
		runtime->sweep = add_timer(runtime->context, (int)sessions_sweep_ms(runtime->sessions),
			on_sweep, runtime);
	}
	job->answer = answer_new();
	job->listener = *listener;
	job->progress = (struct progress){ .context = runtime->context, .hear = listener->progress, .data = listener->data };
	job->call = (struct call){
		.tool = tool, .args = args, .platform = runtime->platform, .session = job->session,
		.session_name = job->session_name, .sessions = runtime->sessions,
		.settings = runtime->settings,
		.gallery = runtime->gallery,
		.deadline = deadline_in(CALL_MS, take_cancellable(runtime)), .answer = job->answer,
	};
	look_ahead(job);
	job->stage = tool->target == TARGET_WINDOW ? STAGE_TARGET : STAGE_RUN;
	gint64 key = tool->target == TARGET_DRIVER ? KEY_OWN - (gint64)++runtime->own_keys
		: tool->target != TARGET_APP ? KEY_DISPLAY
		: args_has(args, "pid") ? args_int(args, "pid") : KEY_EVERYBODY;

	job->wake_at = G_MAXINT64;
	g_hash_table_add(runtime->running, job);
	job->due = job->call.deadline.at;
	set_alarm(runtime, job->due);
	progress_begin(&job->progress);
	if (enter(job, key)) {
		start(job, runtime);
	}
	return &job->call;
}

void call_cancel(struct call *call)
{
	struct job *job = (struct job *)call;
	job->cancelled = true;
	job->progress.hear = NULL;
	g_cancellable_cancel(job->call.deadline.cancel);
	g_mutex_lock(&job->mutex);
	bool parked = job->parked;
	job->parked = false;
	g_mutex_unlock(&job->mutex);
	/* Behind whatever it has told the main context before it was laid aside. */
	if (parked || withdraw(job)) {
		finish(job);
	}
}

/* Main context: the user has stopped all input. Unlike cancelled calls these are answered. */
static void stop_acting(void *data)
{
	struct runtime *runtime = data;
	GHashTableIter iter;
	gpointer key;
	g_hash_table_iter_init(&iter, runtime->running);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		struct job *job = key;
		g_mutex_lock(&job->mutex);
		bool acting = job->acting && !job->cancelled;
		job->stopped = job->stopped || acting;
		g_mutex_unlock(&job->mutex);
		if (acting) {
			g_cancellable_cancel(job->call.deadline.cancel);
		}
	}
}

/* Main context: nothing more is read. They end soon, and say so. */
static void stop_all(void *data)
{
	struct runtime *runtime = data;
	GHashTableIter iter;
	gpointer job;
	g_hash_table_iter_init(&iter, runtime->running);
	while (g_hash_table_iter_next(&iter, &job, NULL)) {
		g_cancellable_cancel(((struct job *)job)->call.deadline.cancel);
	}
}

void runtime_run(struct runtime *runtime, GMainLoop *loop)
{
	helm_run(runtime->helm, loop);
}

struct runtime *runtime_new(struct platform *platform)
{
	struct runtime *runtime = g_new0(struct runtime, 1);
	/*
	 * One arena for all workers: snapshots are made by one thread and freed by another, and what is left
	 * between them in an arena for each would only ever grow.
	 */
	mallopt(M_ARENA_MAX, 1);
	runtime->platform = platform;
	runtime->context = g_main_context_ref_thread_default();
	runtime->helm = helm_new(runtime->context, work, stop_all, runtime);
	runtime->workers = g_thread_pool_new(work, runtime, WORKERS, FALSE, NULL);
	runtime->admission = admission_new(start, runtime);
	runtime->gallery = gallery_new();
	runtime->sessions = sessions_new(0);
	runtime->settings = settings_new(NULL);
	runtime->running = g_hash_table_new(NULL, NULL);
	runtime->alarm = add_bell(runtime->context, on_alarm, runtime);
	runtime->alarm_at = G_MAXINT64;
	panic_attach(runtime->context, stop_acting, runtime);
	return runtime;
}

struct sessions *runtime_sessions(struct runtime *runtime)
{
	return runtime->sessions;
}

struct settings *runtime_settings(struct runtime *runtime)
{
	return runtime->settings;
}

void runtime_free(struct runtime *runtime)
{
	g_autoptr(GList) jobs = g_hash_table_get_keys(runtime->running);
	for (GList *at = jobs; at != NULL; at = at->next) {
		struct job *job = at->data;
		call_cancel(&job->call);
	}
	while (g_hash_table_size(runtime->running) > 0) {
		g_main_context_iteration(runtime->context, TRUE);
	}
	clear_source(&runtime->alarm);
	clear_source(&runtime->rest);
	clear_source(&runtime->sweep);
	drop_cancellable(runtime->spare);
	g_thread_pool_free(runtime->workers, FALSE, TRUE);
	helm_free(runtime->helm);
	panic_detach();
	admission_free(runtime->admission);
	gallery_free(runtime->gallery);
	g_hash_table_unref(runtime->running);
	sessions_free(runtime->sessions);
	settings_free(runtime->settings);
	g_main_context_unref(runtime->context);
	g_free(runtime);
}
