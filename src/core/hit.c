/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/hit.h"

#include <string.h>

#include "core/sight.h"

/* What a click may be meant for, the less the weaker. */
enum claim {
	CLAIM_NONE,
	CLAIM_PASSIVE,  /* shows something */
	CLAIM_SOME,     /* can be acted on, somehow */
	CLAIM_ACTUATOR, /* is there to be clicked */
};

static bool is_one_of(const struct element *element, const char *const *roles)
{
	return g_strv_contains(roles, element->role);
}

static enum claim claim_of(const struct element *element)
{
	/* They are behind everything else; their actions close or move the window. */
	static const char *const whole[] = {
		"frame", "window", "dialog", "alert", "application", "document web", "document frame",
		"internal frame", "root pane", "layered pane", "file chooser", NULL,
	};
	static const char *const shown[] = {
		"label", "static", "image", "icon", "heading", "paragraph", "caption", NULL,
	};
	static const char *const around[] = {
		"panel", "filler", "section", "scroll pane", "viewport", "split pane", "list", "list box",
		"table", "tree", "tree table", "page tab list", "menu bar", "tool bar", "grouping",
		"table row", NULL,
	};
	if (is_one_of(element, whole)) {
		return CLAIM_NONE;
	}
	if (is_one_of(element, shown)) {
		/* GTK4 has actions on every label; a picture that can be selected is an icon view's. */
		return element->selectable ? CLAIM_ACTUATOR : CLAIM_PASSIVE;
	}
	if (is_one_of(element, around)) {
		return element->index >= 0 ? CLAIM_SOME : CLAIM_NONE;
	}
	return element->index >= 0 ? CLAIM_ACTUATOR : CLAIM_NONE;
}

const struct element *hit_test(const struct tree *tree, struct screen_rect window,
	struct screen_px point)
{
	const struct element *best = NULL;
	enum claim strongest = CLAIM_NONE;
	gint64 least = G_MAXINT64;
	g_autofree struct sight *sights = sight_of(tree, window);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		/* What another application lists elsewhere is not what is drawn here. */
		if (element->foreign || !sights[i].visible
			|| !screen_rect_contains(sights[i].seen, point)
			|| !screen_rect_contains(element->frame, point)) {
			continue;
		}
		enum claim claim = claim_of(element);
		gint64 area = (gint64)element->frame.width * element->frame.height;
		/* Of equal ones the last is drawn on top. */
		if (claim > strongest || (claim == strongest && claim > CLAIM_NONE && area <= least)) {
			best = element;
			strongest = claim;
			least = area;
		}
	}
	return best;
}

/* Whether it, or anything in it, can be seen. */
static bool is_seen(const struct tree *tree, const struct element *page)
{
	if (page->has_frame && (page->states & STATE_OFFSCREEN) == 0) {
		return true;
	}
	for (guint i = (guint)page->position + 1; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (element->depth <= page->depth) {
			break;
		}
		if (element->has_frame && (element->states & STATE_OFFSCREEN) == 0) {
			return true;
		}
	}
	return false;
}

/* WebKitGTK says of a page whose beginning is scrolled out that it is not showing: then it is where what it is in is. */
static bool is_in_page(const struct tree *tree, const struct element *page, struct screen_px point)
{
	const struct element *place = page;
	while (place != NULL && !place->has_frame) {
		place = place->parent >= 0 ? tree->elements->pdata[place->parent] : NULL;
	}
	return place != NULL && place->parent >= 0 && screen_rect_contains(place->frame, point) && is_seen(tree, page);
}

bool hit_is_page(const struct tree *tree, struct screen_px point, const struct element *hit)
{
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->role, "document web") == 0 && (hit == NULL || tree_is_within(tree, element, hit))
			&& is_in_page(tree, element, point)) {
			return true;
		}
	}
	return false;
}

/* Of the buttons of a title bar the outermost is no farther from its corner than this, and no
 * larger. */
#define CORNER 64
#define CONTROL 48

static bool is_control(const struct element *element, struct screen_rect painted)
{
	static const char *const roles[] = { "push button", "button", NULL };
	const struct screen_rect *frame = &element->frame;
	if (!element->has_frame || element->in_web_content
		|| (element->states & STATE_OFFSCREEN) != 0 || frame->width > CONTROL
		|| frame->height > CONTROL || !is_one_of(element, roles)) {
		return false;
	}
	struct screen_px middle = screen_rect_center(*frame);
	int side = MIN(middle.x - painted.x, painted.x + painted.width - middle.x);
	return side >= 0 && side < CORNER && frame->y >= painted.y
		&& middle.y - painted.y < CONTROL;
}

bool hit_is_title(const struct tree *tree, struct screen_rect painted, struct screen_px point)
{
	if (!screen_rect_contains(painted, point) || point.y - painted.y >= CORNER) {
		return false;
	}
	int height = 0;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (is_control(element, painted)) {
			/* As much below it as above. */
			height = MAX(
				height, 2 * (element->frame.y - painted.y) + element->frame.height);
		}
	}
	const struct element *hit = point.y - painted.y < height ? hit_test(tree, painted, point)
								 : NULL;
	return point.y - painted.y < height && (hit == NULL || claim_of(hit) == CLAIM_PASSIVE);
}

bool hit_takes_drag(const struct tree *tree, struct screen_rect window, struct screen_px point)
{
	static const char *const roles[] = {
		"slider",
		"scroll bar",
		"spin button",
		"text",
		"entry",
		"password text",
		"terminal",
		"list item",
		"tree item",
		"table cell",
		"icon",
		"canvas",
		"drawing area",
		"column header",
		"table column header",
		"page tab",
		NULL,
	};
	const struct element *hit = hit_test(tree, window, point);
	return hit != NULL && !hit->in_web_content && is_one_of(hit, roles);
}
