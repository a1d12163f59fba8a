/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/press.h"

#include <string.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "atspi/kind.h"
#include "atspi/verb.h"
#include "core/keys.h"
#include "core/quote.h"

static bool is_one_of(const struct element *element, const char *const *roles)
{
	return g_strv_contains(roles, element->role);
}

static bool is_item(const struct element *element)
{
	static const char *const roles[] = {
		"list item", "table cell", "table row", "tree item", "page tab", NULL,
	};
	return is_one_of(element, roles);
}

/* Moves a selection when arrow keys are pressed in it. */
static bool is_list(const struct element *element)
{
	static const char *const roles[] = {
		"list", "list box", "table", "tree", "tree table", "page tab list", NULL,
	};
	return is_one_of(element, roles);
}

/* Enter does what a click does. */
static bool is_button(const struct element *element)
{
	static const char *const roles[] = {
		"push button", "link", "menu item", "check menu item", "radio menu item", NULL,
	};
	return is_one_of(element, roles);
}

/* The space bar does what a click does. */
static bool is_switch(const struct element *element)
{
	static const char *const roles[] = {
		"push button", "toggle button", "check box", "radio button", "switch", NULL,
	};
	return is_one_of(element, roles);
}

static enum step step_of(const struct chord *chord)
{
	switch (chord->key) {
	case XKB_KEY_Up:
	case XKB_KEY_KP_Up:
		return STEP_PREVIOUS;
	case XKB_KEY_Down:
	case XKB_KEY_KP_Down:
		return STEP_NEXT;
	case XKB_KEY_Home:
	case XKB_KEY_KP_Home:
		return STEP_FIRST;
	case XKB_KEY_End:
	case XKB_KEY_KP_End:
		return STEP_LAST;
	default:
		return STEP_NONE;
	}
}

/* Of a value the arrows up and right are more. */
static enum step value_step_of(const struct element *element, const struct chord *chord)
{
	bool spin = strcmp(element->role, "spin button") == 0;
	switch (chord->key) {
	case XKB_KEY_Up:
	case XKB_KEY_KP_Up:
		return STEP_NEXT;
	case XKB_KEY_Down:
	case XKB_KEY_KP_Down:
		return STEP_PREVIOUS;
	case XKB_KEY_Page_Up:
		return STEP_PAGE_NEXT;
	case XKB_KEY_Page_Down:
		return STEP_PAGE_PREVIOUS;
	/* In a spin button these move the caret. */
	case XKB_KEY_Right:
	case XKB_KEY_KP_Right:
		return spin ? STEP_NONE : STEP_NEXT;
	case XKB_KEY_Left:
	case XKB_KEY_KP_Left:
		return spin ? STEP_NONE : STEP_PREVIOUS;
	case XKB_KEY_Home:
		return spin ? STEP_NONE : STEP_FIRST;
	case XKB_KEY_End:
		return spin ? STEP_NONE : STEP_LAST;
	default:
		return STEP_NONE;
	}
}

/* Upright sliders count downwards in some toolkits and upwards in others. */
static bool has_steps(const struct element *element)
{
	static const char *const roles[] = { "slider", "spin button", NULL };
	bool upright = element->has_frame && element->frame.height > element->frame.width;
	return element->has_value && is_one_of(element, roles) && !upright;
}

/* Java's ranges are read and not written, but have actions that move them by a step. */
static const char *step_verb(const struct element *element, enum step step)
{
	const char *const *actions = (const char *const *)element->actions;
	return step == STEP_NEXT ? verb_find(actions, "increment")
		: step == STEP_PREVIOUS ? verb_find(actions, "decrement") : NULL;
}

static const char *enter(const struct element *element, const struct window *window)
{
	const char *const *actions = (const char *const *)element->actions;
	if (is_button(element)) {
		return verb_find(actions, "press");
	}
	if (is_item(element)) {
		/* LibreOffice opens what is selected, whichever item is activated: the click before a key selects. */
		bool other = strcmp(window->toolkit, "vcl") == 0 && !window->minimized;
		return other ? NULL : verb_find(actions, "open_item");
	}
	/* A field's. In a browser it gives the focus instead; in GTK 4.8 it answers true and does nothing. */
	return element->in_web_content || strcmp(window->toolkit, "chromium") == 0 || strcmp(window->toolkit, "gtk4") == 0 ? NULL
		: verb_find(actions, "activate");
}

