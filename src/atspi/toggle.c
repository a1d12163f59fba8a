/* SPDX-License-Identifier: MIT */
/* What is on or off: check boxes, switches, and items that are chosen or not. */
#include "config.h"

#include "atspi/write.h"

#include <string.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "atspi/atspi.h"
#include "atspi/mute.h"
#include "atspi/node.h"
#include "atspi/verb.h"

enum {
	OFF,
	ON,
	NO_TRUTH,
};

static int truth_of(const char *text)
{
	static const char *const on[] = { "true", "on", "yes", "1", "checked", "selected", NULL };
	static const char *const off[] = { "false", "off", "no", "0", "unchecked", "unselected", NULL };
	g_autofree char *word = g_ascii_strdown(text, -1);
	return g_strv_contains(on, word) ? ON : g_strv_contains(off, word) ? OFF : NO_TRUTH;
}

static bool is_radio(const struct element *element)
{
	static const char *const roles[] = { "radio button", "radio menu item", NULL };
	return g_strv_contains(roles, element->role);
}

static bool is_item(const struct element *element)
{
	return element_is_item(element) || strcmp(element->role, "page tab") == 0;
}

bool toggle_is(const struct element *element, const char *value)
{
	static const char *const roles[] = {
		"check box", "check menu item", "toggle button", "switch", NULL,
	};
	if (g_strv_contains(roles, element->role) || is_radio(element)) {
		return true;
	}
	/* A cell of a spreadsheet can be told any word; a row of a list only that it is chosen. */
	return is_item(element) && !element->has_value && (element->states & STATE_EDITABLE) == 0
		&& truth_of(value) != NO_TRUTH;
}

/*
 * A row of Qt with a check mark says no more than that it is checked, if it is: another row of the same list or tree that is
 * has one, too. The space bar turns it over.
 */
static bool has_qt_mark(const struct action *action)
{
	const struct element *element = action->element;
	if (!g_str_has_prefix(action->window->toolkit, "qt") || !element_is_item(action->now) || element == NULL) {
		return false;
	}
	bool marked = (action->now->states & STATE_CHECKED) != 0;
	const GPtrArray *all = element->tree != NULL ? element->tree->elements : NULL;
	for (guint i = 0; all != NULL && i < all->len && !marked; i++) {
		const struct element *other = all->pdata[i];
		marked = other->parent == element->parent && element_is_item(other) && (other->states & STATE_CHECKED) != 0;
	}
	return marked;
}

static bool is_mark(const struct action *action)
{
	return verb_is_mark(action) || has_qt_mark(action);
}

/* Whether its states may not tell what it is; see atspi/mute.h. */
static bool is_mute(const struct action *action)
{
	const struct element *element = action->element;
	return strcmp(action->window->toolkit, "gtk3") == 0 && element != NULL && element->tree != NULL
		&& (action->now->states & STATE_CHECKED) == 0 && mute_may_be(element->tree->elements, element);
}

char *toggle_look(struct talk *talk, const struct action *action)
{
	uint64_t states = talk_states(talk);
	if (states == 0) {
		return NULL;
	}
	if (is_item(action->now) && !is_mark(action)) {
		return g_strdup(states >> ATSPI_SELECTED & 1 ? "true" : "false");
	}
	if (states >> ATSPI_INDETERMINATE & 1) {
		return g_strdup("indeterminate");
	}
	bool on = states >> ATSPI_CHECKED & 1 || states >> ATSPI_PRESSED & 1;
	if (!on && is_mute(action)) {
		struct past *past = action->platform->past;
		const struct element *element = action->element;
		int said = mute_ask(talk->link, past, element->tree->elements, element, talk->deadline);
		/* A real one that is off says nothing. */
		return said < 0 ? NULL : g_strdup(said == 1 ? "true" : "false");
	}
	return g_strdup(on ? "true" : "false");
}

static enum delivered turn(struct atspi *atspi, struct talk *talk, struct action *action, GError **error)
{
	const struct element *now = action->now;
	const char *const *actions = (const char *const *)now->actions;
	if (has_qt_mark(action)) {
		action->finding.kept = true;
		action->finding.key = XKB_KEY_space;
		action->finding.presses = 1;
		write_fail(talk, error, action->window->minimized ? ERROR_WINDOW_MINIMIZED : ERROR_BACKGROUND_UNAVAILABLE,
			"The mark of the %s \"%s\" can only be turned over by a key", now->role, now->name);
		return DELIVERED_NONE;
	}
	bool mark = verb_is_mark(action);
	bool item = is_item(now) && !mark;
	const char *verb = mark && !action->window->minimized && !action->last ? NULL : verb_find(actions, mark ? "toggle"
		: item ? "click_item" : "press");
	if (verb != NULL && !verb_only_toggles(action, verb)) {
		action->performed = verb;
		action->lag_ms = verb_lag_ms(action->window, verb);
		return atspi_perform(atspi, now, verb, action->window->pid, NULL, action->deadline, error);
	}
	if (item && !verb_only_selects(action, now)) {
		action->performed = "select";
		return atspi_pick(atspi, now, true, STEP_NONE, action->deadline, error);
	}
	action->finding.kept = true;
	/* What is neither on nor off may be on before it is off; the space bar goes through all. */
	bool between = g_strcmp0(action->finding.before, "indeterminate") == 0 && verb != NULL;
	action->finding.button = between ? 0 : 1;
	action->finding.key = between ? XKB_KEY_space : 0;
	action->finding.presses = between ? 2 : 1;
	write_fail(talk, error, ERROR_BACKGROUND_UNAVAILABLE,
		"The %s \"%s\" has no action that could turn it", now->role, now->name);
	return DELIVERED_NONE;
}

enum delivered toggle_set(struct atspi *atspi, struct talk *talk, struct action *action,
	GError **error)
{
	struct finding *finding = &action->finding;
	int truth = truth_of(action->text);
	if (truth == NO_TRUTH) {
		write_fail(talk, error, ERROR_VALUE_OUT_OF_RANGE, "The %s \"%s\" is true or false, not \"%s\"",
			action->now->role, action->now->name, action->text);
		return DELIVERED_NONE;
	}
	bool item = is_item(action->now) && !is_mark(action);
	bool chosen = (action->now->states & STATE_SELECTED) != 0;
	if (truth == OFF && (is_radio(action->now) || (item && chosen))) {
		write_fail(talk, error, ERROR_VALUE_OUT_OF_RANGE,
			"The %s \"%s\" is left by choosing another one", action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	finding->kind = "state";
	finding->detail = item ? "selected" : "checked";
	finding->wanted = g_strdup(truth == ON ? "true" : "false");
	finding->before = toggle_look(talk, action);
	if (g_strcmp0(finding->before, finding->wanted) == 0) {
		action->performed = "leave as it is:";
		finding->idle = true;
		return DELIVERED_FULL;
	}
	/* To press a radio button that is on leaves it on. */
	if (finding->before == NULL && is_mute(action) && !is_radio(action->now)) {
		write_fail(talk, error, ERROR_STATE_UNKNOWN, "The %s \"%s\" has not told whether it is on or off, and a press turns it "
			"over", action->now->role, action->now->name);
		return DELIVERED_NONE;
	}
	return turn(atspi, talk, action, error);
}
