/* SPDX-License-Identifier: MIT */
#ifndef CORE_CALL_H
#define CORE_CALL_H

#include "core/answer.h"
#include "core/args.h"
#include "core/gallery.h"
#include "core/platform.h"
#include "core/sessions.h"
#include "core/settings.h"

struct runtime;
struct recheck;

/* One running call of a tool, as the tool sees it. Everything is borrowed. */
struct call {
	const struct tool *tool;
	const struct args *args;
	struct platform *platform;
	struct session *session;
	const char *session_name;    /* its name in `sessions` */
	struct sessions *sessions;
	struct settings *settings;
	struct gallery *gallery;
	const struct window *window; /* TARGET_WINDOW: what pid and window_id mean; NULL: the screen (scope.h) */
	struct deadline deadline;
	struct answer *answer;       /* to be filled */
	struct recheck *ahead;       /* of the element that element_token means; NULL: none, or somebody took it */
	bool late;                   /* resumed because time is over, and not in its turn: talk to nobody */
	/* What the tool keeps while it is parked, and how that ends; `forget` is called whatever happens. */
	void *state;
	void (*forget)(void *state);
};

/* A tool's way to go on after it was parked; like struct tool's run. */
typedef void (*call_resume)(struct call *call);

/* Who started a call is told by these, in the main context, one after another. */
struct call_listener {
	/* The last thing that happens; not after call_cancel(). The answer is borrowed. */
	void (*done)(const struct answer *answer, void *data);
	/* NULL if nobody wants to know. `done` grows strictly; total 0 is unknown. */
	void (*progress)(double done, double total, const char *message, void *data);
	void *data;
};

/* Tells the caller how far the call is, from the worker. Replaces the heartbeat from then on. */
void call_progress(struct call *call, double done, double total, const char *message);

/* What the heartbeat says from now on, beside the seconds so far; `total` of them, 0 is unknown. */
void call_status(struct call *call, double total, const char *message);

/*
 * The tool waits for something to happen: when it returns now it leaves its thread and its turn at the
 * application, and `resume` is called, in its turn, at the time `at` or when call_wake() says so. At
 * `limit` it is called even if the application is still busy with another call. From the worker.
 */
void call_park(struct call *call, gint64 at, gint64 limit, call_resume resume);

/*
 * Lets a parked call go on at the time `at` (now, if it has passed) if that is sooner than planned. From
 * any thread, until the call's `forget` has returned. A call that runs takes it as its next parking's end.
 */
void call_wake(struct call *call, gint64 at);

/*
 * Starts a call; returns at once. Takes over args. Main context only, like all functions here except
 * those that say otherwise. The handle is valid until `done` was called. `session` is the name of one of
 * runtime_sessions().
 */
struct call *call_start(struct runtime *runtime, const char *session, const struct tool *tool,
	struct args *args, const struct call_listener *listener);

/* Stops it: the listener hears nothing any more, and the handle is gone. */
void call_cancel(struct call *call);

/*
 * Calls, and what they share: platform, workers, admission, gallery. One per process.
 * The platform is borrowed and must outlive the runtime.
 */
struct runtime *runtime_new(struct platform *platform);

/* Runs the main context until the loop, which g_main_loop_new() has to say is running, is quit. */
void runtime_run(struct runtime *runtime, GMainLoop *loop);

/* What the calls share. Borrowed. */
struct sessions *runtime_sessions(struct runtime *runtime);
struct settings *runtime_settings(struct runtime *runtime);

/* Cancels what runs and waits for the workers, each at most until its deadline. */
void runtime_free(struct runtime *runtime);

#endif
