/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/pressing.h"

#include "core/keys.h"
#include "core/menu.h"

/* The tree with what its closed menus hold: their items tell the keys that perform them. */
static struct tree *read_bindings(struct call *call)
{
	const struct tree_limits limits = { .max_elements = 5000, .closed_menus = true };
	return call->platform->impl->tree(call->platform, call->window, &limits, call->deadline, NULL);
}

/* A command of the window that these keys stand for is done by its own action, whatever has the focus. */
static bool press_bound(struct call *call, const struct chord *chord)
{
	struct tree *tree = chord_is_command(chord) ? read_bindings(call) : NULL;
	const struct element *bound = tree != NULL ? menu_bound(tree, chord) : NULL;
	if (bound != NULL) {
		struct aim aim = { .element = bound, .addressing = ADDRESS_ELEMENT };
		struct action action = acting_action(call, ACTION_CLICK, &aim);
		acting_run(call, &action);
	}
	tree_free(tree);
	return bound != NULL;
}

/* Whatever has the focus would not get it from us. */
static void refuse(struct call *call, const struct chord *chord)
{
	g_autofree char *text = chord_text(chord);
	answer_fail(call->answer, ERROR_BACKGROUND_UNAVAILABLE, "No menu item or button of the window tells that "
		"%s is its key, and there is no keyboard to press it on", text);
	answer_open_object(call->answer, "escalation");
	answer_string(call->answer, "recommended", "px");
	answer_string(call->answer, "reason", "Only real keys do it; or find the command in the menus with invoke_menu");
	answer_close_object(call->answer);
}

void pressing_run(struct call *call, const char *const *keys)
{
	struct chord chord;
	const char *bad;
	struct aim aim;
	if (!chord_parse(keys, &chord, &bad)) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, bad != NULL
			? "'%s' is no name of a key: pass a character, a name such as return, escape, tab, up, f5, "
			"or any keysym name" : "One key is pressed at a time, with any of ctrl, shift, alt and super",
			bad);
		return;
	}
	if (!acting_aim(call, ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS, &aim)) {
		return;
	}
	if (press_bound(call, &chord)) {
		aim_clear(&aim);
		return;
	}
	if (aim.addressing == ADDRESS_FOCUS && chord_is_command(&chord)) {
		refuse(call, &chord);
	} else if (aim.addressing != ADDRESS_FOCUS || acting_aim_at_focus(call, &aim)) {
		struct action action = acting_action(call, ACTION_PRESS_KEY, &aim);
		action.keys = keys;
		acting_run(call, &action);
	}
	aim_clear(&aim);
}
