/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/acting.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	PARAMS_CLICK,
	PARAMS_DEVICE,
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	acting_click(call, NULL, BUTTON_RIGHT, 1);
}

const struct tool tool_right_click = {
	.name = "right_click",
	.title = "Right click",
	.effect = TOOL_ACTS,
	.target = TARGET_WINDOW,
	.params = params,
	.run = run,
	.about = "Open the context menu of an element, or at a pixel, in the background. The menu "
		 "is a window of its own in "
		 "list_windows: choose from it there, or press_key escape. One that would take the "
		 "user's keyboard is not opened "
		 "unless allow_grab is true.",
};
