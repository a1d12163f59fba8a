/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/place.h"

#include <string.h>

#include "atspi/kind.h"
#include "atspi/role.h"
#include "gtk4-coords/scale.h"

/* By so much a widget may be larger than its place. */
#define BORDER 2

static enum units units_of(const struct window *window)
{
	return kind_is_gtk4(window) ? UNITS_GTK4
		: strcmp(window->toolkit, "gtk3") == 0 ? UNITS_GTK3 : UNITS_OTHER;
}

double place_scale(const struct window *window, struct screen_rect told)
{
	return scale_of(units_of(window), window->bounds, window->shadow, told);
}

/* Chromium counts what is in a page in pixels, and what is around it in larger units. */
static bool is_in_pixels(const struct window *window, const struct element *element)
{
	return strcmp(window->toolkit, "chromium") == 0
		&& (element->in_web_content || strcmp(element->role, role_name(ROLE_DOCUMENT_WEB)) == 0);
}

static struct screen_rect moved(struct screen_rect rect, struct screen_px by)
{
	return (struct screen_rect){ rect.x + by.x, rect.y + by.y, rect.width, rect.height };
}

/* But for a border. */
static bool within(struct screen_rect inner, struct screen_rect outer)
{
	struct screen_rect shared = screen_rect_intersect(inner, outer);
	return inner.width - shared.width <= BORDER && inner.height - shared.height <= BORDER;
}

/* A widget of GTK's on the canvas is where it says, in its part of it; as part of the canvas it would stick out of that. */
static bool is_island(const struct element *element, const struct element *parent, struct screen_px shift)
{
	static const char *const scrolled[] = {
		"document text", "document spreadsheet", "table", "tree table", "tree", "list", "paragraph", NULL,
	};
	return element->has_frame && parent->has_frame && !g_strv_contains(scrolled, parent->role)
		&& !within(moved(element->frame, shift), parent->frame) && within(element->frame, parent->frame);
}

/*
 * LibreOffice draws its windows into one widget of GTK, which fills its box, and knows where that is only from the
 * last input: until the first it has not heard of the menu bar above. The box is GTK's, and right.
 */
static void place_canvas(struct tree *tree)
{
	g_autofree struct screen_px *shifts = g_new0(struct screen_px, tree->elements->len);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		const struct element *parent = element->parent >= 0 ? tree->elements->pdata[element->parent] : NULL;
		if (parent == NULL) {
			continue;
		}
		struct screen_px shift = shifts[element->parent];
		if (strcmp(element->role, "root pane") == 0 && element->has_frame && parent->has_frame
			&& element->frame.width == parent->frame.width && element->frame.height == parent->frame.height) {
			shift = (struct screen_px){ parent->frame.x - element->frame.x, parent->frame.y - element->frame.y };
		} else if ((shift.x != 0 || shift.y != 0) && is_island(element, parent, shift)) {
			shift = (struct screen_px){ 0, 0 };
		}
		element->frame = moved(element->frame, shift);
		shifts[i] = shift;
	}
}

void place_in_pixels(struct tree *tree, const struct window *window)
{
	const struct element *first = tree->elements->len > 0 ? tree->elements->pdata[0] : NULL;
	if (first == NULL || !first->has_frame) {
		return;
	}
	struct screen_rect told = first->frame;
	double scale = place_scale(window, told);
	for (guint i = 0; i < tree->elements->len; i++) {
		struct element *element = tree->elements->pdata[i];
		if (scale != 1 && is_in_pixels(window, element)) {
			/* From the corner of the window, whose place alone is in units. */
			element->frame.x += window->bounds.x - told.x;
			element->frame.y += window->bounds.y - told.y;
		} else {
			element->frame = scale_place(units_of(window), scale, window->bounds, told, element->frame);
			element->doubt.x = (int)(element->doubt.x * scale);
			element->doubt.y = (int)(element->doubt.y * scale);
		}
	}
	if (strcmp(window->toolkit, "vcl") == 0) {
		place_canvas(tree);
	}
}
