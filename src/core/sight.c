/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/sight.h"

#include <string.h>

/* So much of a branch must be left above what is in it. */
#define LINE_PX 4

/* Their children are drawn in windows or layers of their own, wherever there is room. */
static bool is_layer(const struct element *element)
{
	static const char *const roles[] = { "popup menu", "window", "dialog", "tool tip", NULL };
	return g_strv_contains(roles, element->role);
}

/*
 * Whether what is inside is drawn only within its frame. A page tab's frame is the tab's label in GTK3,
 * a combo box drops its list below itself, nested rows lie beside each other; and boxes of a page
 * overflow as they like: the browser says itself what is off screen, but for what is a little beside a list
 * that scrolls. The window's own frame is the picture's, whatever it says.
 */
static bool clips(const struct element *element)
{
	static const char *const roles[] = {
		"page tab", "combo box", "menu", "menu item", "tree item", "list item", "table row",
		"table cell", NULL,
	};
	return element->has_frame && element->parent >= 0 && !element_is_vague(element)
		&& (!element->in_web_content || strcmp(element->role, "list box") == 0)
		&& !g_strv_contains(roles, element->role);
}

/* Where what is in the element can be seen. */
static struct screen_rect seen_inside(const struct element *element, struct screen_rect window)
{
	const struct element *parent = element->parent >= 0 ? element->tree->elements->pdata[element->parent] : NULL;
	struct screen_rect clip = parent == NULL || is_layer(element) ? window : seen_inside(parent, window);
	return clips(element) ? screen_rect_intersect(element->frame, clip) : clip;
}

/* Of a branch that has other items in its frame, its own line: its centre may be one of them. */
static struct screen_rect own_line(const struct element *element, struct screen_rect seen)
{
	const GPtrArray *all = element->tree != NULL && element_is_item(element) ? element->tree->elements : NULL;
	for (guint i = (guint)element->position + 1; all != NULL && i < all->len; i++) {
		const struct element *other = all->pdata[i];
		if (other->depth <= element->depth) {
			break;
		}
		int above = other->frame.y - seen.y;
		if (element_is_item(other) && other->has_frame && above >= LINE_PX && above < seen.height) {
			seen.height = above;
		}
	}
	return seen;
}

/* The part in which a click hits the element wherever in its doubt it is; empty if there is none.
 */
static struct screen_rect sure_part(const struct element *element, struct screen_rect seen)
{
	return seen.width > 2 * element->doubt.x && seen.height > 2 * element->doubt.y
		? seen
		: (struct screen_rect){ 0 };
}

struct screen_rect sight_seen(const struct element *element, struct screen_rect window)
{
	const struct element *parent = element->tree != NULL && element->parent >= 0 && !is_layer(element)
		? element->tree->elements->pdata[element->parent] : NULL;
	struct screen_rect clip = parent != NULL ? seen_inside(parent, window) : window;
	return element->has_frame
		? sure_part(element, own_line(element, screen_rect_intersect(element->frame, clip)))
		: (struct screen_rect){ 0 };
}

static void look(const struct element *element, struct screen_rect clip, struct sight *sight)
{
	struct screen_rect seen = screen_rect_intersect(element->frame, clip),
			   line = own_line(element, seen);
	sight->visible = element->has_frame && (element->states & STATE_OFFSCREEN) == 0
		&& !screen_rect_empty(seen) && !screen_rect_empty(sure_part(element, line));
	sight->seen = clips(element) ? seen : clip;
	if (sight->visible) {
		struct screen_px centre = screen_rect_center(element->frame);
		sight->at = screen_rect_contains(line, centre) ? centre : screen_rect_center(line);
	}
}

struct sight *sight_of(const struct tree *tree, struct screen_rect window)
{
	struct sight *sights = g_new0(struct sight, tree->elements->len + 1);
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		const struct sight *above = element->parent >= 0 ? &sights[element->parent] : NULL;
		const struct element *parent = above != NULL ? tree->elements->pdata[element->parent] : NULL;
		sights[i].parent = parent == NULL ? -1 : parent->index >= 0 ? parent->index : above->parent;
		sights[i].depth = parent == NULL ? 0 : above->depth + (parent->index >= 0);
		look(element, above == NULL || is_layer(element) ? window : above->seen, &sights[i]);
	}
	return sights;
}
