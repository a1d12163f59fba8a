/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/specimen.h"

#include <stdlib.h>

#include "x11/conn.h"

#define HALF (SPECIMEN_SIZE / 2)

static const xcb_screen_t *screen_of(const struct x11_server *server)
{
	xcb_screen_iterator_t it = xcb_setup_roots_iterator(xcb_get_setup(server->c));
	while (it.rem > 1 && it.data->root != server->root) {
		xcb_screen_next(&it);
	}
	return it.data;
}

/* As the window's background the server paints it by itself, whenever it has to. */
static void paint(struct x11_server *server, const xcb_screen_t *screen)
{
	const xcb_rectangle_t all = { 0, 0, SPECIMEN_SIZE, SPECIMEN_SIZE };
	const xcb_rectangle_t white[] = { { HALF, 0, HALF, HALF }, { 0, HALF, HALF, HALF } };
	const uint32_t black_pixel[] = { screen->black_pixel }, white_pixel[] = { screen->white_pixel };
	xcb_create_pixmap(server->c, screen->root_depth, server->specimen_pixmap, server->root, SPECIMEN_SIZE,
		SPECIMEN_SIZE);
	xcb_create_gc(server->c, server->specimen_gc, server->specimen_pixmap, XCB_GC_FOREGROUND, black_pixel);
	xcb_poly_fill_rectangle(server->c, server->specimen_pixmap, server->specimen_gc, 1, &all);
	xcb_change_gc(server->c, server->specimen_gc, XCB_GC_FOREGROUND, white_pixel);
	xcb_poly_fill_rectangle(server->c, server->specimen_pixmap, server->specimen_gc, G_N_ELEMENTS(white),
		white);
	xcb_free_gc(server->c, server->specimen_gc);
}

guint64 specimen_open(struct x11 *x11, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return 0;
	}
	const xcb_screen_t *screen = screen_of(server);
	paint(server, screen);
	const uint32_t values[] = { server->specimen_pixmap, true }, below[] = { XCB_STACK_MODE_BELOW };
	xcb_create_window(server->c, XCB_COPY_FROM_PARENT, server->specimen, server->root, 0, 0, SPECIMEN_SIZE,
		SPECIMEN_SIZE, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
		XCB_CW_BACK_PIXMAP | XCB_CW_OVERRIDE_REDIRECT, values);
	xcb_free_pixmap(server->c, server->specimen_pixmap);
	xcb_configure_window(server->c, server->specimen, XCB_CONFIG_WINDOW_STACK_MODE, below);
	xcb_map_window(server->c, server->specimen);
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	guint64 id = server->specimen;
	return x11_end(server, error) ? id : 0;
}

bool specimen_close(struct x11 *x11, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	xcb_destroy_window(server->c, server->specimen);
	/* One turn, so that it is gone when this returns. */
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	return x11_end(server, error);
}

bool specimen_matches(const struct picture *picture)
{
	if (picture->width != SPECIMEN_SIZE || picture->height != SPECIMEN_SIZE) {
		return false;
	}
	for (int y = 0; y < SPECIMEN_SIZE; y++) {
		for (int x = 0; x < SPECIMEN_SIZE; x++) {
			uint32_t is = picture->pixels[y * SPECIMEN_SIZE + x] & 0xffffff;
			if (is != ((x < HALF) != (y < HALF) ? 0xffffffu : 0u)) {
				return false;
			}
		}
	}
	return true;
}
