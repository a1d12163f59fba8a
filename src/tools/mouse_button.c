/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/acting.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_POINT,
	PARAM_BUTTON,
	PARAMS_DEVICE,
	PARAMS_DELIVERY,
	{ NULL }
};

static const struct param move_params[] = {
	PARAMS_WINDOW,
	PARAMS_POINT,
	PARAMS_DEVICE,
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void act(struct call *call, enum action_kind kind)
{
	struct aim aim;
	if (!acting_aim(call, ADDRESS_POINT, &aim)) {
		return;
	}
	struct action action = acting_action(call, kind, &aim);
	action.button = kind == ACTION_HOVER ? BUTTON_LEFT : acting_button(call);
	acting_run(call, &action);
	aim_clear(&aim);
}

static void run_down(struct call *call)
{
	act(call, ACTION_BUTTON_DOWN);
}

static void run_up(struct call *call)
{
	act(call, ACTION_BUTTON_UP);
}

static void run_move(struct call *call)
{
	act(call, ACTION_HOVER);
}

const struct tool tool_mouse_button_down = {
	.name = "mouse_button_down", .title = "Press a mouse button", .effect = TOOL_ACTS,
	.target = TARGET_WINDOW, .params = params, .run = run_down,
	.about = "Press a button of the session's own pointer at a pixel of a window and keep it down, for gestures that "
		 "drag cannot express. It is released by mouse_button_up, and when the session ends.",
};

const struct tool tool_mouse_button_up = {
	.name = "mouse_button_up", .title = "Release a mouse button", .effect = TOOL_ACTS,
	.target = TARGET_WINDOW, .params = params, .run = run_up,
	.about = "Release a button that mouse_button_down pressed, at a pixel of a window.",
};

const struct tool tool_move_cursor = {
	.name = "move_cursor", .title = "Move the pointer", .effect = TOOL_ACTS,
	.target = TARGET_WINDOW, .params = move_params, .run = run_move,
	.about = "Move the session's own pointer to a pixel of a window, as a hand that hovers: tooltips and highlights "
		 "follow. The user's pointer stays where it is; it is the one that moves in desktop scope, where x and y are "
		 "pixels of the screen.",
};
