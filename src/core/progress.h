/* SPDX-License-Identifier: MIT */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <glib.h>
#include <stdbool.h>

/* How far a call is, as whoever started it hears: from the tool itself, or that it is still worked on. */
struct progress {
	GMainContext *context;
	/* NULL: nobody wants to know. `done` grows strictly; total 0 is unknown. */
	void (*hear)(double done, double total, const char *message, void *data);
	void *data;
	gint reported;     /* something of it is, or was, under way to the main context; atomic */

	/* Main context only. */
	GSource *heartbeat;
	gint64 started;
	double told;       /* the last value */
	bool tells;        /* the tool reports itself */
	double total;      /* of the heartbeat, in seconds; 0: unknown */
	char *status;      /* what the heartbeat says; NULL: that it works */
};

/* Main context: begins to be told, and ends. What was reported must have been taken by then. */
void progress_begin(struct progress *progress);
void progress_end(struct progress *progress);

/* From the worker: tells it, instead of the heartbeat from then on; what the heartbeat says. */
void progress_report(struct progress *progress, double done, double total, const char *message);
void progress_status(struct progress *progress, double total, const char *message);

/* From the worker: whether all that was reported has been taken, because nothing was. */
bool progress_is_silent(const struct progress *progress);

#endif
