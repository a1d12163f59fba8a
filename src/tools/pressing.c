/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/pressing.h"

#include <string.h>

#include "core/keys.h"
#include "core/menu.h"

/* The tree with what its closed menus hold: their items tell the keys that perform them. */
static struct tree *read_bindings(struct call *call)
{
	const struct tree_limits limits = { .max_elements = 5000, .closed_menus = true };
	return call->platform->impl->tree(call->platform, call->window, &limits, call->deadline, NULL);
}

/*
 * LibreOffice brings a menu up to date when it opens: until then its items may look disabled, and keys know better. To a
 * minimised window they do not come.
 */
static bool menus_lag(const struct call *call)
{
	return strcmp(call->window->toolkit, "vcl") == 0 && !call->window->minimized;
}

/* A command of the window that these keys stand for is done by its own action, whatever has the focus. */
static bool press_bound(struct call *call, const struct chord *chord)
{
	struct tree *tree = chord_is_command(chord) && !menus_lag(call) ? read_bindings(call) : NULL;
	const struct element *bound = tree != NULL ? menu_bound(tree, chord) : NULL;
	if (bound != NULL) {
		struct aim aim = { .element = bound, .addressing = ADDRESS_ELEMENT };
		struct action action = acting_action(call, ACTION_CLICK, &aim);
		action.tree = tree;
		acting_run(call, &action);
	}
	tree_free(tree);
	return bound != NULL;
}

void pressing_run(struct call *call, const char *const *keys)
{
	struct chord chord;
	const char *bad;
	struct aim aim;
	if (!chord_parse(keys, &chord, &bad)) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			bad != NULL ? "\"%s\" is no name of a key: pass a character, a name such "
				      "as return, escape, tab, up, f5, "
				      "or any keysym name"
				    : "One key is pressed at a time, with any of ctrl, shift, alt "
				      "and super",
			bad);
		if (bad != NULL && strlen(bad) > 2 && strchr(bad, '+') != NULL) {
			answer_suggest(call->answer, "A shortcut is a list of keys: hotkey {\"keys\": [\"ctrl\", \"s\"]}.");
		}
		return;
	}
	if (!acting_aim(call, ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS, &aim)) {
		return;
	}
	/* Real keys are asked for in the foreground, and there is nothing else on the screen. */
	bool keys_only = call->window == NULL || acting_is_foreground(call);
	if (!keys_only && press_bound(call, &chord)) {
		aim_clear(&aim);
		return;
	}
	if (keys_only) {
		acting_know_window(call, &aim);
	}
	if (keys_only || aim.addressing != ADDRESS_FOCUS || acting_aim_at_focus(call, &aim)) {
		struct action action = acting_action(call, ACTION_PRESS_KEY, &aim);
		action.keys = keys;
		acting_run(call, &action);
	}
	aim_clear(&aim);
}
