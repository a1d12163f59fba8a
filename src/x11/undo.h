/* SPDX-License-Identifier: MIT */
#ifndef X11_UNDO_H
#define X11_UNDO_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the driver changed on the display and would have to be changed back if it died now. Kept in
 * memory shared with the guardian, which outlives the driver. Every record is written before the
 * change it undoes is sent, and taken away after the change was undone.
 */
enum undo_kind {
	UNDO_FREE,
	UNDO_MASTER,   /* a pair of master devices, by name */
	UNDO_BUTTON,   /* a button held on a master pointer */
	UNDO_KEY,      /* a key held on its keyboard */
	UNDO_HOLE,     /* pixels cut out of a window's input shape */
	UNDO_MAPPING,  /* a symbol given to a key that had none */
	UNDO_KERNEL,   /* a pointer of the kernel in a pair: ends with the driver, and before the pair */
	UNDO_STANDING, /* the user's place, which `standing` of the log keeps */
	UNDO_CLIENT,   /* the pointer of an application's connection (x11/client-pointer.h) */
	UNDO_KINDS
};

enum { UNDO_NAME = 40, UNDO_RECORDS = 128, UNDO_CONNECTIONS = 16, UNDO_WINDOWS = 256 };

struct undo_record {
	gint kind;             /* enum undo_kind; written last */
	guint32 order;         /* later ones are undone first */
	char master[UNDO_NAME]; /* of whom: the name the pair was added with; "": the user's own pair */
	guint32 code;          /* button or keycode; CLIENT: the pointer before */
	guint32 symbol;        /* MAPPING: what the key was given */
	guint32 window;        /* HOLE, CLIENT; MASTER: the window it was last used on, 0: none */
	gint16 x, y;           /* HOLE: its corner, in that window */
	guint16 width, height; /* HOLE: its size */
	guint16 window_width, window_height, border; /* HOLE: of the window, when it was cut */
	bool shaped;           /* HOLE: the window had an input shape of its own */
	guint32 sum;           /* HOLE: of that shape */
};

/* Where the user was when an action in the foreground began; there is one such action at a time. */
struct undo_standing {
	guint32 target;        /* the window that was activated instead; 0: none */
	guint32 active;        /* the active window; 0: none */
	guint32 focus;         /* of the user's keyboard; 0: none or the one under the pointer */
	gint16 x, y;           /* the pointer */
	gint16 hand_x, hand_y; /* where we moved it last, if `moved` */
	bool moved;
	bool managed;          /* there is a window manager */
	guint32 count;
	guint32 windows[UNDO_WINDOWS]; /* back to front */
};

struct undo_log {
	gint driver;           /* pid */
	guint32 order;         /* handed out */
	/* The stamp of the grab of the server that a connection holds, by its number; 0: it holds none. */
	gint grabbing[UNDO_CONNECTIONS];
	char masters[UNDO_CONNECTIONS][UNDO_NAME]; /* the pair that each of them moves */
	struct undo_standing standing; /* while there is a record of that kind */
	struct undo_record records[UNDO_RECORDS];
};

/* A log in memory that other processes can map by `*fd`; NULL if there is none to be had. */
struct undo_log *undo_new(int *fd);
/* The log behind a descriptor that a driver made; NULL if it is none. */
struct undo_log *undo_open(int fd);
void undo_free(struct undo_log *log);

/*
 * Notes a change that is about to be made; `kind` and the rest are copied. NULL if the log is full:
 * then the change must not be made. Safe from any thread.
 */
struct undo_record *undo_write(struct undo_log *log, const struct undo_record *record);
/* The change was undone. NULL is allowed. */
void undo_drop(struct undo_record *record);

/*
 * The latest record before that order (G_MAXUINT32: of all), of that pair (NULL: of any); NULL if there is
 * none. What is undone is undone in this order.
 */
struct undo_record *undo_last(struct undo_log *log, const char *master, guint32 before);

#endif
