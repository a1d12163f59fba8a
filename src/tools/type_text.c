/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/acting.h"
#include "tools/tools.h"

/* What an application may take for a character of a long text, besides the time that every call has. */
#define CHARACTER_US (100 * G_TIME_SPAN_MILLISECOND)

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "text", .type = PARAM_STRING, .required = true,
	  .about = "What to type; may have several lines. It replaces the selection, if there is one." },
	{ "delay_ms", .type = PARAM_INT, .min = 0, .max = 1000,
	  .about = "Between two keys; with it the text is typed by keys also where it could be written at once." },
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	struct aim aim;
	if (!acting_aim(call, ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS, &aim)) {
		return;
	}
	/* In the foreground the window has the user's focus, and keys go there. */
	if (aim.addressing == ADDRESS_FOCUS && !acting_is_foreground(call) && !acting_aim_at_focus(call, &aim)) {
		return;
	}
	acting_know_window(call, &aim);
	struct action action = acting_action(call, ACTION_TYPE_TEXT, &aim);
	action.text = args_string(call->args, "text");
	action.delay_ms = (int)args_int(call->args, "delay_ms");
	action.deadline.at += g_utf8_strlen(action.text, -1)
		* (CHARACTER_US + action.delay_ms * G_TIME_SPAN_MILLISECOND);
	acting_run(call, &action);
	aim_clear(&aim);
}

const struct tool tool_type_text = {
	.name = "type_text", .title = "Type text", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Type text at the caret of an element, in the background: nothing of it can reach another window. It is "
		 "written through accessibility where that is possible, otherwise typed on the session's own keyboard, in "
		 "any script. Name the element, or x and y of it (keys click there first); without either the text goes to "
		 "where the focus of the window is. To replace all of a field's text use set_value.",
};
