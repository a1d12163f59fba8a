/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/splice.h"

#include "core/finding.h"

static void offsets_are_the_toolkits_own(void)
{
	g_assert_cmpint(splice_unit("qt5"), ==, UNIT_UTF16);
	g_assert_cmpint(splice_unit("gtk3"), ==, UNIT_CHARACTER);
	g_assert_cmpint(splice_length("aé日😀", UNIT_CHARACTER), ==, 4);
	g_assert_cmpint(splice_length("aé日😀", UNIT_UTF16), ==, 5);
	g_assert_cmpint(splice_insert_length("aé日😀", UNIT_CHARACTER), ==, 10);
	g_assert_cmpint(splice_insert_length("aé日😀", UNIT_UTF16), ==, 5);
	g_assert_cmpint(splice_characters("😀ab", 2, UNIT_UTF16), ==, 1);
	g_assert_cmpint(splice_characters("😀ab", 2, UNIT_CHARACTER), ==, 2);
	g_assert_cmpint(splice_characters("ab", 9, UNIT_CHARACTER), ==, 2);
}

static void parts_are_replaced(void)
{
	static const struct {
		const char *text;
		int from, to;
		const char *put;
		enum text_unit unit;
		const char *result;
	} cases[] = {
		{ "", 0, 0, "new", UNIT_CHARACTER, "new" },
		{ "hello", 5, 5, " world", UNIT_CHARACTER, "hello world" },
		{ "hello", 1, 4, "", UNIT_CHARACTER, "ho" },
		{ "a😀b", 1, 2, "é", UNIT_CHARACTER, "aéb" },
		{ "a😀b", 1, 3, "é", UNIT_UTF16, "aéb" },
		{ "a😀b", 3, 3, "é", UNIT_UTF16, "a😀éb" },
		{ "e\xcc\x81x", 2, 2, "|", UNIT_CHARACTER, "e\xcc\x81|x" },
		{ "short", 90, 99, "!", UNIT_CHARACTER, "short!" },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *result = splice_replace(cases[i].text, cases[i].from, cases[i].to,
			cases[i].put, cases[i].unit);
		g_assert_cmpstr(result, ==, cases[i].result);
	}
	g_autofree char *part = splice_part("a😀b", 1, 3, UNIT_UTF16);
	g_assert_cmpstr(part, ==, "😀");
}

/* Firefox's, behind an emoji; elsewhere it may be meant. */
static void second_halves_are_no_text(void)
{
	g_autofree char *emoji = splice_clean("a😀\xef\xbb\xbf b", -1);
	g_autofree char *mark = splice_clean("\xef\xbb\xbf日\xef\xbb\xbf", -1);
	g_autofree char *broken = splice_clean("a\xff", -1);
	g_assert_cmpint(splice_unit("gecko"), ==, UNIT_UTF16);
	g_assert_cmpstr(emoji, ==, "a😀 b");
	g_assert_cmpstr(mark, ==, "\xef\xbb\xbf日\xef\xbb\xbf");
	g_assert_cmpstr(broken, ==, "a\xef\xbf\xbd");
}

static void a_look_is_compared(void)
{
	char was[] = "1", asked[] = "2";
	const struct finding changes = { .before = was, .wanted = asked };
	const struct finding keeps = { .before = asked, .wanted = asked };
	g_assert_cmpint(finding_compare(&changes, NULL), ==, FOUND_UNKNOWN);
	g_assert_cmpint(finding_compare(&changes, "1"), ==, FOUND_NOTHING);
	g_assert_cmpint(finding_compare(&changes, "2"), ==, FOUND_ASKED);
	g_assert_cmpint(finding_compare(&changes, "3"), ==, FOUND_OTHER);
	g_assert_cmpint(finding_compare(&keeps, "2"), ==, FOUND_ALREADY);
	g_assert_cmpint(finding_compare(&keeps, "3"), ==, FOUND_OTHER);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/splice/units", offsets_are_the_toolkits_own);
	g_test_add_func("/splice/replace", parts_are_replaced);
	g_test_add_func("/splice/clean", second_halves_are_no_text);
	g_test_add_func("/finding/compare", a_look_is_compared);
	return g_test_run();
}
