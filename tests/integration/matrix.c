/* SPDX-License-Identifier: MIT */
/*
 * Every kind of control in GTK3, GTK4 and Qt 5, operated by the driver in the background while a user
 * types in front. Whether it landed is the form's journal's word, whether anybody noticed the sentinel's;
 * the driver's own word is held against both. With $LAB_MATRIX (a folder) each desk leaves its rows there,
 * and docs/make-matrix turns them into docs/support-matrix.md.
 */
#include <stdio.h>
#include <string.h>

#include "lab/oracle.h"

/* Long enough for a slow machine; the driver answers as soon as it has seen the effect. */
#define SETTLE "\"settle_ms\":3000"

/* What is asked, and what must come of it. */
struct cell {
	const char *kind;        /* the row of the table; NULL ends the list */
	const char *tool;
	const char *role, *name; /* the element; NULL: the window */
	const char *more;        /* further arguments, as JSON members */
	const char *label, *value; /* what the journal must say; value NULL: it must not change */
	const char *code;        /* NULL: it must work; otherwise the refusal */
	const char *because;     /* why it cannot work, for the table */
};

#define NO_VERB "background_unavailable"

static const struct cell gtk3[] = {
	{ "push button", "click", "push button", "Push me", NULL, "pushed", "1", NULL, NULL },
	{ "toggle button", "click", "toggle button", "Toggle me", NULL, "toggled", "true", NULL, NULL },
	{ "check box", "click", "check box", "Check me", NULL, "checked", "true", NULL, NULL },
	{ "radio button", "click", "radio button", "Radio B", NULL, "radio", "B", NULL, NULL },
	{ "switch", "click", "toggle button", "Switch me", NULL, "switched", "true", NULL, NULL },
	{ "link", "click", "push button", "Link me", NULL, "linked", "1", NULL, NULL },
	{ "tab", "click", "page tab", "Tab two", NULL, "tab", "two", NULL, NULL },
	{ "list row", "click", "list item", "Row 2", NULL, "row", "2", NULL, NULL },
	{ "list row, key down", "press_key", "list item", "Row 2", "\"key\":\"down\"", "row", "3", NULL,
	  NULL },
	{ "table cell", "click", "table cell", "beta", NULL, "cell", "beta", NULL, NULL },
	{ "table row, double click", "double_click", "table cell", "beta", NULL, "activated", "beta", NULL,
	  NULL },
	{ "tree row", "click", "table cell", "Stem", NULL, "branch", "Stem", NULL, NULL },
	{ "tree expander", "click", "table cell", "Stem", "\"action\":\"expand\"", "expanded", "true", NULL,
	  NULL },
	{ "menu item", "invoke_menu", NULL, NULL, "\"path\":[\"File\",\"Open thing\"]", "menu",
	  "Open thing…", NULL, NULL },
	{ "submenu item", "invoke_menu", NULL, NULL, "\"path\":[\"File\",\"More\",\"Deep thing\"]", "menu",
	  "Deep thing", NULL, NULL },
	{ "check menu item", "invoke_menu", NULL, NULL, "\"path\":[\"View\",\"Show grid\"]", "grid", "true",
	  NULL, NULL },
	{ "radio menu item", "invoke_menu", NULL, NULL, "\"path\":[\"View\",\"Large\"]", "size", "Large",
	  NULL, NULL },
	{ "shortcut", "hotkey", NULL, NULL, "\"keys\":[\"ctrl\",\"o\"]", "menu", "Open thing…", NULL, NULL },
	{ "spin button, key up", "press_key", "spin button", "Spin", "\"key\":\"up\"", "spin", "6", NULL,
	  NULL },
	{ "slider, key right", "press_key", "slider", "Slide", "\"key\":\"right\"", "slide", "6", NULL, NULL },
	{ "field, key return", "press_key", "text", "Entry", "\"key\":\"return\"", "entered", "typed", NULL,
	  NULL },
	{ "combo box, chosen", "set_value", "combo box", "Combo", "\"value\":\"Two\"", "combo", "Two", NULL, NULL },
	{ "spin button, value", "set_value", "spin button", "Spin", "\"value\":8", "spin", "8", NULL, NULL },
	{ "slider, value", "set_value", "slider", "Slide", "\"value\":2", "slide", "2", NULL, NULL },
	{ "field, value", "set_value", "text", "Entry", "\"value\":\"\"", "text", "", NULL, NULL },
	{ "field, text", "type_text", "text", "Entry", "\"text\":\"Grüße\"", "text", "Grüße", NULL, NULL },
	{ "context menu", "right_click", "push button", "Context me", NULL, "context", "open", NULL, NULL },
	{ NULL }
};

