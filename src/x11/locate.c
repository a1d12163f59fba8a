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

bool rung_see(const struct action *action, struct screen_rect *shown, GError **error)
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
	tree_free(tree);
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
