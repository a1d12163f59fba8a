/* SPDX-License-Identifier: MIT */
#ifndef X11_IMAGE_H
#define X11_IMAGE_H

#include "x11/conn.h"

/* What to read: a part of a drawable, whose pixels mean what `visual` says. */
struct x11_area {
	xcb_drawable_t drawable;
	int x, y, width, height;
	int depth;
	xcb_visualid_t visual;
};

/*
 * The pixels of an area, through shared memory where the server takes it. NULL when the server
 * refuses (no such drawable, area outside it), when the pixels are of an unknown kind, or when the
 * connection failed.
 */
struct picture *x11_image_read(struct x11_server *server, const struct x11_area *area);

/* Gives the shared memory back. */
void x11_image_rest(struct x11_server *server);
/* The same without the server: the connection is closed. */
void x11_image_forget(struct x11_server *server);

#endif
