/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "x11/key-focus.h"

#include <string.h>

#include "atspi/focus.h"
#include "atspi/verb.h"
#include "core/past.h"
#include "x11/courtesy.h"
#include "x11/devices.h"
#include "x11/quirks.h"
#include "x11/receipt.h"

/* For an element to be read. */
#define LOOK_MS 500

/* How long a browser may take to read that it has the focus, and a page to have what the address bar had. */
#define TELLING_MS 700
/* So often it is looked whether the focus has come. */
#define GLANCE_MS 16

/* One that can be written into takes the middle button for the wish to paste. */
static bool has_entry(const struct element *combo)
{
	const GPtrArray *elements = combo->tree != NULL ? combo->tree->elements : NULL;
	for (guint i = (guint)combo->position + 1; elements != NULL && i < elements->len; i++) {
		const struct element *element = elements->pdata[i];
		if (element->depth <= combo->depth) {
			break;
		}
		if (strcmp(element->role, "text") == 0) {
			return true;
		}
	}
	return elements == NULL;
}

/* Any button gives the focus to a combo box of Qt, but only the left one opens it. */
bool key_focus_takes_middle(const struct action *action)
{
	const struct element *element = action->element;
	return quirks_has(action->window->toolkit, QUIRK_MIDDLE_FOCUSES) && element != NULL && action->finding.part == NULL
		&& strcmp(element->role, "combo box") == 0 && (element->states & STATE_FOCUSABLE) != 0 && !has_entry(element);
}

/* What gives the element the focus without a click; NULL if nothing does. */
static const char *focus_verb(const struct action *action)
{
	const struct element *now = action->now;
	/* The tree knows what is hidden with what it is in. */
	return now != NULL && !action->pointed && !now->in_web_content && action->finding.part == NULL
		&& ((now->states | action->element->states) & STATE_OFFSCREEN) == 0
		? verb_find((const char *const *)now->actions, "focus") : NULL;
}

/* A click that gives it the focus would also do something else. */
static bool is_operated_by_click(const struct element *element)
{
	static const char *const roles[] = {
		"push button", "toggle button", "check box", "radio button", "switch", "link", "menu", "menu item",
		"check menu item", "radio menu item", "page tab", "combo box", "slider", "scroll bar", NULL,
	};
	return (element->states & STATE_EDITABLE) == 0 && g_strv_contains(roles, element->role);
}

bool rung_needs_click(const struct action *action)
{
	/* That what is current in a view of Qt's has the focus is seen through in the tree only. */
	bool current = action->now != NULL && action->now->selectable && g_str_has_prefix(action->window->toolkit, "qt");
	unsigned known = current ? action->element->states : STATE_FOCUSED;
	return action->pointed || (!action->focused && action->now != NULL
		&& (action->now->states & known & STATE_FOCUSED) == 0);
}

/* Whether the element can be given the focus without a click. */
bool key_focus_may_take(const struct action *action)
{
	return !action->pointed && !action->focused && action->now != NULL
		&& focus_may_take(action->window, action->now);
}

/* Whether a click for the focus would do more than that. */
bool key_focus_click_harms(const struct action *action)
{
	bool middle = action->kind != ACTION_TYPE_TEXT && key_focus_takes_middle(action);
	return action->now != NULL && !action->pointed && is_operated_by_click(action->now)
		&& action->finding.part == NULL && !middle;
}

/* A key may be meant for what takes no text: then its own verb may give it the focus. */
bool key_focus_is_impossible(const struct action *action)
{
	bool verb = action->kind != ACTION_TYPE_TEXT && focus_verb(action) != NULL;
	return rung_needs_click(action) && key_focus_click_harms(action) && !verb;
}

/* Whether something outside of pages says that it has the window's focus. */
static bool is_outside_pages(const struct action *action)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	struct platform *platform = action->platform;
	struct tree *tree = platform->impl->tree(platform, action->window, &limits, action->deadline, NULL);
	bool outside = tree == NULL;
	for (guint i = 0; tree != NULL && i < tree->elements->len && !outside; i++) {
		const struct element *element = tree->elements->pdata[i];
		outside = (element->states & STATE_FOCUSED) != 0 && !element->in_web_content
			&& (element->states & STATE_EDITABLE) != 0;
	}
	tree_free(tree);
	return outside;
}

/* Some applications put the focus back where it was as soon as something is chosen. */
bool key_focus_is_there(const struct action *action)
{
	struct element *now = action->platform->impl->reread(action->platform, action->element,
		deadline_within(action->deadline, LOOK_MS), NULL);
	bool focused = now != NULL && (now->states & STATE_FOCUSED) != 0;
	element_free(now);
	return focused;
}

bool key_focus_comes(const struct action *action)
{
	struct past *past = action->platform->past;
	struct deadline patience = deadline_within(action->deadline, TELLING_MS);
	bool there;
	do {
		guint64 heard = past_count(past);
		there = key_focus_is_there(action);
		if (!there) {
			/* Nobody is told of a focus; what is drawn for it is. */
			past_wait(past, heard, deadline_within(patience, GLANCE_MS));
		}
	} while (!there && deadline_left(patience) > 0);
	return there;
}

bool key_focus_by_verb(const struct action *action)
{
	const char *verb = focus_verb(action);
	return verb != NULL && atspi_perform(x11_platform_atspi(action->platform), action->now, verb, 0, NULL, action->deadline, NULL)
		== DELIVERED_FULL;
}

/*
 * Browsers give an element the focus when they are asked to: no press, at which Chromium takes the user's pointer for a
 * moment. In a window that is not active Firefox does not tell who has it, and Chromium activates the window; so they are
 * told that it is, as before keys. An element that had the focus before says so also while the keys go to the address bar.
 */
bool key_focus_take(const struct action *action, const struct typing *typing, bool *told)
{
	*told = false;
	if (!key_focus_may_take(action)) {
		return false;
	}
	*told = focus_tell(typing->server, typing->window, true);
	if (*told && !receipt_wait(typing->server, typing->window, 0, TELLING_MS)) {
		return false;
	}
	bool stale = action->now->in_web_content && (action->now->states & STATE_FOCUSED) != 0;
	bool taken = focus_take(x11_platform_atspi(action->platform), action->now, action->deadline);
	struct deadline patience = deadline_within(action->deadline, TELLING_MS);
	guint64 heard = past_count(action->platform->past);
	while (taken && stale && is_outside_pages(action)) {
		past_wait(action->platform->past, heard, deadline_within(patience, LOOK_MS));
		heard = past_count(action->platform->past);
		taken = deadline_left(patience) > 0;
	}
	return taken;
}

void rung_give_focus(const struct action *action)
{
	struct devices *devices = x11_platform_devices(action->platform);
	struct action element = *action;
	element.pointed = element.focused = false;
	if (!key_focus_may_take(&element) || action->window->minimized) {
		return;
	}
	struct typing typing = { .window = (xcb_window_t)action->window->id, .deadline = action->deadline,
		.device = devices_lend(devices, action->session, NULL) };
	typing.server = typing.device != NULL ? device_begin(typing.device, action->deadline, NULL) : NULL;
	if (typing.server != NULL) {
		bool told;
		key_focus_take(&element, &typing, &told);
		if (told) {
			focus_tell(typing.server, typing.window, false);
		}
		device_end(typing.device, typing.server, NULL);
		devices_used(devices, typing.device, KEYBOARD_REST_MS);
	}
	if (typing.device != NULL) {
		device_unref(typing.device);
	}
}
