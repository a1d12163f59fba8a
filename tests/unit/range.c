/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/write.h"

static void units_may_be_given(void)
{
	static const struct {
		const char *text, *shown;
		bool taken;
		double value;
	} cases[] = {
		{ "33", "10 sec", true, 33 },
		{ "33 sec", "10 sec", true, 33 },
		{ "33 min", "10 sec", false, 0 },
		{ "$-2.5", "$10.00", true, -2.5 },
		{ "2.5", "$10.00", true, 2.5 },
		{ "seven", "10", false, 0 },
		{ "33 sec", "", false, 0 },
		{ "3 / 6", "1 / 6", true, 3 },
		{ "2026-11-17", "2020-01-02", false, 0 },
		{ "11:45", "10:20", false, 0 },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		double value = 0;
		g_test_message("%s for %s", cases[i].text, cases[i].shown);
		g_assert_cmpint(range_parse_like(cases[i].text, cases[i].shown, &value), ==, cases[i].taken);
		if (cases[i].taken) {
			g_assert_cmpfloat(value, ==, cases[i].value);
		}
	}
}

static void what_is_shown_is_the_value_or_not(void)
{
	static const struct {
		const char *text;
		double value;
		bool shown;
	} cases[] = {
		{ "75", 5, false },
		{ "75", 75, true },
		{ "510 sec", 510, true },
		{ "1,000", 1000, true },
		{ "1.234,50 €", 1234.5, true },
		{ "1.23", 1.234, true },
		{ "1.23", 1.5, false },
		{ "-3", 3, false },
		{ "24 / 6", 4, false },
		{ "4 / 6", 4, true },
		{ "never", 0, true }, /* no number: nobody can tell */
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s, %g", cases[i].text, cases[i].value);
		g_assert_cmpint(range_is_shown(cases[i].text, cases[i].value), ==, cases[i].shown);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/range/units", units_may_be_given);
	g_test_add_func("/range/shown", what_is_shown_is_the_value_or_not);
	return g_test_run();
}
