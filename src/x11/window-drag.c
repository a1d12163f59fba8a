/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/window-drag.h"

#include "core/past.h"

/* How long a window manager may take, and one that has put it elsewhere may be asked again. */
#define PLACE_MS 1000
#define AGAIN_MS 300
#define LOOK_MS 20

static char *describe(struct screen_rect rect)
{
	return g_strdup_printf("%dx%d at %d,%d", rect.width, rect.height, rect.x, rect.y);
}

static bool find(const struct action *action, struct deadline deadline, struct screen_rect *rect)
{
	g_autoptr(GPtrArray)
		windows = action->platform->impl->windows(action->platform, deadline, NULL);
	const struct window *window = windows != NULL
		? window_list_find(windows, action->window->id)
		: NULL;
	if (window != NULL) {
		*rect = window->bounds;
	}
	return window != NULL;
}

char *window_drag_look(const struct action *action, struct deadline deadline)
{
	struct screen_rect now;
	return find(action, deadline, &now) ? describe(now) : NULL;
}

static bool same(struct screen_rect a, struct screen_rect b)
{
	return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

/* Where the drag would have left it. */
static struct placement dragged(
	const struct action *action, struct screen_rect before, enum moveresize asked)
{
	static const enum moveresize tops[] = { MOVERESIZE_TOPLEFT, MOVERESIZE_TOP,
		MOVERESIZE_TOPRIGHT },
				     lows[] = { MOVERESIZE_BOTTOMLEFT, MOVERESIZE_BOTTOM,
					     MOVERESIZE_BOTTOMRIGHT };
	struct placement placement = { .moves = true, .resizes = true, .wanted = before };
	struct screen_rect *wanted = &placement.wanted;
	int dx = action->to.x - action->point.x, dy = action->to.y - action->point.y;
	if (asked == MOVERESIZE_MOVE) {
		wanted->x += dx;
		wanted->y += dy;
		return placement;
	}
	bool left = asked == MOVERESIZE_LEFT, right = asked == MOVERESIZE_RIGHT, top = false,
	     low = false;
	for (gsize i = 0; i < G_N_ELEMENTS(tops); i++) {
		top |= asked == tops[i];
		low |= asked == lows[i];
	}
	left |= asked == MOVERESIZE_TOPLEFT || asked == MOVERESIZE_BOTTOMLEFT;
	right |= asked == MOVERESIZE_TOPRIGHT || asked == MOVERESIZE_BOTTOMRIGHT;
	wanted->x += left ? dx : 0;
	wanted->y += top ? dy : 0;
	wanted->width = MAX(1, wanted->width + (right ? dx : left ? -dx : 0));
	wanted->height = MAX(1, wanted->height + (low ? dy : top ? -dy : 0));
	return placement;
}

/* Waits until it is there; `*now` is where it is in any case. */
static bool wait_for(
	const struct action *action, struct screen_rect wanted, int ms, struct screen_rect *now)
{
	struct past *past = action->platform->past;
	struct deadline until = deadline_within(action->deadline, ms);
	do {
		guint64 count = past_count(past);
		if (find(action, action->deadline, now) && same(*now, wanted)) {
			return true;
		}
		past_wait(past, count, deadline_within(until, LOOK_MS));
	} while (deadline_left(until) > 0);
	return false;
}

enum delivered window_drag(struct action *action, enum moveresize asked, GError **error)
{
	const struct window *window = action->window;
	struct platform *platform = action->platform;
	if (asked > MOVERESIZE_MOVE || window->maximized || window->fullscreen) {
		g_set_error(error, CUA_ERROR, ERROR_WINDOW_DRAG_REFUSED,
			"The application asked the window manager to %s by the user's own "
			"pointer and keyboard; that was prevented, and nothing was moved",
			asked == MOVERESIZE_MENU ? "show the window's menu"
						 : "move or resize its window");
		return DELIVERED_PARTIAL;
	}
	/* KWin may have moved it a bit before it was told not to. */
	struct screen_rect before = window->bounds;
	struct placement placement = dragged(action, before, asked);
	struct screen_rect wanted = placement.wanted, now = before;
	struct finding *finding = &action->finding;
	finding->kind = "frame";
	finding->detail = "window";
	finding->before = describe(before);
	finding->wanted = describe(wanted);
	action->performed = asked == MOVERESIZE_MOVE ? "moved" : "resized";
	action->in_page = false;
	if (!platform->impl->place(platform, window, &placement, action->deadline, error)) {
		return DELIVERED_UNKNOWN;
	}
	if (!wait_for(action, wanted, PLACE_MS, &now) && !same(now, before)) {
		/* Some place the frame instead of what is in it: what makes it right is asked for
		 * once. */
		placement.wanted.x += wanted.x - now.x;
		placement.wanted.y += wanted.y - now.y;
		if (platform->impl->place(platform, window, &placement, action->deadline, NULL)) {
			wait_for(action, wanted, AGAIN_MS, &now);
		}
	}
	return DELIVERED_FULL;
}
