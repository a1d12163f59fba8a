/* SPDX-License-Identifier: MIT */
#ifndef X11_DESK_H
#define X11_DESK_H

#include "x11/conn.h"

/* What the root window knows: the state one window list is made from. */
struct x11_desk {
	bool managed;              /* a window manager that speaks EWMH runs now */
	GArray *clients;           /* xcb_window_t that it manages, back to front where it says so */
	GArray *children;          /* xcb_window_t of the root, back to front */
	xcb_window_t active;       /* what the window manager says; 0 if none */
	xcb_window_t focus;        /* of the user's keyboard; 0 if none or under the pointer */
	struct screen_px pointer;  /* the user's */
	int workspace;             /* current; -1 if unknown */
	struct screen_rect bounds; /* of the screen */
	GPtrArray *monitors;       /* struct monitor, without names */
};

/* How much of it is asked for. */
enum x11_desk_part {
	X11_DESK_USER, /* not where monitors and workspaces are */
	X11_DESK_ALL,
};

/* What was asked of it; 0: not asked. */
struct x11_desk_asked {
	xcb_window_t wm_check;     /* who was the window manager when it was asked */
	unsigned check, itself, stacking, list, active, workspace, focus, pointer, geometry, monitors, tree;
};

/* Both are one turn of the server, which something else may be asked in, too. The caller clears `desk`. */
void x11_desk_ask(struct x11_server *server, enum x11_desk_part part, struct x11_desk_asked *asked);
void x11_desk_collect(struct x11_server *server, const struct x11_desk_asked *asked, struct x11_desk *desk);

/* Asks and collects. */
void x11_desk_read(struct x11_server *server, enum x11_desk_part part, struct x11_desk *desk);
void x11_desk_clear(struct x11_desk *desk);

/*
 * The user's pointer and the focus of the user's keyboard: sequences, and what their replies say.
 */
unsigned x11_pointer_ask(struct x11_server *server);
bool x11_pointer_collect(struct x11_server *server, unsigned sequence, struct screen_px *point);
unsigned x11_focus_ask(struct x11_server *server);
xcb_window_t x11_focus_collect(struct x11_server *server, unsigned sequence);

/*
 * Monitors in the server's order. Without RandR 1.5 the whole screen is the only one. `names`, if
 * not NULL, gets the atom of each name (0: none).
 */
unsigned x11_monitors_ask(struct x11_server *server);
GPtrArray *x11_monitors_collect(struct x11_server *server, unsigned sequence,
	struct screen_rect screen, GArray *names);

#endif
