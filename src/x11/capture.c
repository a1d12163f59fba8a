/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <xcb/composite.h>

#include "core/error.h"
#include "x11/image.h"
#include "x11/redirect.h"

/*
 * A window is resized while it is read, or its id now is another window's: once more, from the
 * start.
 */
enum { TRIES = 3 };

enum outcome { SHOT_TAKEN, SHOT_GONE, SHOT_UNMAPPED, SHOT_COVERED, SHOT_UNREADABLE };

/* What the window is now. */
static enum outcome look(struct x11_server *server, xcb_window_t window, struct x11_shape *shape)
{
	unsigned ask_attributes = xcb_get_window_attributes(server->c, window).sequence;
	unsigned ask_geometry = xcb_get_geometry(server->c, window).sequence;
	xcb_get_window_attributes_reply_t *attributes = x11_reply(server, ask_attributes);
	xcb_get_geometry_reply_t *geometry = x11_reply(server, ask_geometry);
	enum outcome outcome = SHOT_GONE;
	if (attributes != NULL && geometry != NULL) {
		*shape = (struct x11_shape){
			.window = window,
			.bounds = { geometry->x, geometry->y, geometry->width, geometry->height },
			.border = geometry->border_width,
			.depth = geometry->depth,
			.visual = attributes->visual,
		};
		outcome = attributes->map_state == XCB_MAP_STATE_VIEWABLE
			&& attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT ? SHOT_TAKEN : SHOT_UNMAPPED;
	}
	free(attributes);
	free(geometry);
	return outcome;
}

static enum outcome read_window(struct x11_server *server, const struct x11_shape *shape,
	struct picture **picture)
{
	struct x11_area area = {
		.width = shape->bounds.width,
		.height = shape->bounds.height,
		.depth = shape->depth,
		.visual = shape->visual,
	};
	if (!server->has_composite) {
		/* Then only what can be seen can be read. */
		pixman_region32_t hidden;
		x11_cover_find(server, shape, &hidden);
		bool covered = pixman_region32_not_empty(&hidden);
		pixman_region32_fini(&hidden);
		if (covered) {
			return SHOT_COVERED;
		}
		area.drawable = shape->window;
		*picture = x11_image_read(server, &area);
		return *picture != NULL ? SHOT_TAKEN : SHOT_UNREADABLE;
	}
	/* The pixmap of a window includes its border. */
	area.drawable = server->pixmap;
	area.x = area.y = shape->border;
	xcb_composite_name_window_pixmap(server->c, shape->window, server->pixmap);
	*picture = x11_image_read(server, &area);
	xcb_free_pixmap(server->c, server->pixmap);
	return *picture != NULL ? SHOT_TAKEN : SHOT_UNREADABLE;
}

static enum outcome shoot(struct x11_server *server, xcb_window_t window, struct capture *capture)
{
	enum outcome outcome = SHOT_GONE;
	guint64 kept = capture->version;
	for (int try = 0; try < TRIES; try++) {
		struct x11_shape shape = { 0 };
		unsigned painted = x11_painted_ask(server, window);
		outcome = look(server, window, &shape);
		if (outcome == SHOT_TAKEN && server->has_composite) {
			x11_redirect(server, &shape);
		}
		/* What is painted from here on will be told the next time: the version is never too new. */
		capture->version = x11_painted_collect(server, window, painted, &shape);
		if (outcome == SHOT_TAKEN && (capture->version == 0 || capture->version != kept)) {
			outcome = read_window(server, &shape, &capture->picture);
		}
		if (outcome == SHOT_GONE || outcome == SHOT_UNREADABLE) {
			x11_redirect_forget(server, window);
		}
		if (outcome != SHOT_UNREADABLE || x11_failed(server)) {
			break;
		}
	}
	return outcome;
}

static void explain(enum outcome outcome, xcb_window_t window, GError **error)
{
	static const char *const meanings[] = {
		[SHOT_UNMAPPED] = "is minimised, or on a workspace that is not shown, so it has no picture",
		[SHOT_COVERED] = "is covered, and the X server has no Composite extension to see it whole",
		[SHOT_UNREADABLE] = "has pixels that cannot be read",
	};
	if (outcome == SHOT_GONE) {
		g_set_error(error, CUA_ERROR, ERROR_WINDOW_NOT_FOUND, "There is no window %u", window);
		return;
	}
	error_set(error, ERROR_NO_PICTURE, "The window %u %s", window,
		meanings[outcome]);
}

bool x11_capture(struct x11 *x11, const struct window *window, struct capture *capture,
	struct deadline deadline, GError **error)
{
	capture->picture = NULL;
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	enum outcome outcome = shoot(server, (xcb_window_t)window->id, capture);
	if (!x11_end(server, error)) {
		g_clear_pointer(&capture->picture, picture_free);
		return false;
	}
	if (outcome != SHOT_TAKEN) {
		explain(outcome, (xcb_window_t)window->id, error);
	}
	return outcome == SHOT_TAKEN;
}

struct picture *x11_capture_screen(struct x11 *x11, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return NULL;
	}
	struct picture *picture = NULL;
	struct x11_shape shape;
	enum outcome outcome = look(server, server->root, &shape);
	if (outcome == SHOT_TAKEN) {
		struct x11_area area = { server->root, 0, 0, shape.bounds.width, shape.bounds.height,
			shape.depth, shape.visual };
		picture = x11_image_read(server, &area);
		outcome = SHOT_UNREADABLE;
	}
	xcb_window_t root = server->root;
	if (!x11_end(server, error)) {
		picture_free(picture);
		return NULL;
	}
	if (picture == NULL) {
		explain(outcome, root, error);
	}
	return picture;
}

bool x11_rest(struct x11 *x11, struct deadline deadline, GError **error)
{
	struct x11_server *server = x11_begin(x11, deadline, error);
	if (server == NULL) {
		return false;
	}
	if (server->has_composite) {
		x11_redirect_rest(server);
	}
	x11_image_rest(server);
	/* One turn, so that it is done when this returns. */
	free(x11_reply(server, xcb_get_input_focus(server->c).sequence));
	return x11_end(server, error);
}
