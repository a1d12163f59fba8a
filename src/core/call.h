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
	const struct window *window; /* TARGET_WINDOW: what pid and window_id mean */
	struct deadline deadline;
	struct answer *answer;       /* to be filled */
};

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

/*
 * Starts a call; returns at once. Takes over args. Main context only, like all functions here except
 * call_progress(). The handle is valid until `done` was called. `session` is the name of one of
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

/* What the calls share. Borrowed. */
struct sessions *runtime_sessions(struct runtime *runtime);
struct settings *runtime_settings(struct runtime *runtime);

/* Cancels what runs and waits for the workers, each at most until its deadline. */
void runtime_free(struct runtime *runtime);

#endif
