/* SPDX-License-Identifier: MIT */
/* Whether a condition holds in what was seen. */
#include "config.h"

#include "core/condition.h"

static struct element *add(struct tree *tree, const char *role, const char *name, const char *value,
	unsigned states)
{
	struct element *element = element_new();
	element->provider = g_strdup("memory");
	element->object = g_strdup_printf("/%u", tree->elements->len);
	element->role = g_strdup(role);
	element->name = g_strdup(name);
	element->value = g_strdup(value);
	element->actions = g_new0(char *, 1);
	element->states = states;
	g_ptr_array_add(tree->elements, element);
	return element;
}

/* What everything here is looked for in. */
static struct tree *sample(void)
{
	struct tree *tree = tree_new();
	add(tree, "frame", "Sample", NULL, STATE_ENABLED);
	add(tree, "push button", "Save", NULL, STATE_ENABLED);
	add(tree, "entry", "Name", "Ada", STATE_ENABLED | STATE_EDITABLE);
	add(tree, "slider", "Volume", "50.0", STATE_ENABLED);
	add(tree, "push button", "Hidden", NULL, STATE_ENABLED | STATE_OFFSCREEN);
	return tree;
}

static enum holds check_in(struct condition condition, const struct scene *scene, bool *final)
{
	struct sighting sighting = condition_check(&condition, scene);
	g_assert_nonnull(sighting.seen);
	enum holds holds = sighting.holds;
	if (final != NULL) {
		*final = sighting.final;
	}
	sighting_clear(&sighting);
	return holds;
}

static enum holds check(const struct tree *tree, struct condition condition)
{
	struct window window = { .id = 7, .on_current_space = true };
	return check_in(condition, &(struct scene){ .tree = tree, .window = &window, .quiet_us = -1 },
		NULL);
}

#define APPEARS(...) (struct condition){ .kind = CONDITION_ELEMENT_APPEARS, __VA_ARGS__ }

static void elements_appear(void)
{
	struct tree *tree = sample();
	g_assert_cmpint(check(tree, APPEARS(.label = "Save", .exact = true)), ==, HOLDS_YES);
	g_assert_cmpint(check(tree, APPEARS(.label = "save", .exact = true)), ==, HOLDS_NO);
	g_assert_cmpint(check(tree, APPEARS(.label = "sav")), ==, HOLDS_YES);
	g_assert_cmpint(check(tree, APPEARS(.role = "Push Button", .label = "Save")), ==, HOLDS_YES);
	g_assert_cmpint(check(tree, APPEARS(.role = "entry", .label = "Save")), ==, HOLDS_NO);
	g_assert_cmpint(check(tree, APPEARS(.label = "Save", .negated = true)), ==, HOLDS_NO);
	/* There, but nobody could see it. */
	g_assert_cmpint(check(tree, APPEARS(.label = "Hidden")), ==, HOLDS_NO);
	g_assert_cmpint(check(tree, (struct condition){ .kind = CONDITION_ELEMENT_DISAPPEARS,
		.label = "Hidden" }), ==, HOLDS_YES);
	g_assert_cmpint(check(tree, (struct condition){ .kind = CONDITION_ELEMENT_DISAPPEARS,
		.label = "Save" }), ==, HOLDS_NO);
	/* In a minimised window nothing is shown, and all of it is meant. */
	struct window minimised = { .id = 7, .on_current_space = true, .minimized = true };
	g_assert_cmpint(check_in(APPEARS(.label = "Hidden"),
		&(struct scene){ .tree = tree, .window = &minimised }, NULL), ==, HOLDS_YES);
	tree_free(tree);
}

static void values_are_compared(void)
{
	struct tree *tree = sample();
#define VALUE(...) (struct condition){ .kind = CONDITION_ELEMENT_HAS_VALUE, __VA_ARGS__ }
	g_assert_cmpint(check(tree, VALUE(.label = "Name", .value = "Ada", .exact = true)), ==, HOLDS_YES);
	g_assert_cmpint(check(tree, VALUE(.label = "Name", .value = "Ad", .exact = true)), ==, HOLDS_NO);
	g_assert_cmpint(check(tree, VALUE(.label = "Name", .value = "ad")), ==, HOLDS_YES);
	/* As numbers, however they are written, and never by a part of their digits. */
	g_assert_cmpint(check(tree, VALUE(.role = "slider", .value = "50", .exact = true)), ==, HOLDS_YES);
	g_assert_cmpint(check(tree, VALUE(.role = "slider", .value = "5")), ==, HOLDS_NO);
	g_assert_cmpint(check(tree, VALUE(.label = "Save", .value = "x", .exact = true)), ==, HOLDS_NO);
	tree_free(tree);
}

static void states_and_labels(void)
{
	struct tree *tree = sample();
	struct element *then = element_copy(tree->elements->pdata[1]);
	struct condition editable = { .kind = CONDITION_ELEMENT_HAS_STATE, .label = "Name",
		.state = STATE_EDITABLE };
	g_assert_cmpint(check(tree, editable), ==, HOLDS_YES);
	editable.label = "Save";
	g_assert_cmpint(check(tree, editable), ==, HOLDS_NO);

	/* The same button by another name. */
	struct condition renamed = { .kind = CONDITION_ELEMENT_HAS_LABEL, .element = then, .exact = true,
		.label = "Saved" };
	g_assert_cmpint(check(tree, renamed), ==, HOLDS_NO);
	struct element *button = tree->elements->pdata[1];
	g_free(button->name);
	button->name = g_strdup("Saved");
	g_assert_cmpint(check(tree, renamed), ==, HOLDS_YES);
	/* Another object at its place is not it. */
	g_free(button->object);
	button->object = g_strdup("/other");
	g_assert_cmpint(check(tree, renamed), ==, HOLDS_NO);
	g_assert_cmpint(check(tree, (struct condition){ .kind = CONDITION_ELEMENT_DISAPPEARS,
		.element = then }), ==, HOLDS_YES);
	element_free(then);
	tree_free(tree);
}

