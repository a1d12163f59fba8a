/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/sight.h"
#include "x11/rung.h"

/* What it is in, if that stays the same object; NULL: nobody knows. Items may have new names, as what they are in. */
static const struct element *container_of(const struct element *element)
{
	const struct element *parent = element->tree != NULL && element->parent >= 0
		? element->tree->elements->pdata[element->parent] : NULL;
	return parent != NULL && !element_is_item(parent) ? parent : NULL;
}

static bool is_alike(const struct element *element, const struct element *wanted)
{
	const struct element *inside = container_of(element), *container = container_of(wanted);
	return element->has_frame && wanted->name[0] != '\0' && strcmp(element->role, wanted->role) == 0
		&& strcmp(element->name, wanted->name) == 0
		&& (inside == NULL || container == NULL || strcmp(inside->object, container->object) == 0);
}

/*
 * The action's element in the tree of now; NULL if it is not there. Qt names the items of a tree anew each time they
 * are read: then it is the only one of its kind and name there. Who is there by its own name, and not to be seen, is nobody else.
 */
static const struct element *find(const struct tree *tree, const struct element *wanted)
{
	const struct element *alike = NULL;
	int count = 0;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		if (strcmp(element->provider, wanted->provider) != 0) {
			continue;
		}
		if (strcmp(element->object, wanted->object) == 0) {
			return element;
		}
		if (is_alike(element, wanted)) {
			alike = element;
			count++;
		}
	}
	return count == 1 ? alike : NULL;
}

/*
 * Whether it is on a page that is not shown, where no scrolling helps: in Qt only items say that they are not shown when they are
 * scrolled out, and the view that they are in is marked so only when it is hidden.
 */
static bool is_put_away(const struct action *action, const struct element *element, const struct element *view)
{
	const struct element *what = element_is_item(action->element) ? view : element;
	return what != NULL && (what->states & STATE_OFFSCREEN) != 0 && !action->element->in_web_content
		&& g_str_has_prefix(action->window->toolkit, "qt");
}

/* What of it is to be seen now; empty if nothing is. False with an error if nobody can tell. */
static bool look(struct action *action, struct screen_rect *shown, GError **error)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	const struct screen_rect nothing = { 0 }, window = action->window->bounds;
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(platform, action->window, &limits, action->deadline, error);
	if (tree == NULL) {
		return false;
	}
	const struct element *part = action->finding.part, *container = container_of(action->element);
	const struct element *element = find(tree, part != NULL ? part : action->element);
	const struct element *view = container != NULL ? tree_find(tree, container->provider, container->object) : NULL;
	/* What is not shown may have a place, and something else is there by now. */
	*shown = element != NULL && (element->states & STATE_OFFSCREEN) == 0 ? sight_seen(element, window) : nothing;
	action->put_away = is_put_away(action, element, view);
	action->vague = element != NULL && element_is_vague(element);
	action->view = view != NULL && (view->states & STATE_OFFSCREEN) == 0 ? sight_seen(view, window) : nothing;
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
		|| (screen_rect_empty(*shown) && !action->put_away && !action->vague
			&& reveal(action) && !look(action, shown, error))) {
		return false;
	}
	if (action->put_away) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The element is on a part of the window that is not shown, and something else may be at its place, so nothing was "
			"sent: first show what it is on, select its tab or open its page");
	} else if (action->vague) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"Nobody can tell where in its window the element is: its toolkit leaves "
			"borders out of its answers, and it is too "
			"small for a guess; so no pointer was sent. Use what it can do by itself, "
			"or x and y of the picture");
	} else if (screen_rect_empty(*shown)) {
		g_set_error(error, CUA_ERROR, ERROR_BACKGROUND_UNAVAILABLE,
			"The element is not to be seen in its window, so no pointer reaches it, and nothing scrolls it into view: "
			"first show what it is on, a page by its tab, a branch by expanding it, or scroll by an element that is to be seen");
	}
	return !action->put_away && !screen_rect_empty(*shown);
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
