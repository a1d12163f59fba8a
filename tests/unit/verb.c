/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/role.h"
#include "atspi/verb.h"

/* Actions as the toolkits really list them, and the one that a request means. */
static void verbs_are_found_by_name(void)
{
	static const struct {
		const char *actions[5];
		const char *wanted, *verb;
	} cases[] = {
		{ { "click" }, "press", "click" },                               /* GTK3 button */
		{ { "Click" }, "press", "Click" },
		{ { "SetFocus", "Press" }, "press", "Press" },                   /* Qt5: never position 0 */
		{ { "SetFocus", "Press", "ShowMenu" }, "show_menu", "ShowMenu" },
		{ { "doDefault", "showContextMenu" }, "show_menu", "showContextMenu" }, /* Chromium */
		{ { "doDefault", "showContextMenu" }, "press", "doDefault" },
		{ { "expand or contract", "edit" }, "open", "expand or contract" },
		{ { "expand or contract", "edit" }, "expand", "expand or contract" },
		{ { "listitem.collapse", "listitem.expand" }, "expand", "listitem.expand" }, /* GTK4 */
		{ { "menu.popup", "click" }, "menu.popup", "menu.popup" },       /* any advertised name */
		{ { "SetFocus" }, "press", NULL },                               /* focusing is no pressing */
		{ { "click" }, "show_menu", NULL },
		{ { "click" }, "fly", NULL },
		{ { NULL }, "press", NULL },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_assert_cmpstr(verb_find(cases[i].actions, cases[i].wanted), ==, cases[i].verb);
	}
}

