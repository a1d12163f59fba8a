/* SPDX-License-Identifier: MIT */
#ifndef X11_UNCHANGED_H
#define X11_UNCHANGED_H

#include "core/window.h"
#include "x11/conn.h"

/*
 * Whether a window is what it was when it was listed: same owner, place, size and title, shown or minimised
 * as then. Asked and collected apart, so that it goes along with other requests in one turn of the server.
 */
#define X11_UNCHANGED_QUESTIONS 7
struct x11_unchanged {
	unsigned sequences[X11_UNCHANGED_QUESTIONS];
};

void x11_unchanged_ask(struct x11_server *server, const struct window *known,
	struct x11_unchanged *asked);

/* False also if that cannot be said. Once, after asking. */
bool x11_unchanged_collect(struct x11_server *server, const struct window *known,
	const struct x11_unchanged *asked);

#endif
