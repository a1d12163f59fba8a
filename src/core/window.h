/* SPDX-License-Identifier: MIT */
#ifndef CORE_WINDOW_H
#define CORE_WINDOW_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/frame.h"
#include "gtk4-coords/coords.h"

/* One window as the display server and the window manager know it. */
struct window {
	guint64 id;              /* what clients pass as window_id; the identity of a window */
	pid_t pid;               /* the owner as the server knows it; 0 if it cannot tell */
	char *app_name;          /* never NULL; "" if unknown */
	char *title;             /* UTF-8, never NULL; "" if untitled */
	struct screen_rect bounds; /* the application's own area, without the frame around it */
	int z_index;             /* 0 at the back; -1 if unknown */
	bool on_screen;          /* mapped, and some part of it on a monitor */
	bool on_current_space;
	bool active;             /* the user is working in it */
	bool minimized;
	bool maximized;          /* in any direction */
	bool fullscreen;
	bool modal;              /* what it is for takes no input while it is there */
	int workspace;           /* from 0; -1 on all workspaces or unknown */
	int monitor;             /* index into screen.monitors; -1 if on none */
	const char *toolkit;     /* "gtk3", "gtk4", "qt5", "chromium", …; "" if unknown; static */
	bool browser;            /* its web content is a tab's, not a view in an application */
	const char *type;        /* "normal", "dialog", "menu", "popup", …; static */
	guint64 transient_for;   /* 0 if none */
	struct gtk4_extents shadow; /* what the application draws around its content itself */
	struct gtk4_extents decoration; /* what the window manager draws around the window */
	int namesakes;           /* other windows of the same process with the same title but tool tips */
};

struct monitor {
	char *name;
	struct screen_rect bounds;
	bool primary;
};

/* The whole span of all monitors. */
struct screen {
	int width, height;
	double scale;           /* 1.0 unless the desktop says otherwise */
	GPtrArray *monitors;    /* struct monitor */
};

struct window *window_new(void);
struct window *window_copy(const struct window *window);
void window_free(struct window *window);
void screen_clear(struct screen *screen);
/* An empty list whose elements are freed with window_free(). */
GPtrArray *window_list_new(void);
/* The window of that id, borrowed from the list, or NULL. */
struct window *window_list_find(const GPtrArray *windows, guint64 id);
/* The dialog that has to be answered before the window takes input again, borrowed from the list; NULL if there is none. */
const struct window *window_list_blocker(const GPtrArray *windows, const struct window *window);
/* Whether nobody but the application draws a frame around it, as far as is known. */
bool window_is_bare(const struct window *window);
/* What is painted of it, without the shadow that the application draws around. */
struct screen_rect window_painted(const struct window *window);
/* Fills in `namesakes` of every window of the list. */
void window_list_count_namesakes(GPtrArray *windows);
/* An empty list of struct monitor that frees its elements. */
GPtrArray *monitor_list_new(void);


#endif