/* GTK 4.8 has no role for toggle buttons, radio buttons and expanders, GTK 4.18 has one. */
static const struct cell gtk4[] = { { "push button", "click", "push button", "Push me", NULL,
					    "pushed", "1", NULL, NULL },
	{ "toggle button", "click", "push button|toggle button", "Toggle me", NULL, "toggled",
		"true", NULL, NULL },
	{ "check box", "click", "check box", "Check me", NULL, "checked", "true", NULL, NULL },
	{ "radio button", "click", "check box|radio button", "Radio B", NULL, "radio", "B", NULL,
		NULL },
	{ "switch", "click", "check box", "Switch me", NULL, "switched", "true", NULL, NULL },
	{ "link", "click", "link", "Link me", NULL, "linked", "1", NULL, NULL },
	{ "tab", "click", "page tab", "Tab two", NULL, "tab", "two", NULL, NULL },
	{ "list row", "click", "list item", "Row 2", NULL, "row", "2", NULL, NULL },
	{ "list row, key down", "press_key", "list item", "Row 2", "\"key\":\"down\"", "row", "3",
		NULL, NULL },
	{ "table cell", "click", "table row", "beta", NULL, "cell", "beta", NULL, NULL },
	{ "table row, double click", "double_click", "table row", "beta", NULL, "activated", "beta",
		NULL, NULL },
	{ "tree row", "click", "panel|push button", "Stem", NULL, "branch", "Stem", NULL, NULL },
	{ "tree expander", "click", "panel|push button", "Stem", "\"action\":\"expand\"",
		"expanded", "true", NULL, NULL },
	{ "menu item", "invoke_menu", NULL, NULL, "\"path\":[\"File\",\"Open thing\"]", "menu",
		NULL, NO_VERB, "GTK4 does not show closed menus to accessibility" },
	{ "submenu item", "invoke_menu", NULL, NULL, "\"path\":[\"File\",\"More\",\"Deep thing\"]",
		"menu", NULL, NO_VERB, "GTK4 does not show closed menus to accessibility" },
	{ "check menu item", "invoke_menu", NULL, NULL, "\"path\":[\"View\",\"Show grid\"]", "grid",
		NULL, NO_VERB, "GTK4 does not show closed menus to accessibility" },
	{ "command of the window", "click", "frame", "Harness form-gtk4",
		"\"action\":\"form.grid\"", "grid", "true", NULL, NULL },
	{ "spin button, key up", "press_key", "spin button", "Spin", "\"key\":\"up\"", "spin", "6",
		NULL, NULL },
	{ "slider, key right", "press_key", "slider", "Slide", "\"key\":\"right\"", "slide", "6",
		NULL, NULL },
	{ "field, key return", "press_key", "text", "Entry", "\"key\":\"return\"", "entered",
		"typed", NULL, NULL },
	{ "combo box, chosen", "set_value", "combo box", "Combo", "\"value\":\"Two\"", "combo",
		NULL, NO_VERB, "GTK 4.8 shows the items only while it is open" },
	{ "spin button, value", "set_value", "spin button", "Spin", "\"value\":8", "spin", "8",
		NULL, NULL },
	{ "slider, value", "set_value", "slider", "Slide", "\"value\":2", "slide", "2", NULL,
		NULL },
	{ "field, value", "set_value", "text", "Entry", "\"value\":\"\"", "text", "", NULL, NULL },
	{ "field, text", "type_text", "text", "Entry", "\"text\":\"Grüße\"", "text", "Grüße", NULL,
		NULL },
	{ NULL } };