/* Elements as the toolkits have them, what was asked, and what stands for it. */
static void clicks_mean_what_the_element_is(void)
{
	enum { MENU = 1 << 8, SELECTABLE = 1 << 9, WEB = 1 << 10, EXPANDED = 1 << 11 };
	static const struct {
		const char *toolkit, *role;
		const char *actions[4];
		int flags;
		enum button button;
		int count;
		const char *wanted;
		enum way way;
		const char *verb;
		enum error_code code;
	} cases[] = {
		{ "gtk3", "push button", { "click" }, 0, BUTTON_LEFT, 1, NULL, WAY_PERFORM, "click",
			0 },
		{ "qt5", "check box", { "Toggle", "SetFocus" }, 0, BUTTON_LEFT, 1, NULL,
			WAY_PERFORM, "Toggle", 0 },
		/* One click on a row selects it; two open it. */
		{ "gtk3", "table cell", { "expand or contract", "edit", "activate" }, SELECTABLE,
			BUTTON_LEFT, 1, NULL, WAY_PICK, NULL, 0 },
		{ "gtk3", "table cell", { "expand or contract", "edit", "activate" }, SELECTABLE,
			BUTTON_LEFT, 2, NULL, WAY_PERFORM, "activate", 0 },
		/* Qt's items offer a check mark that most of them do not have. */
		{ "qt5", "list item", { "Toggle" }, SELECTABLE, BUTTON_LEFT, 1, NULL, WAY_PICK,
			NULL, 0 },
		{ "gtk3", "page tab", { NULL }, SELECTABLE, BUTTON_LEFT, 1, NULL, WAY_PICK, NULL,
			0 },
		{ "qt5", "page tab", { "Press" }, 0, BUTTON_LEFT, 1, NULL, WAY_PERFORM, "Press",
			0 },
		{ "gtk4", "label", { "menu.popup" }, 0, BUTTON_LEFT, 1, NULL, WAY_PICK, NULL, 0 },
		/* The activate of a field is its Enter key, not a click. */
		{ "gtk3", "text", { "activate" }, 0, BUTTON_LEFT, 1, NULL, WAY_NONE, NULL,
			ERROR_BACKGROUND_UNAVAILABLE },
		{ "gtk3", "text", { "activate" }, 0, BUTTON_LEFT, 2, NULL, WAY_NONE, NULL,
			ERROR_BACKGROUND_UNAVAILABLE },
		{ "gtk3", "text", { "activate" }, 0, BUTTON_LEFT, 1, "activate", WAY_PERFORM,
			"activate", 0 },
		{ "qt5", "text", { "SetFocus" }, 0, BUTTON_LEFT, 1, NULL, WAY_PERFORM, "SetFocus",
			0 },
		{ "chromium", "entry", { "activate" }, WEB, BUTTON_LEFT, 1, NULL, WAY_PERFORM,
			"activate", 0 },
		/* A check box of GTK4 in a row: selecting the row would be another click. */
		{ "gtk4", "check box", { NULL }, 0, BUTTON_LEFT, 1, NULL, WAY_NONE, NULL,
			ERROR_BACKGROUND_UNAVAILABLE },
		/* Menus, lists and buttons with a menu take the keyboard of whoever has it. */
		{ "gtk3", "menu", { "click" }, MENU, BUTTON_LEFT, 1, NULL, WAY_PERFORM, "click",
			0 },
		{ "java", "menu", { "click" }, MENU, BUTTON_LEFT, 1, NULL, WAY_PERFORM, "click",
			0 },
		{ "qt5", "menu item", { "ShowMenu" }, MENU, BUTTON_LEFT, 1, "show_menu",
			WAY_PERFORM, "ShowMenu", 0 },
		{ "qt5", "combo box", { "ShowMenu", "Press" }, MENU, BUTTON_LEFT, 1, NULL,
			WAY_PERFORM, "Press", 0 },
		{ "qt5", "menu item", { "ShowMenu" }, MENU, BUTTON_LEFT, 1, NULL, WAY_PERFORM,
			"ShowMenu", 0 },
		{ "gtk3", "table cell", { "edit", "activate" }, SELECTABLE, BUTTON_LEFT, 1, "pick",
			WAY_PICK, NULL, 0 },
		{ "qt5", "push button", { "ShowMenu", "SetFocus" }, MENU, BUTTON_LEFT, 1, NULL,
			WAY_PERFORM, "ShowMenu", 0 },
		{ "qt5", "menu item", { "Press" }, 0, BUTTON_LEFT, 1, NULL, WAY_PERFORM, "Press",
			0 },
		/* Its own menu is not one about it. */
		{ "qt5", "combo box", { "ShowMenu", "Press" }, 0, BUTTON_RIGHT, 1, NULL, WAY_NONE,
			NULL, ERROR_BACKGROUND_UNAVAILABLE },
		{ "chromium", "combo box", { "open" }, WEB, BUTTON_LEFT, 1, NULL, WAY_NONE, NULL,
			ERROR_ACTION_UNSUPPORTED },
		{ "chromium", "push button", { "press", "showContextMenu" }, WEB | MENU,
			BUTTON_RIGHT, 1, NULL, WAY_PERFORM, "showContextMenu", 0 },
		{ "gtk3", "push button", { "click" }, 0, BUTTON_RIGHT, 1, NULL, WAY_NONE, NULL,
			ERROR_BACKGROUND_UNAVAILABLE },
		{ "gtk3", "push button", { "click" }, 0, BUTTON_MIDDLE, 1, NULL, WAY_NONE, NULL,
			ERROR_BACKGROUND_UNAVAILABLE },
		{ "gtk3", "push button", { "click" }, 0, BUTTON_LEFT, 2, NULL, WAY_NONE, NULL,
			ERROR_BACKGROUND_UNAVAILABLE },
		/* Expanding what is expanded would collapse it. */
		{ "gtk3", "table cell", { "expand or contract" }, 0, BUTTON_LEFT, 1, "expand",
			WAY_PERFORM, "expand or contract", 0 },
		{ "gtk3", "table cell", { "expand or contract" }, EXPANDED, BUTTON_LEFT, 1,
			"expand", WAY_NONE, NULL, ERROR_ACTION_UNSUPPORTED },
		{ "gtk3", "push button", { "click" }, 0, BUTTON_LEFT, 1, "fly", WAY_NONE, NULL,
			ERROR_ACTION_UNSUPPORTED },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct window window = { .toolkit = (char *)cases[i].toolkit };
		struct element element = {
			.role = (char *)cases[i].role, .name = (char *)"x",
			.actions = (char **)cases[i].actions,
			.selectable = (cases[i].flags & SELECTABLE) != 0,
			.in_web_content = (cases[i].flags & WEB) != 0,
			.states = cases[i].flags & EXPANDED ? STATE_EXPANDED : 0,
		};
		struct action action = {
			.window = &window, .now = &element, .button = cases[i].button,
			.count = cases[i].count, .verb = cases[i].wanted,
		};
		struct refusal why = { 0 };
		const char *verb;
		enum way way = verb_choose(&action, &verb, &why);
		g_test_message("case %u: %s", (unsigned)i, why.reason ? why.reason : "");
		g_assert_cmpint(way, ==, cases[i].way);
		if (way == WAY_NONE) {
			g_assert_cmpint(why.code, ==, cases[i].code);
			g_assert_nonnull(why.reason);
		} else {
			g_assert_cmpstr(verb, ==, cases[i].verb);
		}
		g_assert_cmpint(way == WAY_PERFORM && verb_opens_menu(&action, verb), ==,
			(cases[i].flags & MENU) != 0);
		refusal_clear(&why);
	}
}

