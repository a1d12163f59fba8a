/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "tools/acting.h"
#include "tools/tools.h"

static const struct param params[] = {
	PARAMS_WINDOW,
	PARAMS_ELEMENT,
	PARAMS_POINT,
	{ "direction", .type = PARAM_ENUM, .values = "up|down|left|right", .required = true,
	  .about = "Where the view goes: down shows what comes later." },
	{ "amount", .type = PARAM_INT, .min = 1, .max = 50, .preset = "3", .about = "How many lines or pages." },
	{ "by", .type = PARAM_ENUM, .values = "line|page", .preset = "\"line\"",
	  .about = "What amount counts. A page in a browser moves by whole pages only." },
	PARAMS_DEVICE,
	PARAMS_SCOPE,
	PARAMS_DELIVERY,
	{ NULL }
};

static enum direction direction_of(const char *word)
{
	static const char *const words[] = {
		[DIRECTION_UP] = "up", [DIRECTION_DOWN] = "down", [DIRECTION_LEFT] = "left",
		[DIRECTION_RIGHT] = "right",
	};
	int at = 0;
	while (strcmp(words[at], word) != 0) {
		at++;
	}
	return (enum direction)at;
}

/* The window's main view: its longest scroll bar that way, else its page. */
static const struct element *main_view(const struct tree *tree, bool sideways)
{
	const struct element *best = NULL;
	int longest = 0;
	for (guint i = 0; i < tree->elements->len; i++) {
		const struct element *element = tree->elements->pdata[i];
		int width = element->frame.width, height = element->frame.height;
		bool bar = strcmp(element->role, "scroll bar") == 0 && sideways == (width > height);
		int length = bar ? MAX(width, height)
			: strcmp(element->role, "document web") == 0 && longest == 0 ? 1 : 0;
		if (element->has_frame && length > longest) {
			best = element;
			longest = length;
		}
	}
	return best;
}

/* What a call means that names no place in the window. */
static bool aim_at_view(struct call *call, bool sideways, struct aim *aim)
{
	const struct tree_limits limits = { .max_elements = 5000 };
	g_autoptr(GError) error = NULL;
	struct tree *tree = call->platform->impl->tree(call->platform, call->window, &limits,
		call->deadline, &error);
	if (tree == NULL) {
		answer_fail_error(call->answer, error);
		return false;
	}
	aim->snapshot = snapshot_new(call->window, tree, (struct frame){ .window = call->window->bounds });
	aim->element = main_view(tree, sideways);
	if (aim->element == NULL) {
		answer_fail(call->answer, ERROR_BACKGROUND_UNAVAILABLE,
			"Accessibility shows nothing in this window that scrolls that way");
		aim_clear(aim);
		return false;
	}
	aim->addressing = ADDRESS_ELEMENT;
	aim->point = screen_rect_center(aim->element->frame);
	return true;
}

/* On the screen, where the wheel of a hand would be turned. */
static bool aim_at_pointer(struct call *call, struct aim *aim)
{
	g_autoptr(GError) error = NULL;
	if (!call->platform->impl->pointer(call->platform, call->deadline, &aim->point, &error)) {
		answer_fail_error(call->answer, error);
		return false;
	}
	aim->pointed = true;
	return true;
}

static void run(struct call *call)
{
	struct aim aim;
	enum direction direction = direction_of(args_string(call->args, "direction"));
	bool sideways = direction == DIRECTION_LEFT || direction == DIRECTION_RIGHT;
	if (!acting_aim(call, ADDRESS_ELEMENT | ADDRESS_POINT | ADDRESS_FOCUS, &aim)) {
		return;
	}
	if (aim.addressing == ADDRESS_SCREEN && !aim.pointed && !aim_at_pointer(call, &aim)) {
		return;
	}
	if (aim.addressing == ADDRESS_FOCUS && !aim_at_view(call, sideways, &aim)) {
		return;
	}
	struct action action = acting_action(call, ACTION_SCROLL, &aim);
	action.direction = direction;
	action.amount = (int)args_int(call->args, "amount");
	action.by_page = g_str_equal(args_string(call->args, "by"), "page");
	acting_run(call, &action);
	aim_clear(&aim);
}

const struct tool tool_scroll = {
	.name = "scroll", .title = "Scroll", .effect = TOOL_ACTS, .target = TARGET_WINDOW,
	.params = params, .run = run,
	.about = "Scroll in the background what an element, or x and y, is in; without either the window's main view. "
		 "delivered tells how many of the asked steps it went before its end.",
};
