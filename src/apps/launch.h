/* SPDX-License-Identifier: MIT */
#ifndef APPS_LAUNCH_H
#define APPS_LAUNCH_H

#include "apps/entry.h"
#include "core/platform.h"

enum launch_state {
	LAUNCH_READY,            /* it has a window */
	LAUNCH_NO_WINDOW_YET,    /* it runs */
	LAUNCH_BROKERED,         /* it told another process, which does it, and ended */
	LAUNCH_EXITED,           /* it ended well, without a window */
	LAUNCH_FAILED,           /* it ended badly */
};
const char *launch_state_name(enum launch_state state);

/* What to start; all borrowed. */
struct launch {
	struct platform *platform;
	const GPtrArray *entries;      /* all there are */
	const struct entry *entry;     /* NULL: `arguments` is a program without one */
	const char *const *uris, *const *arguments; /* NULL if there are none */
	const char *program;           /* path, without an entry */
	bool another;                  /* also if it runs */
	int wait_ms;                   /* for its window */
	struct deadline deadline;
};

struct launched {
	enum launch_state state;
	pid_t pid;                     /* of the application; 0 if nobody knows */
	bool ran;                      /* it was there before: nothing was started */
	int status;                    /* LAUNCH_EXITED, LAUNCH_FAILED: as waitpid() tells it */
	GPtrArray *windows;            /* struct window: its windows; never NULL */
	struct probe before, after;    /* the user's side; nothing if it ran before */
	bool looked;                   /* `after` is known */
	char *tied;                    /* why it will end when the driver does; NULL: it goes on */
};
void launched_clear(struct launched *launched);

/* Starts it, or finds it; returns when it has a window, has ended, or after wait_ms. */
bool launch_run(const struct launch *launch, struct launched *launched, GError **error);

#endif
