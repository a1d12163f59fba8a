/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_WM_H
#define CUA_DESKTOP_WM_H

#include "desktop/desk.h"

/*
 * Settles desk->wm_program and desk->wm_impl from options.wm. A name that is not installed is
 * EXIT_UNAVAILABLE. No program means no window manager.
 */
bool wm_choose(struct desk *desk, GError **error);

/* The names of the table, for help: "openbox, xfwm4, …". Free with g_free(). */
char *wm_names(void);

/* Starts it; does not wait. Nothing to do without a program. */
bool wm_start(struct desk *desk, GError **error);

/* Until the root window has a _NET_SUPPORTING_WM_CHECK that holds and windows are shown; at most 15 s. */
bool wm_await(struct desk *desk, GError **error);

#endif
