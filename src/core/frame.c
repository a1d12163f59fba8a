/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/frame.h"

#include <glib.h>
#include <math.h>

bool screen_rect_empty(struct screen_rect rect)
{
	return rect.width <= 0 || rect.height <= 0;
}

bool screen_rect_plausible(struct screen_rect rect)
{
	const int far = 1 << 20;
	return rect.x > -far && rect.x < far && rect.y > -far && rect.y < far && rect.width < far
		&& rect.height < far;
}

bool screen_rect_contains(struct screen_rect rect, struct screen_px point)
{
	return point.x >= rect.x && point.x - rect.x < rect.width
		&& point.y >= rect.y && point.y - rect.y < rect.height;
}

struct screen_rect screen_rect_intersect(struct screen_rect a, struct screen_rect b)
{
	int left = MAX(a.x, b.x), top = MAX(a.y, b.y);
	int right = MIN(a.x + a.width, b.x + b.width), bottom = MIN(a.y + a.height, b.y + b.height);
	return (struct screen_rect){ left, top, MAX(right - left, 0), MAX(bottom - top, 0) };
}

struct screen_px screen_rect_center(struct screen_rect rect)
{
	return (struct screen_px){ rect.x + rect.width / 2, rect.y + rect.height / 2 };
}

static bool is_empty(struct window_rect rect)
{
	return rect.width <= 0 || rect.height <= 0;
}

struct window_rect window_rect_join(struct window_rect a, struct window_rect b)
{
	if (is_empty(a) || is_empty(b)) {
		return is_empty(a) ? b : a;
	}
	struct window_px at = { MIN(a.at.x, b.at.x), MIN(a.at.y, b.at.y) };
	return (struct window_rect){ at, MAX(a.at.x + a.width, b.at.x + b.width) - at.x,
		MAX(a.at.y + a.height, b.at.y + b.height) - at.y };
}

struct window_px frame_screen_to_window(const struct frame *frame, struct screen_px point)
{
	return (struct window_px){ point.x - frame->window.x, point.y - frame->window.y };
}

struct screen_px frame_window_to_screen(const struct frame *frame, struct window_px point)
{
	return (struct screen_px){ point.x + frame->window.x, point.y + frame->window.y };
}

/* Maps the pixel whose centre is value + ½ from a side of `from` pixels to one of `to` pixels. */
static int rescale(int value, int from, int to)
{
	return from == to || from <= 0 ? value : (int)floor((value + 0.5) * to / from);
}

struct shot_px frame_screen_to_shot(const struct frame *frame, struct screen_px point)
{
	struct window_px inside = frame_screen_to_window(frame, point);
	return (struct shot_px){
		rescale(inside.x, frame->window.width, frame->shot_width),
		rescale(inside.y, frame->window.height, frame->shot_height),
	};
}

struct screen_px frame_shot_to_screen(const struct frame *frame, struct shot_px point)
{
	return frame_window_to_screen(frame, (struct window_px){
		rescale(point.x, frame->shot_width, frame->window.width),
		rescale(point.y, frame->shot_height, frame->window.height),
	});
}

/* Edges, not pixels: the first from below, the second from above, so that nothing is cut. */
static void stretch(int first, int second, int from, int to, int *start, int *length)
{
	int begin = (int)((gint64)first * to / from), end = (int)(((gint64)second * to + from - 1) / from);
	*start += begin;
	*length = end - begin;
}

struct screen_rect frame_shot_rect(const struct frame *frame, int x1, int y1, int x2, int y2)
{
	struct screen_rect rect = frame->window;
	stretch(x1, x2, frame->shot_width, frame->window.width, &rect.x, &rect.width);
	stretch(y1, y2, frame->shot_height, frame->window.height, &rect.y, &rect.height);
	return rect;
}

void frame_fit(int width, int height, int limit, int *shot_width, int *shot_height)
{
	int longer = MAX(width, height);
	*shot_width = width;
	*shot_height = height;
	if (limit > 0 && longer > limit) {
		*shot_width = MAX(1, (int)lround((double)width * limit / longer));
		*shot_height = MAX(1, (int)lround((double)height * limit / longer));
	}
}
