/* SPDX-License-Identifier: MIT */
#ifndef X11_FACTS_H
#define X11_FACTS_H

#include "core/window.h"
#include "x11/conn.h"

/* What tells whether a window is what it was when it was listed. */
struct x11_facts {
	bool complete;             /* all of it could be read: the window exists */
	struct screen_rect bounds;
	bool viewable, iconic;
	pid_t pid;                 /* its owner, as the server knows it; 0 if it cannot tell */
	char *title;               /* never NULL if complete */
};

/* Asked and collected apart, so that it goes along with other requests in one turn of the server. */
#define X11_FACTS_QUESTIONS 7
struct x11_facts_asked {
	unsigned sequences[X11_FACTS_QUESTIONS]; /* in the order they were sent */
};

void x11_facts_ask(struct x11_server *server, xcb_window_t window, struct x11_facts_asked *asked);
/* Once, after asking. The caller clears `facts`. */
void x11_facts_collect(struct x11_server *server, const struct x11_facts_asked *asked, struct x11_facts *facts);
void x11_facts_clear(struct x11_facts *facts);

/*
 * Whether it is the known window: same owner, place, size and title, shown or minimised as then. False also if that
 * cannot be said.
 */
bool x11_facts_fit(const struct x11_facts *facts, const struct window *known);

#endif
