/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/expect.h"

#include <string.h>

#include "core/call.h"
#include "core/disturbance.h"
#include "core/headless.h"

static struct element *new_element(const char *role, unsigned states, const char *value)
{
	struct element *element = element_new();
	element->provider = g_strdup("memory");
	element->object = g_strdup("object");
	element->role = g_strdup(role);
	element->name = g_strdup("");
	element->actions = g_new0(char *, 1);
	element->states = states;
	element->value = g_strdup(value);
	return element;
}

/* What of a target counts as the effect of a click, and what happens anyway. */
static void changes_that_count(void)
{
	static const struct {
		const char *role;
		unsigned before, after;
		const char *value_before, *value_after, *kind, *detail;
	} cases[] = {
		{ "check box", 0, STATE_CHECKED, NULL, NULL, "state", "checked" },
		{ "check box", STATE_CHECKED, 0, NULL, NULL, "state", "checked" },
		{ "list item", 0, STATE_SELECTED, NULL, NULL, "state", "selected" },
		{ "tree item", 0, STATE_EXPANDED, NULL, NULL, "state", "expanded" },
		{ "toggle button", 0, STATE_PRESSED, NULL, NULL, "state", "pressed" },
		{ "push button", 0, STATE_PRESSED, NULL, NULL, NULL, NULL },
		{ "check box", 0, STATE_FOCUSED, NULL, NULL, NULL, NULL },
		{ "check box", STATE_ENABLED, STATE_BUSY, NULL, NULL, NULL, NULL },
		{ "slider", 0, 0, "1", "2", "value", NULL },
		{ "combo box", 0, 0, "Red", "Green", "value", NULL },
		{ "text", STATE_EDITABLE, STATE_EDITABLE, "", "typed", NULL, NULL },
		{ "text", 0, 0, "same", "same", NULL, NULL },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct element *before = new_element(cases[i].role, cases[i].before, cases[i].value_before);
		struct element *after = new_element(cases[i].role, cases[i].after, cases[i].value_after);
		const struct action action = { .kind = ACTION_CLICK };
		struct change change;
		enum outcome outcome = expect_compare(&action, before, after, &change);
		g_assert_true((outcome == OUTCOME_ASKED) == (cases[i].kind != NULL));
		g_assert_cmpstr(change.kind, ==, cases[i].kind);
		g_assert_cmpstr(change.detail, ==, cases[i].detail);
		change_clear(&change);
		element_free(before);
		element_free(after);
	}
}

/* What deserves an index, with actions as the toolkits really list them. */
static void indices_go_to_what_can_be_acted_on(void)
{
	static const struct {
		const char *role, *actions;
		bool indexed;
	} cases[] = {
		{ "push button", "click", true },
		{ "check box", "", true },                           /* GTK4 */
		{ "panel", "doDefault|showContextMenu", false },     /* Chromium */
		{ "section", "click|showContextMenu", true },        /* a page's own button */
		{ "link", "jump|showContextMenu", true },
		{ "label", "clipboard.copy|menu.popup", false },     /* GTK4 */
		{ "frame", "window.close", true },
		{ "table cell", "doDefault", false },
		{ "label", "", false },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct element *element = new_element(cases[i].role, 0, NULL);
		g_strfreev(element->actions);
		element->actions = g_strsplit(cases[i].actions, "|", -1);
		g_test_message("%s %s", cases[i].role, cases[i].actions);
		g_assert_true(element_is_indexable(element) == cases[i].indexed);
		element_free(element);
	}
}

static void run(struct call *call)
{
	/* The third is no progress, and must not be told. */
	static const double steps[] = { 1, 2, 2, 3 };
	for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
		call_progress(call, steps[i], 3, "step");
	}
}

static const struct tool tool = { .name = "sample", .title = "Sample", .about = "A sample.", .run = run };

static void on_done(const struct answer *answer, void *data)
{
	g_assert_false(answer_failed(answer));
	g_string_append(data, "done");
}

static void on_progress(double done, double total, const char *message, void *data)
{
	g_assert_cmpstr(message, ==, "step");
	g_string_append_printf(data, "%g/%g ", done, total);
}

static void progress_grows_and_comes_before_the_end(void)
{
	struct platform *platform = headless_new();
	struct runtime *runtime = runtime_new(platform);
	struct answer *unused = answer_new();
	GString *heard = g_string_new(NULL);
	call_start(runtime, "test", &tool, args_parse(&tool, NULL, unused),
		&(struct call_listener){ on_done, on_progress, heard });
	while (strstr(heard->str, "done") == NULL) {
		g_main_context_iteration(NULL, TRUE);
	}
	g_assert_cmpstr(heard->str, ==, "1/3 2/3 3/3 done");
	runtime_free(runtime);
	answer_free(unused);
	platform->impl->destroy(platform);
	g_string_free(heard, TRUE);
}

/* What waits for less than a picture of the screen is not seen, and is told as a number only. */
static void a_pointer_that_is_held_is_told(void)
{
	static const struct {
		int held_ms;
		const char *told;
	} cases[] = { { 0, "\"disturbed\":[]" }, { 17, "\"disturbed\":[]" },
		{ 18, "\"disturbed\":[\"pointer_grab\"]" } };
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct probe before = { .stacking = g_array_new(FALSE, FALSE, sizeof(guint64)) };
		struct probe after = { .stacking = g_array_ref(before.stacking), .held_ms = cases[i].held_ms };
		struct answer *answer = answer_new();
		g_autoptr(GString) out = g_string_new(NULL);
		answer_text(answer, "done");
		disturbance_answer(answer, &before, &after);
		answer_render(answer, out, true);
		g_assert_nonnull(strstr(out->str, cases[i].told));
		answer_free(answer);
		probe_clear(&before);
		probe_clear(&after);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/effect/changes", changes_that_count);
	g_test_add_func("/effect/held", a_pointer_that_is_held_is_told);
	g_test_add_func("/element/indices", indices_go_to_what_can_be_acted_on);
	g_test_add_func("/call/progress", progress_grows_and_comes_before_the_end);
	return g_test_run();
}
