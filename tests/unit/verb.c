/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/atspi.h"
#include "atspi/role.h"

/* Actions as the toolkits really list them, and the one that a request means. */
static void verbs_are_chosen_by_name(void)
{
	static const struct {
		const char *actions[5];
		const char *wanted, *verb;
	} cases[] = {
		{ { "click" }, NULL, "click" },                                  /* GTK3 button */
		{ { "Click" }, "press", "Click" },
		{ { "SetFocus", "Press" }, NULL, "Press" },                      /* Qt5: never position 0 */
		{ { "SetFocus", "Toggle", "ShowMenu" }, NULL, "Toggle" },
		{ { "SetFocus", "Press", "ShowMenu" }, "show_menu", "ShowMenu" },
		{ { "doDefault", "showContextMenu" }, "show_menu", "showContextMenu" }, /* Chromium */
		{ { "doDefault", "showContextMenu" }, NULL, "doDefault" },
		{ { "expand or contract", "edit", "activate" }, NULL, "activate" },      /* GTK3 cell */
		{ { "expand or contract", "edit" }, "open", "expand or contract" },
		{ { "menu.popup", "click" }, "menu.popup", "menu.popup" },       /* any advertised name */
		{ { "SetFocus" }, NULL, NULL },                                  /* focusing is no pressing */
		{ { "click" }, "show_menu", NULL },
		{ { "click" }, "fly", NULL },
		{ { NULL }, NULL, NULL },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_assert_cmpstr(atspi_choose_verb(cases[i].actions, cases[i].wanted), ==, cases[i].verb);
	}
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
	g_test_add_func("/verb/choose", verbs_are_chosen_by_name);
	g_test_add_func("/verb/roles", roles_have_the_protocols_numbers);
	return g_test_run();
}
