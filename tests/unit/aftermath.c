/* SPDX-License-Identifier: MIT */
/* What was taken from the user after an answer, told from what was taken otherwise. */
#include "config.h"

#include "core/aftermath.h"

static void take(struct past *past, const char *what, pid_t pid)
{
	past_note(past, &(struct happening){ .kind = HAPPENED_TAKEN, .at = g_get_monotonic_time(),
		.what = what, .pid = pid });
}

static void only_what_comes_after_an_answer_is_late(void)
{
	struct past *past = past_new();
	struct aftermath *aftermath = aftermath_new();

	take(past, "focus", 7);
	aftermath_begin(aftermath, 7);
	take(past, "keyboard", 7);
	/* The clock counts microseconds. */
	g_usleep(1000);
	aftermath_end(aftermath, 7);
	g_autoptr(GArray) nothing = aftermath_list(aftermath, past);
	g_assert_cmpuint(nothing->len, ==, 0);

	take(past, "focus", 7);
	take(past, "focus", 8);
	take(past, "keyboard", 0);
	aftermath_begin(aftermath, 7);
	/* This one the second action's answer tells. */
	g_usleep(1000);
	take(past, "focus", 7);
	g_autoptr(GArray) list = aftermath_list(aftermath, past);
	g_assert_cmpuint(list->len, ==, 2);
	const struct late *first = &g_array_index(list, struct late, 0);
	const struct late *second = &g_array_index(list, struct late, 1);
	g_assert_cmpint(first->pid, ==, 7);
	g_assert_cmpstr(first->what, ==, "focus");
	g_assert_cmpstr(second->what, ==, "keyboard");
	g_assert_cmpint(first->after, >=, 0);
	g_assert_cmpint(first->ago, >=, 0);
	aftermath_free(aftermath);
	past_free(past);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/aftermath/late", only_what_comes_after_an_answer_is_late);
	return g_test_run();
}
