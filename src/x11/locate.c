/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/sight.h"
#include "x11/rung.h"

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

/* What of it is to be seen now; empty if nothing is. False with an error if nobody can tell. */
static bool look(const struct action *action, struct screen_rect *shown, GError **error)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(platform, action->window, &limits, action->deadline, error);
	if (tree == NULL) {
		return false;
	}
	const struct element *part = action->finding.part;
	const struct element *element = find(tree, part != NULL ? part : action->element);
	*shown = element != NULL ? sight_seen(element, action->window->bounds) : (struct screen_rect){ 0 };
	/* Where GTK4 scrolled a row out another one is by now. */
	bool moved = element != NULL && (element->in_web_content || strcmp(action->window->toolkit, "gtk4") == 0);
	if (moved && (element->states & STATE_OFFSCREEN) != 0) {
		*shown = (struct screen_rect){ 0 };
	}
	tree_free(tree);
	return true;
}

/* What is scrolled out is brought into view; that scrolling is no effect of what is done then. */
static bool reveal(struct action *action)
{
	const struct element *part = action->finding.part;
	if (action->now == NULL || !atspi_reveal(x11_platform_atspi(action->platform), action->window,
		part != NULL ? part : action->now, action->deadline)) {
		return false;
	}
	action->scrolled_at = g_get_monotonic_time();
	return true;
}

bool rung_see(struct action *action, struct screen_rect *shown, GError **error)
{
	if (!look(action, shown, error)
		|| (screen_rect_empty(*shown) && reveal(action) && !look(action, shown, error))) {
		return false;
	}
	if (screen_rect_empty(*shown)) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The element is not to be seen in its window, so no pointer reaches it, and nothing scrolls it into view: "
			"first show what it is on, a page by its tab, a branch by expanding it, or scroll by an element that is to be seen");
		return false;
	}
	return true;
}

bool rung_locate(struct action *action, struct screen_px *point, GError **error)
{
	struct screen_rect shown;
	if (!rung_see(action, &shown, error)) {
		return false;
	}
	*point = screen_rect_center(shown);
	return true;
}
