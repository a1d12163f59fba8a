/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/handle.h"

#include <string.h>

#include "x11/quirks.h"

/* As far from its border, on either side, a window may be dragged by it: GTK's corners are the
 * largest. */
#define BORDER 24
/* No title bar is higher. */
#define TITLE 64

/* Window managers move only what they manage. */
static bool is_managed(const struct window *window)
{
	static const char *const loose[] = { "menu", "popup", "tooltip", "combo", "dnd", "dock",
		"desktop", "notification", NULL };
	return !g_strv_contains(loose, window->type);
}

static bool is_at_border(struct screen_rect rect, struct screen_px point)
{
	return point.x < rect.x + BORDER || point.y < rect.y + BORDER
		|| point.x >= rect.x + rect.width - BORDER
		|| point.y >= rect.y + rect.height - BORDER;
}

/* A grip to resize it by, in the lower right or, where one reads to the left, the lower left
 * corner. */
static bool is_grip(struct screen_rect rect, struct screen_px point)
{
	return point.y >= rect.y + rect.height - BORDER
		&& (point.x < rect.x + BORDER || point.x >= rect.x + rect.width - BORDER);
}

bool handle_may_be(const struct action *action, struct screen_px point)
{
	const struct window *window = action->window;
	const char *toolkit = window->toolkit;
	if (!is_managed(window) || window->fullscreen
		|| quirks_has(toolkit, QUIRK_NO_WINDOW_DRAG)) {
		return false;
	}
	bool bare = window_is_bare(window),
	     moves = action->kind != ACTION_CLICK && action->kind != ACTION_SET_VALUE;
	if (toolkit[0] == '\0' && !bare) {
		/* Who has no toolkit that we know and lets itself be framed has no need to. */
		return false;
	}
	struct screen_rect rect = window_painted(window);
	bool by_press = quirks_has(toolkit, QUIRK_HANDED_BY_PRESS);
	if (by_press
		&& (!bare || action->kind == ACTION_HOVER || action->kind == ACTION_BUTTON_UP)) {
		return false;
	}
	if (by_press && !window->browser) {
		/* An application made of a page, which says of any part of it that it is a title
		 * bar. */
		return true;
	}
	if (moves && !by_press && !action->takes_drag) {
		/* Also menu bars, tool bars and whatever is empty are handles, in GTK and in some
		 * styles of Qt. */
		return true;
	}
	/* A press alone begins it at borders and grips; in the title bars of Chromium, SDL and
	 * others, too, but not of GTK. */
	bool waits = g_str_has_prefix(toolkit, "gtk") || g_str_equal(toolkit, "gecko");
	return is_grip(rect, point)
		|| (bare && (is_at_border(rect, point) || (!waits && point.y < rect.y + TITLE)));
}
