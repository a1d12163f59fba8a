/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/acting.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "text", .type = PARAM_STRING, .required = true,
	  .about = "What to type; may have several lines. It replaces the selection, if there is one." },
	{ "delay_ms", .type = PARAM_INT, .min = 0, .max = 1000,
	  .about = "Between keys, where keys are pressed; text written through accessibility comes at once." },
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	struct aim aim;
	if (!acting_aim(call, ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS, &aim)) {
		return;
	}
	if (aim.addressing == ADDRESS_FOCUS && !acting_aim_at_focus(call, &aim)) {
		return;
	}
	struct action action = acting_action(call, ACTION_TYPE_TEXT, &aim);
	action.text = args_string(call->args, "text");
	acting_run(call, &action);
	aim_clear(&aim);
}

const struct tool tool_type_text = {
	.name = "type_text", .title = "Type text", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Type text into an element, at its caret, in the background: nothing of it can reach another window. "
		 "Name the element, or x and y of it; without either the element of this window that has the keyboard "
		 "focus is meant, which only the active window has. To replace all of a field's text use set_value.",
};
