/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/pressing.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "key", .type = PARAM_STRING, .required = true,
	  .about = "A character, a name (return, escape, tab, space, up, home, pagedown, f5, kp_enter, volumeup) or any keysym name." },
	{ "modifiers", .type = PARAM_STRINGS,
	  .about = "Keys held meanwhile: ctrl, shift, alt (option), super (cmd, meta)." },
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	const char *const *modifiers = args_strings(call->args, "modifiers");
	g_autoptr(GPtrArray) keys = g_ptr_array_new();
	for (; modifiers != NULL && *modifiers != NULL; modifiers++) {
		g_ptr_array_add(keys, (gpointer)*modifiers);
	}
	g_ptr_array_add(keys, (gpointer)args_string(call->args, "key"));
	g_ptr_array_add(keys, NULL);
	pressing_run(call, (const char *const *)keys->pdata);
}

const struct tool tool_press_key = {
	.name = "press_key", .title = "Press key", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Press a key in a window, in the background. What an action of the element stands for is done by it "
		 "(return and space press, arrows, home and end move a slider, a spin button or a selection, keys a "
		 "menu item is bound to perform it); every other key is pressed on the session's own keyboard. With x "
		 "and y it is clicked there first; an element that has not the focus is clicked, too; without either "
		 "the key goes to where the focus of the window is.",
};
