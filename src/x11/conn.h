/* SPDX-License-Identifier: MIT */
#ifndef X11_CONN_H
#define X11_CONN_H

#include <stdbool.h>
#include <xcb/damage.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

#include "x11/x11.h"

/* The atoms every connection interns at once; X11_ATOM(_NET_WM_NAME) is ATOM__NET_WM_NAME. */
#define X11_ATOMS(X11_ATOM) \
	X11_ATOM(UTF8_STRING) \
	X11_ATOM(COMPOUND_TEXT) \
	X11_ATOM(CLIPBOARD) \
	X11_ATOM(WM_PROTOCOLS) \
	X11_ATOM(WM_STATE) \
	X11_ATOM(WM_CLIENT_LEADER) \
	X11_ATOM(XdndSelection) \
	X11_ATOM(XdndAware) \
	X11_ATOM(XFree86_has_VT) \
	X11_ATOM(_NET_SUPPORTING_WM_CHECK) \
	X11_ATOM(_NET_CLIENT_LIST) \
	X11_ATOM(_NET_CLIENT_LIST_STACKING) \
	X11_ATOM(_NET_ACTIVE_WINDOW) \
	X11_ATOM(_NET_CURRENT_DESKTOP) \
	X11_ATOM(_NET_WM_NAME) \
	X11_ATOM(_NET_WM_PID) \
	X11_ATOM(_NET_WM_PING) \
	X11_ATOM(_NET_WM_USER_TIME) \
	X11_ATOM(_NET_STARTUP_ID) \
	X11_ATOM(_NET_WM_DESKTOP) \
	X11_ATOM(_NET_WM_STATE) \
	X11_ATOM(_NET_WM_STATE_HIDDEN) \
	X11_ATOM(_NET_WM_STATE_SHADED) \
	X11_ATOM(_NET_WM_STATE_MAXIMIZED_VERT) \
	X11_ATOM(_NET_WM_STATE_MAXIMIZED_HORZ) \
	X11_ATOM(_NET_WM_STATE_FULLSCREEN) \
	X11_ATOM(_NET_WM_STATE_MODAL) \
	X11_ATOM(_NET_MOVERESIZE_WINDOW) \
	X11_ATOM(_NET_RESTACK_WINDOW) \
	X11_ATOM(_NET_WM_MOVERESIZE) \
	X11_ATOM(_GTK_SHOW_WINDOW_MENU) \
	X11_ATOM(_NET_WM_WINDOW_TYPE) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_NORMAL) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_DIALOG) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_MENU) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_DROPDOWN_MENU) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_POPUP_MENU) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_TOOLTIP) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_UTILITY) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_DOCK) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_DESKTOP) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_SPLASH) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_TOOLBAR) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_NOTIFICATION) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_COMBO) \
	X11_ATOM(_NET_WM_WINDOW_TYPE_DND) \
	X11_ATOM(_GTK_FRAME_EXTENTS) \
	X11_ATOM(_NET_FRAME_EXTENTS) \
	X11_ATOM(_GTK_THEME_VARIANT) \
	X11_ATOM(_GTK_HIDE_TITLEBAR_WHEN_MAXIMIZED) \
	X11_ATOM(_XEMBED_INFO) \
	X11_ATOM(_NET_WM_SYNC_REQUEST_COUNTER) \
	X11_ATOM(Editres) \
	X11_ATOM(XIM_SERVERS) \
	X11_ATOM(TRANSPORT) \
	X11_ATOM(_CUA_DRIVER_YIELD) \
	X11_ATOM(_CUA_DRIVER_WATCH) \
	X11_ATOM(_CUA_DRIVER_KEYMAP) \
	X11_ATOM(_CUA_DRIVER_KEYMAP_NEXT)

enum x11_atom {
#define X11_ATOM(name) ATOM_##name,
	X11_ATOMS(X11_ATOM)
#undef X11_ATOM
	/* Its name holds the screen's number. */
	ATOM_COMPOSITOR,
	ATOM_COUNT
};

/* The core pointer and keyboard, in every server; other masters belong to agents. */
enum {
	DEVICE_CORE_POINTER = 2,
	DEVICE_CORE_KEYBOARD = 3,
};

/* How many windows stay redirected after a capture. */
enum { REDIRECTS_KEPT = 8 };

/* What has to be known of a window before its pixels can be read. */
struct x11_shape {
	xcb_window_t window;
	struct screen_rect bounds; /* without the border, in its parent */
	int border;
	int depth;
	xcb_visualid_t visual;
};

