/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atspi/focus.h"
#include "x11/rung.h"

/* Some scroll smoothly: so long it may take, and so often it is looked at. */
#define SCROLLING_MS 1500
#define LOOK_US (30 * G_TIME_SPAN_MILLISECOND)

/*
 * The action's element in the tree of now; NULL if it is not there. Qt names the items of a tree anew each time they
 * are read: then it is the only one of its kind and name.
 */
static const struct element *find(const struct tree *tree, const struct element *wanted)
{
	const struct element *alike = NULL;
	int count = 0;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->provider, wanted->provider) != 0 || !element->has_frame) {
			continue;
		}
		if (strcmp(element->object, wanted->object) == 0) {
			return element;
		}
		if (strcmp(element->role, wanted->role) == 0 && strcmp(element->name, wanted->name) == 0) {
			alike = element;
			count++;
		}
	}
	return count == 1 && wanted->name[0] != '\0' ? alike : NULL;
}

/* Where it is; empty if it is not to be seen. False with an error if nobody can tell. */
static bool look(const struct action *action, struct screen_rect *shown, GError **error)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(platform, action->window, &limits, action->deadline, error);
	if (tree == NULL) {
		return false;
	}
	const struct element *element = find(tree, action->element);
	*shown = element != NULL ? screen_rect_intersect(element->frame, action->window->bounds)
		: (struct screen_rect){ 0 };
	/* What is scrolled out of a part of the window may still be inside the window. */
	if (element != NULL && element->in_web_content && (element->states & STATE_OFFSCREEN) != 0) {
		*shown = (struct screen_rect){ 0 };
	}
	tree_free(tree);
	return true;
}

/* After it was scrolled to, until it stays where it is. */
static bool look_again(const struct action *action, struct screen_rect *shown, GError **error)
{
	struct deadline patience = deadline_within(action->deadline, SCROLLING_MS);
	struct screen_rect before = { 0 };
	do {
		before = *shown;
		g_usleep(LOOK_US);
		if (!look(action, shown, error)) {
			return false;
		}
	} while (deadline_left(patience) > 0 && (screen_rect_empty(*shown) || before.x != shown->x || before.y != shown->y));
	return true;
}

bool rung_see(const struct action *action, struct screen_rect *shown, GError **error)
{
	struct atspi *atspi = x11_platform_atspi(action->platform);
	if (!look(action, shown, error) || (screen_rect_empty(*shown) && action->now != NULL
		&& focus_show(atspi, action->now, action->deadline) && !look_again(action, shown, error))) {
		return false;
	}
	if (screen_rect_empty(*shown)) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The element is not to be seen in its window, so no pointer reaches it; scroll to it first");
		return false;
	}
	return true;
}

bool rung_locate(const struct action *action, struct screen_px *point, GError **error)
{
	struct screen_rect shown;
	if (!rung_see(action, &shown, error)) {
		return false;
	}
	*point = screen_rect_center(shown);
	return true;
}
