/* SPDX-License-Identifier: MIT */
#ifndef X11_REFUGE_H
#define X11_REFUGE_H

#include "x11/conn.h"

/* A pixel of the screen where a pointer can rest. */
struct refuge {
	struct screen_px pixel;
	bool found;             /* there is one */
	xcb_window_t ground;    /* what is there: a wallpaper, or 0: the bare root */
	int width, height;      /* of the screen then */
};

/* What was asked about it. */
struct refuge_asked {
	unsigned top, size;
};

/*
 * Finds one where no window is that could come in front of another one there, and where the user's pointer is not
 * either. Takes two turns of the server.
 */
void refuge_find(struct x11_server *server, struct screen_px user, struct refuge *refuge);

/* Asks whether it still is one. */
void refuge_ask(struct x11_server *server, const struct refuge *refuge, struct refuge_asked *asked);
bool refuge_holds(struct x11_server *server, const struct refuge_asked *asked, struct screen_px user,
	const struct refuge *refuge);

#endif
