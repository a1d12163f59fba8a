/* SPDX-License-Identifier: MIT */
#ifndef X11_LOOKOUT_H
#define X11_LOOKOUT_H

#include "core/past.h"
#include "core/platform.h"
#include "x11/hold.h"

/*
 * Looks out for what happens on the display while the driver works: windows that come and go, what is
 * drawn in the target, who takes the user's focus or keyboard. One thread with a connection of its
 * own; it exists from the first probe until lookout_rest(). What it sees it notes in the past, and
 * what an application takes from the user it gives back (guard.c, dismiss.c). Who wants to know something now
 * takes the connection from it and asks by itself: waking another thread would take longer than the server does.
 */
struct lookout;

/* `hold` lives longer. */
struct lookout *lookout_new(const char *display, struct past *past, struct hold *hold);
void lookout_free(struct lookout *lookout);

/* The slots probe_begin, probe_end and probe_leave of struct platform_impl. */
void *lookout_ask(struct lookout *lookout, const struct window *window, enum probe_time time,
	bool allow_grab);
bool lookout_answer(struct lookout *lookout, void *ticket, struct deadline deadline,
	struct probe *probe, GError **error);
void lookout_leave(struct lookout *lookout, const struct window *window);

/* The user is about to be taken to this window, on purpose: the guard lets it happen. */
void lookout_forgive(struct lookout *lookout, const struct window *window, struct deadline deadline);

/* The slot look_out of struct platform_impl. */
void lookout_attend(struct lookout *lookout, bool on);

/* Ends the thread and what it keeps on the server. */
void lookout_rest(struct lookout *lookout);

#endif
