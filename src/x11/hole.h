/* SPDX-License-Identifier: MIT */
#ifndef X11_HOLE_H
#define X11_HOLE_H

#include "x11/conn.h"
#include "x11/undo.h"

/*
 * A few pixels of a window that a pointer goes through: they are cut out of its input shape, so what lies
 * below is under the pointer. Nothing is painted and nobody sees it. A hole lives inside one grab of the
 * server: no window moves meanwhile, and nobody else's pointer is there.
 */

/* What has to be known of a window before it is cut. */
struct hole_asked {
	xcb_window_t cover;
	unsigned size, shape;
};
void hole_ask(struct x11_server *server, xcb_window_t cover, struct hole_asked *asked);
/* Nobody wants to know after all; nothing if nobody asked. */
void hole_forget(struct x11_server *server, struct hole_asked *asked);

/*
 * Cuts those pixels of the screen out of a child of the root that was asked about in the same grab of the server.
 * Returns what closes it, or NULL: there was no room in the log, or none of them is in its shape.
 */
struct undo_record *hole_cut(struct x11_server *server, struct undo_log *log, const char *master,
	const struct hole_asked *asked, struct screen_rect pixels);

/* Closes it in the same grab of the server: the shape becomes what it was. */
void hole_close(struct x11_server *server, struct undo_record *hole);

/* The same much later and by somebody else: only if the window's shape still is the one with the hole. */
void hole_mend(struct x11_server *server, const struct undo_record *hole);

#endif