/* A window that captures have redirected. */
struct x11_redirect {
	xcb_window_t window;
	guint64 used;               /* tick of its last capture */
	xcb_damage_damage_t damage; /* what it painted since somebody asked */
	guint64 version;            /* of what it shows; 0: not known yet */
	struct x11_shape shape;     /* of that version */
};

/* Memory shared with the server, for one picture; NULL while there is none. */
struct x11_memory;
struct x11_segment {
	xcb_shm_seg_t id;
	struct x11_memory *memory;
};
/* One may still be looked at when the next picture is taken. */
enum { SEGMENTS = 2 };

struct x11_ahead;

/*
 * One connection and what was learnt about the server behind it. Lives as long as the connection,
 * so a restarted server is never asked with the atoms of the old one. Belongs to the thread between
 * x11_begin() and x11_end().
 */
struct x11_server {
	struct x11 *x11;
	xcb_connection_t *c;
	xcb_window_t root;
	uint32_t id_mask;                /* the part of an XID that one client chooses */
	xcb_atom_t atoms[ATOM_COUNT];
	bool has_composite, has_damage, has_randr, has_xinput, has_res, has_shape, has_sync, has_xkb, has_xtest;
	uint8_t xinput_opcode;
	bool has_shm;                    /* it takes file descriptors from us */
	uint8_t damage_notify;           /* event code */
	uint8_t selection_notify;        /* that of XFixes; 0 without it */

	/* The call that has the connection now. */
	struct deadline deadline;
	GError *failure;
	unsigned marker;                 /* 0, or the request that ends a time without answers */

	/* The counter of the time since the user's last key; 0: not asked for yet, or there is none. */
	uint32_t typing;

	/* Whether x11/device.c has made its pair of devices on it. */
	bool has_pair;

	/* How many of its callers hear what is sent to the root window (ping.c). */
	unsigned hearers;

	/* The window that said it is the window manager, so that asking it needs no extra turn. */
	xcb_window_t wm_check;

	/* The questions of the last list of windows (ahead.c); NULL before the first. */
	struct x11_ahead *ahead;
	unsigned oldest;                 /* 0, or its first request: replies come in no order from there */

	xcb_window_t clock;              /* a window of ours, never shown, whose properties tell the time */
	xcb_window_t pulse;              /* and one that the window manager moves (pulse.c) */

	/* Captures. The ids are used again and again: a connection has a bounded number of them. */
	struct x11_redirect redirects[REDIRECTS_KEPT];
	guint64 tick;
	struct x11_segment segments[SEGMENTS];
	xcb_pixmap_t pixmap;
	xcb_damage_damage_t damage;      /* to wait for the first painting */
	xcb_xfixes_region_t region;

	/* A window of our own to try things on (specimen.c). */
	xcb_window_t specimen;
	xcb_pixmap_t specimen_pixmap;
	xcb_gcontext_t specimen_gc;
};

/*
 * Takes the connection, connecting when needed, or returns NULL with an error. Requests are sent
 * with plain xcb calls that do not wait: all of a step first, then their replies, in the order
 * sent. Never block on `server->c` otherwise: no xcb_*_reply(), no xcb_wait_*(), no
 * xcb_generate_id().
 */
struct x11_server *x11_begin(struct x11 *x11, struct deadline deadline, GError **error);

/*
 * Gives the connection back. Returns false with the error that struck since x11_begin(), if one
 * did: what was collected is then incomplete and must be thrown away.
 */
bool x11_end(struct x11_server *server, GError **error);

/*
 * The reply to a request, to be freed with free(). NULL when the server refused the request (the
 * window is gone), when `sequence` is 0, and after the connection failed; x11_failed() and
 * x11_end() tell.
 */
void *x11_reply(struct x11_server *server, unsigned sequence);

/* Whether the call cannot go on: every further reply will be NULL. */
bool x11_failed(const struct x11_server *server);

/*
 * typing.c: how long ago the user pressed a key, in ms; G_MAXUINT if nobody can tell. Asking takes turns the first
 * time.
 */
unsigned x11_typing_ask(struct x11_server *server);
unsigned x11_typing_collect(struct x11_server *server, unsigned asked);

/*
 * What toolkit.c remembers, key string → static name; outlives connections, has its own lock.
 */
GHashTable *x11_lock_toolkits(struct x11 *x11);
void x11_unlock_toolkits(struct x11 *x11);

/* Blocks: opens `display`. For the connecting thread only. NULL, and `why`, if it cannot. */
struct x11_server *x11_server_open(const char *display, char **why);
void x11_server_close(struct x11_server *server);

#endif
