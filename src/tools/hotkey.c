/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "tools/pressing.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "keys", .type = PARAM_STRINGS, .required = true,
	  .about = "At least two: the modifiers (ctrl, shift, alt, super) and one key, as [\"ctrl\", \"s\"] or [\"ctrl+s\"]." },
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static void run(struct call *call)
{
	const char *const *keys = args_strings(call->args, "keys");
	/* As people write it: one string. A plus alone is a key. */
	bool written = g_strv_length((char **)keys) == 1 && strlen(keys[0]) > 2 && strchr(keys[0], '+') != NULL;
	g_auto(GStrv) split = written ? g_strsplit(keys[0], "+", -1) : NULL;
	keys = written ? (const char *const *)split : keys;
	if (g_strv_length((char **)keys) < 2) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS,
			"keys takes at least two names, as [\"ctrl\", \"s\"]; press_key presses a single key");
		answer_string(call->answer, "argument", "keys");
		return;
	}
	pressing_run(call, keys);
}

const struct tool tool_hotkey = {
	.name = "hotkey", .title = "Hotkey", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Press a shortcut such as ctrl+s in a window, in the background: by the action of the menu item or "
		 "button that is bound to it, otherwise on the session's own keyboard, where no shortcut of the desktop "
		 "hears it. With x and y it is clicked there first.",
};