/* Where selecting an item is not what a click on it does, and a pointer can reach it, the pointer clicks. */
static void selected_is_not_clicked(void)
{
	static const struct {
		const char *toolkit, *type, *container;
		enum way way;
	} cases[] = {
		{ "gtk3", "normal", "tree table", WAY_NONE },
		{ "gtk3", "combo", "tree table", WAY_NONE },
		{ "qt5", "normal", "tree", WAY_NONE },
		{ "vcl", "dialog", "tree table", WAY_NONE },
		{ "vcl", "combo", "table", WAY_NONE },
		{ "vcl", "normal", "document spreadsheet", WAY_NONE },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct window window = { .toolkit = (char *)cases[i].toolkit, .type = (char *)cases[i].type,
			.bounds = { 0, 0, 100, 100 } };
		struct tree *tree = tree_new();
		const char *const roles[] = { cases[i].container, "table cell" };
		for (int j = 0; j < 2; j++) {
			struct element *element = element_new();
			element->role = g_strdup(roles[j]);
			element->name = g_strdup("x");
			element->actions = g_new0(char *, 1);
			element->parent = j - 1;
			element->depth = j;
			element->has_frame = element->selectable = true;
			element->frame = (struct screen_rect){ 10, 10, 50, 20 };
			g_ptr_array_add(tree->elements, element);
		}
		tree_number(tree);
		struct element *cell = tree->elements->pdata[1];
		struct action action = { .window = &window, .element = cell, .now = cell, .count = 1 };
		struct refusal why = { 0 };
		const char *verb;
		g_test_message("case %zu", i);
		g_assert_cmpint(verb_choose(&action, &verb, &why), ==, cases[i].way);
		refusal_clear(&why);
		/* Two clicks select what they open; "activate" of LibreOffice and GTK3 does not. */
		char *const two[] = { (char *)"activate", NULL };
		g_strfreev(cell->actions);
		cell->actions = g_strdupv((char **)two);
		action.count = 2;
		g_assert_cmpint(verb_choose(&action, &verb, &why), ==,
			g_str_equal(cases[i].toolkit, "vcl") || g_str_equal(cases[i].toolkit, "gtk3") ? WAY_NONE : WAY_PERFORM);
		refusal_clear(&why);
		action.count = 1;
		/* Scrolled out it comes into view first, and is selected if it does not; no pointer comes to a minimised window. */
		cell->states |= STATE_OFFSCREEN;
		g_assert_cmpint(verb_choose(&action, &verb, &why), ==, cases[i].way);
		refusal_clear(&why);
		action.last = true;
		g_assert_cmpint(verb_choose(&action, &verb, &why), ==, WAY_PICK);
		action.last = false;
		window.minimized = true;
		g_assert_cmpint(verb_choose(&action, &verb, &why), ==, WAY_PICK);
		tree_free(tree);
	}
}

static void held_keys_need_a_pointer(void)
{
	static const char *const control[] = { "ctrl", NULL };
	struct window window = { .toolkit = (char *)"gtk3" };
	struct element element = {
		.role = (char *)"push button", .name = (char *)"x", .actions = (char *[]){ (char *)"click", NULL },
	};
	struct action action = {
		.window = &window, .now = &element, .count = 1, .modifiers = control,
	};
	struct refusal why = { 0 };
	const char *verb;
	g_assert_cmpint(verb_choose(&action, &verb, &why), ==, WAY_NONE);
	g_assert_cmpint(why.code, ==, ERROR_BACKGROUND_UNAVAILABLE);
	refusal_clear(&why);
}

static void roles_have_the_protocols_numbers(void)
{
	g_assert_cmpstr(role_name(ROLE_MENU), ==, "menu");
	g_assert_cmpstr(role_name(ROLE_PASSWORD_TEXT), ==, "password text");
	g_assert_cmpstr(role_name(ROLE_DOCUMENT_WEB), ==, "document web");
	g_assert_cmpstr(role_name(ROLE_SPIN_BUTTON), ==, "spin button");
	g_assert_cmpstr(role_name(43), ==, "push button");
	g_assert_cmpstr(role_name(7), ==, "check box");
	g_assert_cmpstr(role_name(99999), ==, "unknown");
	g_assert_false(role_has_text_value(ROLE_PASSWORD_TEXT));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/verb/selected-is-not-clicked", selected_is_not_clicked);
	g_test_add_func("/verb/find", verbs_are_found_by_name);
	g_test_add_func("/verb/choose", clicks_mean_what_the_element_is);
	g_test_add_func("/verb/held", held_keys_need_a_pointer);
	g_test_add_func("/verb/roles", roles_have_the_protocols_numbers);
	return g_test_run();
}
