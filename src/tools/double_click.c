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
	acting_click(call, NULL, BUTTON_LEFT, 2);
}

const struct tool tool_double_click = {
	.name = "double_click", .title = "Double click", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Open or activate an element, such as a row or an icon, by its own action in the background. "
		 "An element without such an action is refused.",
};
