/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/acting.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	{ "value", .type = PARAM_SCALAR, .required = true,
	  .about = "The text of a field, the number of a slider or spin button, true or false for a check box, "
		   "switch or list item, the label of an item for a combo box, list, tree or row of tabs." },
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	struct aim aim;
	if (!acting_aim(call, ADDRESS_ELEMENT, &aim)) {
		return;
	}
	struct action action = acting_action(call, ACTION_SET_VALUE, &aim);
	action.text = args_string(call->args, "value");
	acting_run(call, &action);
	aim_clear(&aim);
}

const struct tool tool_set_value = {
	.name = "set_value", .title = "Set value", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Give an element a value in the background: all of a field's text, a number within the element's limits, "
		 "on or off, or one of its items by label, without opening its list. What is like that already is left alone. "
		 "Where accessibility writes nothing, as in browsers' pages, the session's own keyboard types it. "
		 "The answer's evidence shows the value before and after, also where the application rounded it.",
};
