/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/expect.h"

#include <string.h>

void change_clear(struct change *change)
{
	g_free(change->before);
	g_free(change->after);
	g_free(change->detail);
	*change = (struct change){ 0 };
}

static bool has_word(const char *text, const char *const *words)
{
	for (; text != NULL && *words != NULL; words++) {
		if (g_ascii_strcasecmp(text, *words) == 0) {
			return true;
		}
	}
	return false;
}

/* States that an action can change on its target. */
static unsigned states_that_count(const struct action *action, const struct element *element)
{
	unsigned counts = STATE_CHECKED | STATE_SELECTED | STATE_EXPANDED | STATE_INDETERMINATE;
	/* A click before the keys selects, and so does the first of two. */
	bool clicked = action->finding.clicked || (action->kind == ACTION_CLICK && action->count > 1);
	if (clicked && (element->states & STATE_SELECTED) == 0) {
		counts &= ~(unsigned)STATE_SELECTED;
	}
	/* Nor is it what these verbs are for, though they select. */
	static const char *const others[] = { "edit", "open", "activate", "toggle", "expand or contract", NULL };
	if (has_word(action->performed, others)) {
		counts &= ~(unsigned)STATE_SELECTED;
	}
	/* A push button is pressed for a moment whatever it does; a toggle stays. GTK4 has one role for both, and tells it of toggles only. */
	bool gtk4 = action->window != NULL && strcmp(action->window->toolkit, "gtk4") == 0;
	if (strstr(element->role, "toggle") != NULL || (gtk4 && strcmp(element->role, "push button") == 0)) {
		counts |= STATE_PRESSED;
	}
	/* An entry of a menu is selected when it is pointed at or performed, whatever comes of it. */
	if (strstr(element->role, "menu") != NULL) {
		counts &= ~(unsigned)STATE_SELECTED;
	}
	return counts;
}

static const char *truth(bool on)
{
	return on ? "true" : "false";
}

static struct change state_change(const struct element *before, const struct element *after,
	enum element_state state)
{
	return (struct change){
		"state", g_strdup(truth(before->states & state)), g_strdup(truth(after->states & state)),
		g_strdup(element_state_name(state)),
	};
}

/* Which way a state has to go: 1 on, 0 off, -1 either. */
static int direction_of(const struct action *action, const struct element *before,
	enum element_state state)
{
	static const char *const on[] = { "check", "select", "pick", "expand", NULL };
	static const char *const off[] = { "uncheck", "deselect", "unselect", "collapse", "contract", NULL };
	const char *verb = action->performed != NULL ? action->performed : action->verb;
	if (has_word(verb, on)) {
		return 1;
	}
	if (has_word(verb, off)) {
		return 0;
	}
	/* GTK3 takes the selection from a row that is clicked for a moment. */
	bool held = action->modifiers != NULL && action->modifiers[0] != NULL;
	if (action->kind == ACTION_CLICK && state == STATE_SELECTED && element_is_item(before) && !held) {
		return 1;
	}
	/* A radio button is chosen, never unchosen, by pressing it. */
	return strstr(before->role, "radio") != NULL && state == STATE_CHECKED ? 1 : -1;
}

static enum outcome compare_states(const struct action *action, const struct element *before,
	const struct element *after, struct change *change)
{
	unsigned changed = (before->states ^ after->states) & states_that_count(action, before);
	if (changed == 0) {
		return OUTCOME_NONE;
	}
	enum element_state first = changed & (~changed + 1);
	int direction = direction_of(action, before, first);
	*change = state_change(before, after, first);
	return direction < 0 || direction == ((after->states & first) != 0) ? OUTCOME_ASKED
		: OUTCOME_OTHER;
}

static enum outcome compare_click(const struct action *action, const struct element *before,
	const struct element *after, struct change *change)
{
	enum outcome outcome = compare_states(action, before, after, change);
	/* Pressing a field of text asks for no other text in it; and a value that was not told is not known, and no other one. */
	if (outcome == OUTCOME_NONE && (before->states & STATE_EDITABLE) == 0 && before->value != NULL
		&& after->value != NULL && strcmp(before->value, after->value) != 0) {
		*change = (struct change){ "value", g_strdup(before->value), g_strdup(after->value), NULL };
		outcome = OUTCOME_ASKED;
	}
	/* A page need not do more with a click than give the focus, and its answer proves nothing either way. */
	if (outcome == OUTCOME_NONE && before->in_web_content && (~before->states & after->states & STATE_FOCUSED) != 0) {
		*change = state_change(before, after, STATE_FOCUSED);
		outcome = OUTCOME_ASKED;
	}
	return outcome;
}

enum outcome expect_compare(const struct action *action, const struct element *before,
	const struct element *after, struct change *change)
{
	*change = (struct change){ 0 };
	switch (action->kind) {
	case ACTION_CLICK:
	case ACTION_PRESS_KEY:
	case ACTION_INVOKE_MENU:
		return compare_click(action, before, after, change);
	case ACTION_TYPE_TEXT:
	case ACTION_SET_VALUE:
	case ACTION_SCROLL:
		/* What these ask for only their rung knows: it looks itself. */
	case ACTION_DRAG:
	case ACTION_HOVER:
	case ACTION_BUTTON_DOWN:
	case ACTION_BUTTON_UP:
		/* And what these ask for nobody. */
		break;
	}
	return OUTCOME_NONE;
}

bool expect_had(const struct element *before, const char *state, bool on)
{
	for (unsigned bit = 1; bit < 1u << ELEMENT_STATE_COUNT; bit <<= 1) {
		if (strcmp(element_state_name(bit), state) == 0) {
			return ((before->states & bit) != 0) == on;
		}
	}
	return false;
}

bool expect_state(const struct action *action, const struct element *before, const char *state,
	bool on)
{
	unsigned counts = states_that_count(action, before);
	bool pressing = action->kind == ACTION_CLICK || action->kind == ACTION_PRESS_KEY;
	for (unsigned bit = 1; bit <= counts && pressing; bit <<= 1) {
		if ((counts & bit) == 0 || strcmp(element_state_name(bit), state) != 0) {
			continue;
		}
		int direction = direction_of(action, before, bit);
		/* Nothing new about a state that it had already. */
		return ((before->states & bit) != 0) != on && (direction < 0 || direction == on);
	}
	return false;
}
