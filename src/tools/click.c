/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/aimed.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "action", .type = PARAM_STRING,
	  .about = "Which of the element's actions: press (the usual one), show_menu, pick, confirm, "
		   "cancel, open, expand, collapse, or any name of its actions." },
	PARAM_BUTTON,
	{ "count", .type = PARAM_INT, .min = 1, .max = 3, .preset = "1",
	  .about = "How often. 2 opens or activates, as double_click does." },
	PARAMS_CLICK,
	PARAMS_DEVICE,
	PARAM_DEBUG_IMAGE,
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	acting_click(call, args_string(call->args, "action"), acting_button(call),
		(int)args_int(call->args, "count"));
}

const struct tool tool_click = {
	.name = "click", .title = "Click", .effect = TOOL_ACTS, .target = TARGET_WINDOW, .params = params,
	.run = run,
	.about = "Press an element of a window, or what is at a pixel of its screenshot, through accessibility "
		 "in the background: works on covered and minimised windows, moves no pointer, takes no focus. "
		 "Take element_index, or x and y, from get_window_state of the same window. Rows, tabs and cells "
		 "are selected. The answer's effect says what was seen to happen.",
};
