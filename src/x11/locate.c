/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "x11/rung.h"

bool rung_locate(const struct action *action, struct screen_px *point, GError **error)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(platform, action->window, &limits, action->deadline, error);
	if (tree == NULL) {
		return false;
	}
	bool found = false;
	for (guint i = 0; i < tree->elements->len && !found; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->object, action->element->object) == 0
			&& strcmp(element->provider, action->element->provider) == 0 && element->has_frame) {
			struct screen_rect shown = screen_rect_intersect(element->frame, action->window->bounds);
			found = !screen_rect_empty(shown);
			*point = screen_rect_center(shown);
		}
	}
	tree_free(tree);
	if (!found) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The element is not to be seen in its window, so no pointer reaches it; scroll to it first");
	}
	return found;
}
