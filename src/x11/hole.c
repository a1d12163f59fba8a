/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/hole.h"

#include <pixman.h>
#include <stdlib.h>
#include <xcb/shape.h>

void hole_ask(struct x11_server *server, xcb_window_t cover, struct hole_asked *asked)
{
	asked->cover = cover;
	asked->size = xcb_get_geometry(server->c, cover).sequence;
	asked->shape = xcb_shape_get_rectangles(server->c, cover, XCB_SHAPE_SK_INPUT).sequence;
}

void hole_forget(struct x11_server *server, struct hole_asked *asked)
{
	if (asked->cover != XCB_WINDOW_NONE) {
		xcb_discard_reply(server->c, asked->size);
		xcb_discard_reply(server->c, asked->shape);
		asked->cover = XCB_WINDOW_NONE;
	}
}

/* The input shape of a window, and its geometry; false if it is gone. `corner` may be NULL. */
static bool read_shape(struct x11_server *server, const struct hole_asked *asked, pixman_region32_t *shape,
	struct undo_record *about, struct screen_px *corner)
{
	xcb_get_geometry_reply_t *size = x11_reply(server, asked->size);
	xcb_shape_get_rectangles_reply_t *reply = x11_reply(server, asked->shape);
	pixman_region32_init(shape);
	bool there = size != NULL && reply != NULL;
	if (there) {
		const xcb_rectangle_t *rectangles = xcb_shape_get_rectangles_rectangles(reply);
		int count = xcb_shape_get_rectangles_rectangles_length(reply);
		for (int i = 0; i < count; i++) {
			pixman_region32_union_rect(shape, shape, rectangles[i].x, rectangles[i].y,
				rectangles[i].width, rectangles[i].height);
		}
		about->window_width = size->width;
		about->window_height = size->height;
		about->border = size->border_width;
		if (corner != NULL) {
			*corner = (struct screen_px){ size->x + size->border_width, size->y + size->border_width };
		}
	}
	free(size);
	free(reply);
	return there;
}

/* What the server says of a window that has no input shape of its own: all of it. */
static bool is_whole(pixman_region32_t *shape, const struct undo_record *about)
{
	pixman_region32_t whole;
	int border = about->border;
	pixman_region32_init_rect(&whole, -border, -border, about->window_width + 2u * (unsigned)border,
		about->window_height + 2u * (unsigned)border);
	bool equal = pixman_region32_equal(shape, &whole);
	pixman_region32_fini(&whole);
	return equal;
}

static guint32 sum_of(pixman_region32_t *shape)
{
	int count;
	const pixman_box32_t *boxes = pixman_region32_rectangles(shape, &count);
	guint32 sum = 5381;
	for (int i = 0; i < count; i++) {
		const gint32 numbers[] = { boxes[i].x1, boxes[i].y1, boxes[i].x2, boxes[i].y2 };
		for (int k = 0; k < 4; k++) {
			sum = sum * 33 + (guint32)numbers[k];
		}
	}
	return sum;
}

static void change(struct x11_server *server, const struct undo_record *hole, xcb_shape_op_t operation)
{
	const xcb_rectangle_t rectangle = { hole->x, hole->y, hole->width, hole->height };
	xcb_shape_rectangles(server->c, operation, XCB_SHAPE_SK_INPUT, XCB_CLIP_ORDERING_UNSORTED,
		hole->window, 0, 0, 1, &rectangle);
}

struct undo_record *hole_cut(struct x11_server *server, struct undo_log *log, const char *master,
	const struct hole_asked *asked, struct screen_rect pixels)
{
	struct undo_record hole = { .kind = UNDO_HOLE, .window = asked->cover };
	struct undo_record *record = NULL;
	pixman_region32_t shape, cut;
	g_strlcpy(hole.master, master, sizeof hole.master);
	struct screen_px corner;
	pixman_region32_init_rect(&cut, pixels.x, pixels.y, (unsigned)pixels.width, (unsigned)pixels.height);
	if (read_shape(server, asked, &shape, &hole, &corner)) {
		pixman_region32_translate(&cut, -corner.x, -corner.y);
		hole.shaped = !is_whole(&shape, &hole);
		hole.sum = sum_of(&shape);
		/* Only what is in it: all of what is cut is put back. */
		pixman_region32_intersect(&cut, &cut, &shape);
		const pixman_box32_t *box = pixman_region32_extents(&cut);
		hole.x = (gint16)box->x1;
		hole.y = (gint16)box->y1;
		hole.width = (guint16)(box->x2 - box->x1);
		hole.height = (guint16)(box->y2 - box->y1);
		record = pixman_region32_not_empty(&cut) ? undo_write(log, &hole) : NULL;
	}
	if (record != NULL) {
		change(server, record, XCB_SHAPE_SO_SUBTRACT);
	}
	pixman_region32_fini(&shape);
	pixman_region32_fini(&cut);
	return record;
}

static void restore(struct x11_server *server, const struct undo_record *hole)
{
	if (hole->shaped) {
		change(server, hole, XCB_SHAPE_SO_UNION);
	} else {
		xcb_shape_mask(server->c, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_INPUT, hole->window, 0, 0,
			XCB_PIXMAP_NONE);
	}
}

void hole_close(struct x11_server *server, struct undo_record *hole)
{
	restore(server, hole);
}

void hole_mend(struct x11_server *server, const struct undo_record *hole)
{
	struct undo_record now = { 0 };
	struct hole_asked asked;
	pixman_region32_t shape;
	hole_ask(server, hole->window, &asked);
	if (read_shape(server, &asked, &shape, &now, NULL)) {
		pixman_region32_t before;
		pixman_region32_init(&before);
		pixman_region32_copy(&before, &shape);
		pixman_region32_union_rect(&before, &before, hole->x, hole->y, hole->width, hole->height);
		if (!pixman_region32_equal(&before, &shape) && sum_of(&before) == hole->sum) {
			restore(server, hole);
		}
		pixman_region32_fini(&before);
	}
	pixman_region32_fini(&shape);
}