static const struct cell qt5[] = {
	{ "push button", "click", "push button", "Push me", NULL, "pushed", "1", NULL, NULL },
	{ "toggle button", "click", "check box", "Toggle me", NULL, "toggled", "true", NULL, NULL },
	{ "check box", "click", "check box", "Check me", NULL, "checked", "true", NULL, NULL },
	{ "radio button", "click", "radio button", "Radio B", NULL, "radio", "B", NULL, NULL },
	{ "link", "click", "push button", "Link me", NULL, "linked", "1", NULL, NULL },
	{ "tab", "click", "page tab", "Tab two", NULL, "tab", "two", NULL, NULL },
	{ "list row", "click", "list item", "Row 2", NULL, "row", "2", NULL, NULL },
	{ "list row, key down", "press_key", "list item", "Row 2", "\"key\":\"down\"", "row", "3", NULL,
	  NULL },
	{ "table cell", "click", "table cell", "beta", NULL, "cell", "beta", NULL, NULL },
	{ "table row, double click", "double_click", "table cell", "beta", NULL, "activated", "beta", NULL,
	  NULL },
	{ "tree row", "click", "table cell", "Stem", NULL, "branch", "Stem", NULL, NULL },
	{ "tree expander", "click", "table cell", "Stem", "\"action\":\"expand\"", "expanded", "true", NULL,
	  NULL },
	{ "menu item", "invoke_menu", NULL, NULL, "\"path\":[\"File\",\"Open thing\"]", "menu",
	  "Open thing…", NULL, NULL },
	{ "submenu item", "invoke_menu", NULL, NULL, "\"path\":[\"File\",\"More\",\"Deep thing\"]", "menu",
	  "Deep thing", NULL, NULL },
	{ "check menu item", "invoke_menu", NULL, NULL, "\"path\":[\"View\",\"Show grid\"]", "grid", "true",
	  NULL, NULL },
	{ "radio menu item", "invoke_menu", NULL, NULL, "\"path\":[\"View\",\"Large\"]", "size", "Large",
	  NULL, NULL },
	{ "shortcut", "hotkey", NULL, NULL, "\"keys\":[\"ctrl\",\"o\"]", "menu", "Open thing…", NULL, NULL },
	{ "spin button, key up", "press_key", "spin button", "Spin", "\"key\":\"up\"", "spin", "6", NULL,
	  NULL },
	{ "slider, key right", "press_key", "slider", "Slide", "\"key\":\"right\"", "slide", "6", NULL, NULL },
	{ "field, key return", "press_key", "text", "Entry", "\"key\":\"return\"", "entered", "typed", NULL,
	  NULL },
	{ "combo box, chosen", "set_value", "combo box", "One", "\"value\":\"Two\"", "combo", "Two", NULL, NULL },
	{ "spin button, value", "set_value", "spin button", "Spin", "\"value\":8", "spin", "8", NULL, NULL },
	{ "slider, value", "set_value", "slider", "Slide", "\"value\":2", "slide", "2", NULL, NULL },
	{ "field, value", "set_value", "text", "Entry", "\"value\":\"\"", "text", "", NULL, NULL },
	{ "field, text", "type_text", "text", "Entry", "\"text\":\"Grüße\"", "text", "Grüße", NULL, NULL },
	{ NULL }
};

static bool contains(const json_t *frame, int x, int y)
{
	return json_is_object(frame) && x >= lab_int(frame, "x") && y >= lab_int(frame, "y") &&
		x < lab_int(frame, "x") + lab_int(frame, "w") && y < lab_int(frame, "y") + lab_int(frame, "h");
}

/* The element of that role and label; where a toolkit names only a text inside it, the one around that. */
static json_int_t find(struct lab_harness *form, const json_t *state, const struct cell *cell)
{
	size_t i;
	json_t *element;

	json_array_foreach(lab_array(state, "elements"), i, element) {
		if (lab_is_role(lab_str(element, "role"), cell->role) &&
			g_str_equal(lab_str(element, "label"), cell->name)) {
			return lab_int(element, "element_index");
		}
	}
	struct lab_seen seen = lab_harness_see(form, NULL, cell->name, 10000);
	int x = seen.frame.x + seen.frame.width / 2, y = seen.frame.y + seen.frame.height / 2;
	json_array_foreach(lab_array(state, "elements"), i, element) {
		if (lab_is_role(lab_str(element, "role"), cell->role) &&
			contains(json_object_get(element, "frame"), x, y)) {
			return lab_int(element, "element_index");
		}
	}
	lab_fail("the driver shows no %s \"%s\": %s", cell->role, cell->name, lab_json(state));
}

static json_t *snapshot(struct lab_driver *driver, struct lab_harness *form)
{
	return lab_call_ok(driver, "get_window_state",
		"{\"window_id\":%u,\"include_screenshot\":false}", form->window).structured;
}

static struct lab_answer ask(struct lab_driver *driver, struct lab_harness *form,
	const struct cell *cell)
{
	g_autoptr(GString) more = g_string_new(NULL);

	if (cell->role) {
		g_string_append_printf(more, ",\"element_index\":%lld",
			(long long)find(form, snapshot(driver, form), cell));
	}
	if (cell->more) {
		g_string_append_printf(more, ",%s", cell->more);
	}
	return lab_call(driver, cell->tool, "{\"window_id\":%u," SETTLE "%s}", form->window, more->str);
}

