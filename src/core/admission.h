/* SPDX-License-Identifier: MIT */
#ifndef CORE_ADMISSION_H
#define CORE_ADMISSION_H

#include <glib.h>
#include <stdbool.h>

/*
 * One at a time for each key (an application, or the display). What has to wait is only noted here
 * and holds no thread, so a hung application cannot fill the worker pool. Safe from any thread.
 */
struct admission;

/* `start` gets each waiting item when its turn comes, from the thread that left. */
struct admission *admission_new(void (*start)(void *item, void *data), void *data);
void admission_free(struct admission *admission);

/* True: go ahead, and leave afterwards. False: the item waits and `start` will get it. */
bool admission_enter(struct admission *admission, gint64 key, void *item);
void admission_leave(struct admission *admission, gint64 key);

/* Takes a waiting item out. False if it does not wait: it runs, or is done. */
bool admission_remove(struct admission *admission, gint64 key, void *item);

#endif