/*
 * Firefox tells a page nothing of a number or a choice that is set by accessibility, and neither browser sets a number where
 * none is, nor one that the page itself draws and moves. Keys reach no minimised window.
 */
static bool needs_keys(const struct action *action)
{
	const struct element *element = action->now;
	bool number = strcmp(element->role, "spin button") == 0;
	bool slides = strcmp(element->role, "slider") == 0, gecko = strcmp(action->window->toolkit, "gecko") == 0;
	return element->in_web_content && !action->window->minimized && (number || gecko != slides);
}

static enum press choose(const struct action *action, const struct chord *chord, const char **verb,
	enum step *step)
{
	const struct element *element = action->now;
	const char *const *actions = (const char *const *)element->actions;
	bool keys = needs_keys(action);
	*step = has_steps(element) && !keys ? value_step_of(element, chord) : STEP_NONE;
	*verb = strcmp(action->window->toolkit, "java") == 0 ? step_verb(element, *step) : NULL;
	if (*step != STEP_NONE) {
		return *verb != NULL ? PRESS_PERFORM : PRESS_NUDGE;
	}
	/* Keys move the cursor of a document and not what is selected in it. */
	if (element_document(action->element) != NULL) {
		return PRESS_NONE;
	}
	/* What has the focus in GTK4 keeps it when another is selected, and the next key begins there again. */
	bool stays = action->focused && kind_is_gtk4(action->window);
	*step = (is_item(element) || is_list(element)) && !stays && !keys ? step_of(chord) : STEP_NONE;
	if (*step != STEP_NONE) {
		return PRESS_PICK;
	}
	switch (chord->key) {
	case XKB_KEY_Return:
	case XKB_KEY_KP_Enter:
		*verb = enter(element, action->window);
		break;
	case XKB_KEY_space:
	case XKB_KEY_KP_Space:
		*verb = is_switch(element) ? verb_find(actions, "press") : NULL;
		/* A page's own list need not be as others are, and Chromium's forget what was selected. */
		if (is_item(element) && !element->in_web_content) {
			return PRESS_PICK;
		}
		break;
	case XKB_KEY_Escape:
		*verb = verb_find(actions, "cancel");
		break;
	case XKB_KEY_Menu:
		*verb = strcmp(element->role, "combo box") != 0 ? verb_find(actions, "show_menu") : NULL;
		break;
	default:
		break;
	}
	return *verb != NULL ? PRESS_PERFORM : PRESS_NONE;
}

enum press press_choose(const struct action *action, const char **verb, enum step *step,
	struct refusal *why)
{
	struct chord chord;
	const char *bad;
	enum press press = PRESS_NONE;
	*verb = NULL;
	*step = STEP_NONE;
	g_return_val_if_fail(chord_parse(action->keys, &chord, &bad), PRESS_NONE);
	if (chord.modifiers == 0) {
		press = choose(action, &chord, verb, step);
	}
	/* GTK's trees, which LibreOffice's dialogs have, follow keys only in a window with the focus. */
	bool deaf = strcmp(action->window->toolkit, "vcl") == 0;
	/* The key itself does what it stands for, and more: a space also checks an item that has a mark. */
	if ((press == PRESS_PICK && is_item(action->now) && !deaf && verb_only_selects(action, action->element))
		|| (press == PRESS_PERFORM && verb_only_toggles(action, *verb))) {
		press = PRESS_NONE;
	}
	if (press == PRESS_NONE) {
		g_autofree char *text = chord_text(&chord);
		why->code = ERROR_BACKGROUND_UNAVAILABLE;
		why->reason = quote_format(
			"No action of the %s \"%s\" and no key binding of the window does "
			"what %s does",
			action->now->role, action->now->name, text);
	}
	return press;
}
