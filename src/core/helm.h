/* SPDX-License-Identifier: MIT */
#ifndef CORE_HELM_H
#define CORE_HELM_H

#include <glib.h>
#include <stdbool.h>

/*
 * Who runs the main context. To hand a call to another thread and its answer back costs two changes of threads, which
 * is more than many calls take. So the thread that reads a call works on it, too; and if that takes long another
 * thread goes on with the main context meanwhile, and keeps it. Whoever runs it, it is one thread at a time.
 */
struct helm;

/* `work` does what was taken; `stop` asks all that is still done to end, when the loop is over. */
struct helm *helm_new(GMainContext *context, void (*work)(void *item, void *data), void (*stop)(void *data),
	void *data);
void helm_free(struct helm *helm);

/* Runs the main context until the loop, which is running from the beginning, is quit. */
void helm_run(struct helm *helm, GMainLoop *loop);

/*
 * From anywhere: whether the item will be worked on by this thread, after the turn of the main context that it is in.
 * False where this is no such turn, something else will be, or nobody is free to go on with the context meanwhile.
 */
bool helm_take(struct helm *helm, void *item);

/*
 * From anywhere: whether this is the thread that worked on an item and nobody else runs the main context: then it does
 * again from now on, and what has to be done there can be done at once.
 */
bool helm_regain(struct helm *helm);

#endif