static void gaps_are_not_absence(void)
{
	struct tree *tree = sample();
	struct condition text = { .kind = CONDITION_TEXT_PRESENT, .text = "ADA" };
	g_assert_cmpint(check(tree, text), ==, HOLDS_YES);
	text.text = "Grace";
	g_assert_cmpint(check(tree, text), ==, HOLDS_NO);
	tree->complete = false;
	g_assert_cmpint(check(tree, text), ==, HOLDS_UNKNOWN);
	/* Turned round, what cannot be told still cannot. */
	text.negated = true;
	g_assert_cmpint(check(tree, text), ==, HOLDS_UNKNOWN);
	g_assert_cmpint(check(tree, (struct condition){ .kind = CONDITION_ELEMENT_DISAPPEARS,
		.label = "Cancel" }), ==, HOLDS_UNKNOWN);
	g_assert_cmpint(check(NULL, text), ==, HOLDS_UNKNOWN);
	tree_free(tree);
}

static void closed_windows(void)
{
	struct scene scene = { .closed = true, .quiet_us = 0 };
	bool final;
	g_assert_cmpint(check_in(APPEARS(.label = "Save"), &scene, &final), ==, HOLDS_NO);
	g_assert_true(final);
	g_assert_cmpint(check_in((struct condition){ .kind = CONDITION_ELEMENT_DISAPPEARS,
		.label = "Save" }, &scene, &final), ==, HOLDS_YES);
	g_assert_cmpint(check_in((struct condition){ .kind = CONDITION_IDLE, .quiet_ms = 500 }, &scene,
		&final), ==, HOLDS_YES);
}

static void windows_come_and_go(void)
{
	g_autoptr(GPtrArray) windows = window_list_new();
	g_autoptr(GHashTable) earlier = g_hash_table_new(g_int64_hash, g_int64_equal);
	struct window *window = window_new();
	window->id = 7;
	window->pid = 42;
	g_free(window->title);
	window->title = g_strdup("Notes - Editor");
	g_ptr_array_add(windows, window);
	struct scene scene = { .windows = windows, .earlier = earlier };
#define OPENS(...) (struct condition){ .kind = CONDITION_WINDOW_OPENS, __VA_ARGS__ }
	bool final;

	g_assert_cmpint(check_in(OPENS(.title = "notes"), &scene, NULL), ==, HOLDS_YES);
	g_assert_cmpint(check_in(OPENS(.title = "notes", .exact = true), &scene, NULL), ==, HOLDS_NO);
	g_assert_cmpint(check_in(OPENS(.pid = 42), &scene, NULL), ==, HOLDS_YES);
	g_assert_cmpint(check_in(OPENS(.pid = 43), &scene, NULL), ==, HOLDS_NO);
	/* Whether it was there before. */
	g_assert_cmpint(check_in(OPENS(.fresh = true), &scene, NULL), ==, HOLDS_YES);
	g_hash_table_add(earlier, &window->id);
	g_assert_cmpint(check_in(OPENS(.fresh = true), &scene, NULL), ==, HOLDS_NO);

	struct condition closes = { .kind = CONDITION_WINDOW_CLOSES, .window_id = 7 };
	g_assert_cmpint(check_in(closes, &scene, NULL), ==, HOLDS_NO);
	closes.window_id = 8;
	g_assert_cmpint(check_in(closes, &scene, NULL), ==, HOLDS_YES);

	struct condition title = { .kind = CONDITION_WINDOW_TITLE, .window_id = 7, .title = "editor" };
	g_assert_cmpint(check_in(title, &scene, &final), ==, HOLDS_YES);
	title.title = "browser";
	g_assert_cmpint(check_in(title, &scene, &final), ==, HOLDS_NO);
	g_assert_false(final);
	title.window_id = 8;
	g_assert_cmpint(check_in(title, &scene, &final), ==, HOLDS_NO);
	g_assert_true(final);
	scene.windows = NULL;
	g_assert_cmpint(check_in(closes, &scene, &final), ==, HOLDS_UNKNOWN);
}

static void idleness_needs_ears(void)
{
	struct condition idle = { .kind = CONDITION_IDLE, .quiet_ms = 500 };
	g_assert_cmpint(check_in(idle, &(struct scene){ .quiet_us = 499000 }, NULL), ==, HOLDS_NO);
	g_assert_cmpint(check_in(idle, &(struct scene){ .quiet_us = 500000 }, NULL), ==, HOLDS_YES);
	g_assert_cmpint(check_in(idle, &(struct scene){ .quiet_us = -1 }, NULL), ==, HOLDS_UNKNOWN);
}

static void words_say_it(void)
{
	struct condition condition = APPEARS(.role = "push button", .label = "Save", .negated = true);
	g_autofree char *words = condition_words(&condition);
	g_assert_cmpstr(words, ==, "not element_appears push button \"Save\"");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/condition/appears", elements_appear);
	g_test_add_func("/condition/value", values_are_compared);
	g_test_add_func("/condition/state-label", states_and_labels);
	g_test_add_func("/condition/gaps", gaps_are_not_absence);
	g_test_add_func("/condition/closed", closed_windows);
	g_test_add_func("/condition/windows", windows_come_and_go);
	g_test_add_func("/condition/idle", idleness_needs_ears);
	g_test_add_func("/condition/words", words_say_it);
	return g_test_run();
}
