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

/* The user is taken to that window on purpose: nobody puts the user back. */
void x11_platform_forgive(struct platform *platform, const struct window *window, struct deadline deadline);

/*
 * What is to be seen of the action's element now, and the middle of that: it may have been scrolled, and its window moved,
 * since it was seen. What is scrolled out is scrolled into view. False with an error.
 */
bool rung_see(struct action *action, struct screen_rect *shown, GError **error);
/* Scrolls by the session's wheel what the action's element is an item of, where nothing else does; false if nothing was moved. */
bool wheel_reveal(struct action *action);
bool rung_locate(struct action *action, struct screen_px *point, GError **error);

/* The ways to act on X11, one a file; x11/platform.c has their order. */
extern const struct rung_impl rung_atspi; /* an element's own actions */
extern const struct rung_impl rung_ax;    /* texts, values and choices, written */
extern const struct rung_impl rung_nudge; /* values, moved as keys do */
extern const struct rung_impl rung_pixel; /* the session's own pointer */
extern const struct rung_impl rung_key;   /* the session's own keyboard */
/* Where the pointer should have clicked and could not (rung-last.c). */
extern const struct rung_impl rung_atspi_last;
extern const struct rung_impl rung_ax_last;
extern const struct rung_impl rung_nudge_last;
/* In the foreground (rung-front.c). */
extern const struct rung_impl rung_pixel_fg; /* the user's own pointer */
extern const struct rung_impl rung_xtest_fg; /* one key of the user's own keyboard */
extern const struct rung_impl rung_key_fg;   /* text by its keys */
extern const struct rung_impl rung_atspi_fg; /* what accessibility does and no pointer can */
extern const struct rung_impl rung_ax_fg;

/* What rungs with a pointer, or with a keyboard, have in common. */

/* How many notches of a wheel the action is, and the button as X counts them. */
int rung_notches(const struct action *action);
unsigned rung_button(const struct action *action);
/* Names that are no modifiers are the caller's mistake: false with an error. */
bool rung_modifiers(const struct action *action, unsigned *modifiers, GError **error);
/* What is to be pressed, struct chord; NULL with an error if there is no key for it. */
GArray *rung_chords(const struct action *action, GError **error);
/*
 * Whether a click has to give the focus first: where the caller pointed, or to an element that has it not. One that
 * was found by its focus keeps it, though a window that is not active may not say so any more.
 */
bool rung_needs_click(const struct action *action);
/* Takes a browser's keyboard to the action's element, wherever in the window it was; nothing where that is not safe. */
void rung_give_focus(const struct action *action);

#endif
