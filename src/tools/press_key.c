/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tools/pressing.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "key", .type = PARAM_STRING, .required = true,
	  .about = "A character, a name (return, escape, tab, space, up, home, pagedown, f5) or any keysym name." },
	{ "modifiers", .type = PARAM_STRINGS,
	  .about = "Keys held meanwhile: ctrl, shift, alt (option), super (cmd, meta)." },
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
	.about = "Do what a key does to an element, without a keyboard and without focus: return and space press or "
		 "activate it, arrows, home and end move a slider, a spin button or the selection of a list, and keys "
		 "that a menu item or button is bound to perform that. Without an element the focused one of the "
		 "window is meant. Other keys are refused.",
};