static void must_be_refused(struct lab_harness *form, const struct cell *cell, guint mark,
	const struct lab_answer *answer)
{
	if (!answer->is_error || g_strcmp0(answer->code, cell->code) != 0) {
		lab_fail("%s should be refused as %s: %s", cell->kind, cell->code,
			lab_json(answer->structured));
	}
	lab_assert_str(lab_str(answer->structured, "delivery"), "none");
	if (lab_journal_count(form, mark, "kind", "state", NULL) > 0) {
		lab_journal_note(form, 5);
		lab_fail("%s was refused, and something happened all the same", cell->kind);
	}
}

static void must_land(struct lab_harness *form, const struct cell *cell, guint mark,
	const struct lab_answer *answer)
{
	const char *effect;

	if (answer->is_error) {
		lab_fail("%s: %s", cell->kind, lab_json(answer->structured));
	}
	if (!lab_journal_find(form, mark, 10000, "kind", "state", "label", cell->label, "value",
		cell->value, NULL)) {
		lab_journal_note(form, 8);
		lab_fail("%s did not land, and the driver says %s", cell->kind, lab_json(answer->structured));
	}
	effect = lab_str(answer->structured, "effect");
	lab_assert(lab_bool(answer->structured, "verified") == g_str_equal(effect, "confirmed"));
	if (g_str_equal(effect, "suspected_noop")) {
		lab_fail("%s: the driver doubts what did happen: %s", cell->kind,
			lab_json(answer->structured));
	}
}

/* One line of the table for docs/make-matrix: toolkit, kind, tool, what came of it. */
static void note_row(FILE *rows, const char *toolkit, const struct cell *cell,
	const struct lab_answer *answer)
{
	if (rows) {
		fprintf(rows, "%s\t%s\t%s\t%s\t%s\n", toolkit, cell->kind, cell->tool,
			cell->code ? cell->code : lab_str(answer->structured, "effect"),
			cell->code ? cell->because : lab_str(answer->structured, "path"));
	}
}

static void try_all(struct lab_desk *desk, const char *toolkit, const struct cell *cells)
{
	g_autofree char *name = g_strconcat("form-", toolkit, NULL);
	struct lab_harness *form = lab_harness_start(desk, g_strdup(name), NULL);
	struct lab_sentinel *sentinel = lab_sentinel_open(desk, NULL);
	struct lab_driver *driver = lab_driver_start(desk);
	const char *folder = g_getenv("LAB_MATRIX");
	g_autofree char *path = folder ? g_build_filename(folder, toolkit, NULL) : NULL;
	FILE *rows = path ? fopen(path, "w") : NULL;

	for (; cells->kind; cells++) {
		lab_sentinel_start(sentinel);
		guint mark = lab_journal_mark(form);
		struct lab_answer answer = ask(driver, form, cells);

		if (cells->code) {
			must_be_refused(form, cells, mark, &answer);
		} else {
			must_land(form, cells, mark, &answer);
			lab_assert_int(json_array_size(lab_array(answer.structured, "disturbed")), 0);
		}
		lab_sentinel_types(sentinel, 4);
		struct lab_verdict verdict = lab_sentinel_stop(sentinel);
		if (!verdict.held) {
			lab_fail("%s: the user noticed: %s; the driver says %s", cells->kind, verdict.text,
				lab_json(answer.structured));
		}
		note_row(rows, toolkit, cells, &answer);
	}
	if (rows) {
		fclose(rows);
	}
}

static void try_gtk3(struct lab_desk *desk)
{
	try_all(desk, "gtk3", gtk3);
}

static void try_gtk4(struct lab_desk *desk)
{
	try_all(desk, "gtk4", gtk4);
}

static void try_qt5(struct lab_desk *desk)
{
	try_all(desk, "qt5", qt5);
}

static const struct lab_test tests[] = {
	{ .name = "gtk3", .run = try_gtk3, .servers = LAB_XVFB, .wms = "openbox", .timeout = 240,
	  .about = "Every kind of control in GTK3: landed or refused, and the user did not notice." },
	{ .name = "gtk4", .run = try_gtk4, .servers = LAB_XVFB, .wms = "xfwm4", .timeout = 240,
	  .about = "The same in GTK4." },
	{ .name = "qt5", .run = try_qt5, .servers = LAB_XVFB, .wms = "mutter", .timeout = 240,
	  .about = "The same in Qt 5." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
