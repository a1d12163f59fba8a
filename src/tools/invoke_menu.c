/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/menu.h"
#include "tools/acting.h"
#include "tools/opening.h"
#include "tools/tools.h"

static const struct param params[] = { PARAMS_WINDOW, PARAMS_ELEMENT,
	{ "path", .type = PARAM_STRINGS, .required = true,
		.about = "Labels from the menu bar down to the item: [\"File\", \"Save as…\"]; or "
			 "from the button "
			 "that opens a menu; with element_index, that button's, only those inside "
			 "its menu. Case, "
			 "mnemonics and a final ellipsis do not matter." },
	{ "allow_grab", .type = PARAM_BOOL, .preset = "false",
		.about = "Where a menu that has to be opened (GTK4's, and what is filled when it "
			 "opens) would take the user's "
			 "keyboard, as in an application that the user is in, it may." },
	PARAMS_DELIVERY, { NULL } };

/* Actions of a window that are commands, as GTK4 names them: "win.save". */
static void suggest_commands(struct answer *answer, const struct tree *tree)
{
	const struct element *root = tree->elements->len > 0 ? tree->elements->pdata[0] : NULL;
	if (root != NULL && root->index >= 0) {
		answer_strings(answer, "actions", (const char *const *)root->actions);
		answer_suggest(answer, "The window itself, element_index %d, has the listed actions: pass one as the "
			"action of click. Otherwise click the menu by x and y.", root->index);
	}
}

static void refuse(struct call *call, const struct tree *tree, const struct menu_walk *walk)
{
	const char *const *path = args_strings(call->args, "path");
	const char *wanted = path[walk->steps];
	struct answer *answer = call->answer;
	if (walk->items->len == 0) {
		answer_fail(answer, ERROR_BACKGROUND_UNAVAILABLE, walk->menu != NULL
			? "The menu \"%s\" shows nothing to accessibility while it is closed"
			: "Accessibility shows no menu bar in this window%s",
			walk->menu != NULL ? walk->menu->name : "");
		answer_open_object(answer, "escalation");
		answer_string(answer, "recommended", "px");
		answer_string(answer, "reason", "The menu has to be opened to be seen");
		answer_close_object(answer);
		if (walk->menu != NULL && strcmp(call->window->toolkit, "gecko") == 0) {
			answer_suggest(answer, "Take a snapshot, click that menu by its element_index, which opens it, and click its item "
				"in a snapshot taken after that.");
		} else {
			suggest_commands(answer, tree);
		}
		return;
	}
	if (walk->menu != NULL) {
		answer_fail(answer, ERROR_ITEM_NOT_FOUND, "There is no \"%s\" in the menu \"%s\"",
			wanted, walk->menu->name);
	} else {
		answer_fail(
			answer, ERROR_ITEM_NOT_FOUND, "There is no \"%s\" in the menu bar", wanted);
	}
	answer_open_array(answer, "items");
	for (guint i = 0; i < walk->items->len; i++) {
		answer_string(answer, NULL, walk->items->pdata[i]);
	}
	answer_close_array(answer);
}

/* LibreOffice brings a menu up to date when it opens; until then its items look disabled. */
static bool is_out_of_date(const struct call *call, const struct element *item)
{
	return (item->states & STATE_ENABLED) == 0 && strcmp(call->window->toolkit, "vcl") == 0;
}

static void refuse_unknown(struct call *call, const struct element *item)
{
	answer_fail(call->answer, ERROR_BACKGROUND_UNAVAILABLE, "LibreOffice does not say whether \"%s\" can be "
		"used until its menu was open", item->name);
	answer_open_object(call->answer, "escalation");
	answer_string(call->answer, "recommended", "px");
	answer_string(call->answer, "reason", "Open the menu by x and y, or use a button of the tool bar");
	answer_close_object(call->answer);
}

/* The menu of a button that the caller points at: it may have no label. */
static void run_by_button(struct call *call, const char *const *path)
{
	struct aim aim;
	if (!acting_aim(call, ADDRESS_ELEMENT, &aim)) {
		return;
	}
	if (opening_is(call, aim.snapshot->tree, aim.element)) {
		opening_invoke(call, aim.snapshot->tree, aim.element, path);
	} else {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "The %s \"%s\" is no button that opens a menu "
			"invoke_menu could look into", aim.element->role, aim.element->name);
		answer_suggest(call->answer, "Leave the element out to walk the window's menu bar.");
	}
	aim_clear(&aim);
}

static void run(struct call *call)
{
	const struct tree_limits limits = { .max_elements = 5000, .closed_menus = true };
	const char *const *path = args_strings(call->args, "path");
	g_autoptr(GError) error = NULL;
	if (path[0] == NULL) {
		answer_fail(call->answer, ERROR_INVALID_ARGUMENTS, "path takes at least one label");
		answer_string(call->answer, "argument", "path");
		return;
	}
	if (args_has(call->args, "element_index") || args_has(call->args, "element_token")) {
		run_by_button(call, path);
		return;
	}
	struct tree *tree = call->platform->impl->tree(call->platform, call->window, &limits,
		call->deadline, &error);
	if (tree == NULL) {
		answer_fail_error(call->answer, error);
		return;
	}
	struct menu_walk walk;
	menu_walk(tree, path, &walk);
	const struct element *opener = walk.menu == NULL ? opening_find(call, tree, path[0]) : NULL;
	if (walk.menu != NULL && walk.item == NULL && walk.items->len == 0 && opening_is(call, tree, walk.menu)) {
		opener = menu_top(tree, walk.menu);
	}
	if (opener != NULL && path[1] != NULL) {
		opening_invoke(call, tree, opener, path + 1);
	} else if (walk.item == NULL) {
		refuse(call, tree, &walk);
	} else if (is_out_of_date(call, walk.item)) {
		refuse_unknown(call, walk.item);
	} else {
		struct aim aim = { .element = walk.item, .addressing = ADDRESS_ELEMENT };
		struct action action = acting_action(call, ACTION_INVOKE_MENU, &aim);
		action.tree = tree;
		acting_run(call, &action);
	}
	menu_walk_clear(&walk);
	tree_free(tree);
}

const struct tool tool_invoke_menu = {
	.name = "invoke_menu",
	.title = "Invoke menu",
	.effect = TOOL_ACTS,
	.target = TARGET_WINDOW,
	.params = params,
	.run = run,
	.about = "Do what an item of a window's menu bar does, by its labels, without opening the "
		 "menu: nobody's "
		 "keyboard is taken. An item that is not there is refused with those that are. "
		 "Menus that "
		 "show nothing while they are closed, as those behind GTK4's buttons, are opened "
		 "for it and closed again; "
		 "opened: true says that one was.",
};
