/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_SERVER_H
#define CUA_DESKTOP_SERVER_H

#include "desktop/desk.h"

/* A way to have a display. */
struct server_impl {
	const char *name;    /* for --server */
	const char *program; /* in PATH */
	const char *package; /* Debian's */
	const char *viewer;  /* command that shows its socket, or NULL */
	/* Adds the program's own arguments; what it adds lives as long as the array. */
	void (*arguments)(GPtrArray *argv, const struct desk *desk);
};

/* By name; the first of the table for NULL; NULL when there is none. Static. */
const struct server_impl *server_find(const char *name);

/* The names, for messages: "xvfb, xvnc". Free with g_free(). */
char *server_names(void);

/*
 * Starts the X server with a cookie of its own, sets DISPLAY and XAUTHORITY and connects
 * desk->display.
 */
bool server_start(struct desk *desk, GError **error);

#endif
