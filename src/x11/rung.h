/* SPDX-License-Identifier: MIT */
#ifndef X11_RUNG_H
#define X11_RUNG_H

#include "atspi/atspi.h"
#include "core/health.h"
#include "core/rung.h"
#include "x11/x11.h"

/* The accessibility bus of an X11 platform, for its rungs. */
struct atspi *x11_platform_atspi(struct platform *platform);
/* Its display. */
struct x11 *x11_platform_x11(struct platform *platform);

/* What is looked at on X11 to tell whether it works (exams.c). */
extern const struct exam x11_exams[];

/* The pointers and keyboards of its sessions. */
struct devices *x11_platform_devices(struct platform *platform);

/*
 * What is to be seen of the action's element now, and the middle of that: it may have been scrolled, and its window moved,
 * since it was seen. False with an error.
 */
bool rung_see(const struct action *action, struct screen_rect *shown, GError **error);
bool rung_locate(const struct action *action, struct screen_px *point, GError **error);

/* The ways to act on X11, one a file; x11/platform.c has their order. */
extern const struct rung_impl rung_atspi; /* an element's own actions */
extern const struct rung_impl rung_ax;    /* texts, values and choices, written */
extern const struct rung_impl rung_nudge; /* values, moved as keys do */
extern const struct rung_impl rung_pixel; /* the session's own pointer */
extern const struct rung_impl rung_key;   /* the session's own keyboard */

#endif
