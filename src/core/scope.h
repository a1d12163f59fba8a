/* SPDX-License-Identifier: MIT */
#ifndef CORE_SCOPE_H
#define CORE_SCOPE_H

#include "core/call.h"

/*
 * Whether a call acts on a window or on the screen, and whether it may. The rules are one table in scope.c; they
 * are applied before anything is looked for or sent.
 */
enum scope_of {
	SCOPE_WINDOW_ACTION,  /* there has to be a window */
	SCOPE_SCREEN_ACTION,  /* there is none: x, y and keys are the screen's */
	SCOPE_REFUSED,        /* the answer has failed */
};

/* `call` needs no window yet. */
enum scope_of scope_judge(struct call *call);

/* What the arguments say of the window, in whichever way; 0 if nothing. */
pid_t scope_pid(const struct args *args);
guint64 scope_window(const struct args *args);

#endif
