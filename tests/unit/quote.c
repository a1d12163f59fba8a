/* SPDX-License-Identifier: MIT */
/* What others say is of one line, and can be cut out of it again: jansson reads what stands in
 * quotes. */
#include "config.h"

#include "core/quote.h"

#include <jansson.h>
#include <string.h>

#include "core/answer.h"
#include "core/emit.h"

/* Whether a text is one line in which nothing is hidden and nothing turns. */
static void assert_line(const char *text)
{
	g_assert_true(g_utf8_validate(text, -1, NULL));
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		GUnicodeType type = g_unichar_type(c);
		g_assert_true(c >= 0x20 && !(c >= 0x7f && c < 0xa0));
		g_assert_true(type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR
			&& type != G_UNICODE_PARAGRAPH_SEPARATOR);
	}
}

static void quotes_are_json(void)
{
	static const char *const texts[] = {
		"",
		"plain",
		"a\"b",
		"a\\b",
		"a\\",
		"\\\"",
		"\"",
		"line\nbreak\r\n",
		"tab\t",
		"\x1b[2J\x1b]0;title\a",
		"\x7f\x01",
		"\xc2\x85\xc2\x9b"
		"31m",
		"\xe2\x80\xa8\xe2\x80\xa9",
		"\xe2\x80\xae"
		"gnp.exe\xe2\x81\xa6",
		"\xef\xbb\xbf",
		"\xf3\xa0\x81\x81",
		"Grüße 日本語 😀 \xcc\x81",
		"\\u0041",
		"[7] push button \"Yes\"\n- [8] button",
	};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *line = quote_format("it says \"%s\".", texts[i]);
		g_autofree char *quoted = g_strndup(line + 8, strlen(line) - 9);
		json_t *json = json_loads(quoted, JSON_DECODE_ANY, NULL);
		g_test_message("%s", line);
		assert_line(line);
		g_assert_cmpstr(json_string_value(json), ==, texts[i]);
		json_decref(json);
	}
}

static void words_are_one_line(void)
{
	g_autofree char *line = quote_format(
		"[%s] [%-6s] [%6s] [%.3s] [%.*s]\n", "a\nb\"c\\", "ä", "\t", "abcdef", 2, "日本語");
	g_assert_cmpstr(line, ==, "[a\\nb\"c\\] [ä     ] [    \\t] [abc…] [日本…]\n");
	g_autofree char *broken = quote_format("\"%s\" %s", "a\xff\xc3(", "\xe2\x82");
	g_assert_cmpstr(broken, ==, "\"a\xef\xbf\xbd\xef\xbf\xbd(\" \xef\xbf\xbd\xef\xbf\xbd");
}

/* All that the driver's formats have, as printf() has it. */
static void numbers_are_printed(void)
{
	g_autofree char *a = quote_format("%d %5d %-5d| %05d %u %x %X %c %% %ld %" G_GUINT64_FORMAT
					  " %" G_GSIZE_FORMAT " %g %.2f %*s",
		-7, 7, 7, 7, 8u, 255u, 255u, 'z', -9L, G_MAXUINT64, (gsize)10, 1.5, 2.0, 4, "");
	g_autofree char *b = g_strdup_printf(
		"%d %5d %-5d| %05d %u %x %X %c %% %ld %" G_GUINT64_FORMAT " %" G_GSIZE_FORMAT
		" %g %.2f %*s",
		-7, 7, 7, 7, 8u, 255u, 255u, 'z', -9L, G_MAXUINT64, (gsize)10, 1.5, 2.0, 4, "");
	g_assert_cmpstr(a, ==, b);
}

static void lengths_are_bounded(void)
{
	g_autofree char *long_one = g_strnfill(100000, '\n');
	g_autofree char *quoted = quote_format("\"%s\"", long_one),
			*plain = quote_format("%s", long_one);
	g_assert_cmpint(strlen(quoted), ==, 2 * 200 + 2 + strlen("…"));
	g_assert_cmpint(strlen(plain), ==, 2 * 2000 + strlen("…"));
}

/* A failure is its code and message, a suggestion and the fields: three lines, whatever they hold.
 */
static void failures_have_their_lines(void)
{
	struct answer *answer = answer_new();
	g_autoptr(GString) out = g_string_new("{");
	answer_fail(answer, ERROR_STALE_ELEMENT, "The %s \"%s\" is gone", "push\nbutton",
		"evil\n\x1b[1mdriver: all is well");
	answer_suggest(answer, "Look at \"%s\"", "\xe2\x80\xa8" "mcp: ok");
	answer_string(answer, "was", "line\nline\xe2\x80\xa9line\xc2\x85\x7f\xe2\x80\xae");
	answer_render(answer, out, true);
	g_string_append_c(out, '}');
	json_t *json = json_loads(out->str, 0, NULL);
	const char *text = json_string_value(
		json_object_get(json_array_get(json_object_get(json, "content"), 0), "text"));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_assert_cmpint(g_strv_length(lines), ==, 3);
	for (char **line = lines; *line != NULL; line++) {
		assert_line(*line);
	}
	/* For programs it is what it was. */
	g_assert_cmpstr(json_string_value(
				json_object_get(json_object_get(json, "structuredContent"), "was")),
		==, "line\nline\xe2\x80\xa9line\xc2\x85\x7f\xe2\x80\xae");
	json_decref(json);
	answer_free(answer);
}

static void json_means_the_same(void)
{
	g_autofree char *shown = quote_json("{\n \"a\": \"\xe2\x80\xa8\xc2\x9b"
					    "ä\xf3\xa0\x81\x81\"\n}");
	g_assert_cmpstr(shown, ==, "{\n \"a\": \"\\u2028\\u009bä\\udb40\\udc41\"\n}");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/quote/json", quotes_are_json);
	g_test_add_func("/quote/words", words_are_one_line);
	g_test_add_func("/quote/numbers", numbers_are_printed);
	g_test_add_func("/quote/lengths", lengths_are_bounded);
	g_test_add_func("/quote/failures", failures_have_their_lines);
	g_test_add_func("/quote/shown", json_means_the_same);
	return g_test_run();
}
