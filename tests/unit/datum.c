/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/datum.h"

#include <jansson.h>
#include <string.h>

static struct datum *parse(const char *text)
{
	enum datum_problem problem;
	return datum_parse(text, strlen(text), &problem);
}

static void assert_same(const struct datum *datum, json_t *json)
{
	const struct datum *item = NULL;
	const char *name;
	json_t *value;
	size_t i;
	switch (json_typeof(json)) {
	case JSON_NULL:
		g_assert_true(datum_is(datum, DATUM_NULL));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		g_assert_true(datum_is(datum, DATUM_BOOL) && datum_is_true(datum) == json_is_true(json));
		break;
	case JSON_INTEGER:
		g_assert_true(datum_is(datum, DATUM_INT));
		g_assert_cmpint(datum->integer, ==, json_integer_value(json));
		break;
	case JSON_REAL:
		g_assert_true(datum_is(datum, DATUM_REAL));
		g_assert_cmpfloat(datum->real, ==, json_real_value(json));
		break;
	case JSON_STRING:
		g_assert_true(datum_is(datum, DATUM_STRING));
		g_assert_cmpmem(datum->string, datum->length, json_string_value(json), json_string_length(json));
		g_assert_cmpint(datum->string[datum->length], ==, 0);
		break;
	case JSON_ARRAY:
		g_assert_true(datum_is(datum, DATUM_ARRAY));
		item = datum->first;
		json_array_foreach(json, i, value) {
			assert_same(item, value);
			item = item->next;
		}
		g_assert_null(item);
		break;
	case JSON_OBJECT:
		g_assert_true(datum_is(datum, DATUM_OBJECT));
		item = datum->first;
		json_object_foreach(json, name, value) {
			g_assert_cmpstr(item->name, ==, name);
			g_assert_true(datum_get(datum, name) == item);
			assert_same(item, value);
			item = item->next;
		}
		g_assert_null(item);
		break;
	}
}

/* Whatever the text, it is read as an independent parser reads it, or by neither. */
static bool compare(const char *text, gsize length)
{
	enum datum_problem problem;
	/* Exactly as large as it is said to be, so that reading beyond it is noticed. */
	g_autofree char *exact = g_memdup2(text, length);
	struct datum *datum = datum_parse(length > 0 ? exact : "", length, &problem);
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY;
	json_error_t error;
	json_t *json = json_loadb(text, length, flags, &error);
	bool overflown = json == NULL && json_error_code(&error) == json_error_numeric_overflow;
	if (overflown) {
		/* A whole number that is too large for jansson is a real one for us. */
		json = json_loadb(text, length, flags | JSON_DECODE_INT_AS_REAL, NULL);
	}
	bool read = datum != NULL;
	if (read && json == NULL && strstr(error.text, "invalid Unicode") != NULL) {
		/* Half a character: in JSON's grammar, and told to whom sent it by who reads the
		 * text. */
		datum_free(datum);
		return true;
	}
	g_test_message("%.*s", (int)MIN(length, 200), text);
	g_assert_true(read == (json != NULL));
	if (read && !overflown) {
		assert_same(datum, json);
	}
	datum_free(datum);
	json_decref(json);
	return read;
}

static const char *const texts[] = {
	"", " ", "{", "}", "[", "]", "{}", "[]", " { } ", "\t[\r\n]\t", "null", "true", "false", "nul", "truefalse", "True",
	"0", "-0", "-", "01", "1.", ".5", "1.5", "-1.25e2", "1e", "1e+", "1E-2", "1e400", "0x1", "1 2", "+1", "1e5e5",
	"9223372036854775807", "-9223372036854775808", "\"\"", "\"a", "\"\\\"", "\"\\\\\"", "\"\\x\"", "\"\\", "\"\\u",
	"\"\\u12\"", "\"\\u00e9\\u20ac\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83dx\"", "\"\\ud83d\\u0041\"",
	"\"a\\u0000b\"", "\"\\b\\f\\n\\r\\t\\/\"", "\"\t\"", "\"\x7f\"", "\"é 日本語 😀\"", "\"\xff\"", "\"\xed\xa0\x80\"", "\xef\xbb\xbf{}",
	"[1,2,3]", "[1,]", "[,1]", "[1 2]", "[[],[[]],{}]", "{\"a\":1}", "{\"a\":1,}", "{\"a\" : [ {\"b\":null} ] , \"c\":\"d\"}",
	"{\"a\"}", "{\"a\":}", "{a:1}", "{1:2}", "{\"a\":1,\"a\":2}", "{\"\":1}", "{\"\\u0061\":1,\"a\":2}", "{\"a\\u0000\":1}",
	"{\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"click\",\"arguments\":{\"pid\":12,\"modifier\":[\"ctrl\"],\"x\":1.5e1}}}",
};

static void texts_are_read(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		compare(texts[i], strlen(texts[i]));
	}
	compare("{}\0", 3);
	compare("\"\0\"", 3);
}

/* Each text cut short, and with any byte replaced by what means something. */
static void damaged_texts_are_read(void)
{
	static const char bytes[] = "{}[]\",:\\0-9eEu.tn \n\x01\xc3";
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		gsize length = strlen(texts[i]);
		for (gsize at = 0; at < length; at++) {
			g_autofree char *text = g_strdup(texts[i]);
			compare(text, at);
			for (gsize j = 0; j < strlen(bytes); j++) {
				text[at] = bytes[j];
				compare(text, length);
			}
		}
	}
}

/* They are no text, and what they are in is read all the same. */
static void half_characters_are_no_text(void)
{
	static const char *const halves[] = { "\\ud83d", "\\ude00", "a\\ud83dx", "\\ud83d\\u0041",
		"\\ude00\\ud83d", "\\uDBFF\\n" };
	for (gsize i = 0; i < G_N_ELEMENTS(halves); i++) {
		enum datum_problem problem;
		g_autofree char *text = g_strdup_printf(
			"{\"id\":7,\"text\":\"%s\",\"%s\":1,\"after\":\"a\"}", halves[i],
			halves[i]);
		struct datum *datum = datum_parse(text, strlen(text), &problem);
		gint64 id = 0;
		g_test_message("%s", text);
		g_assert_nonnull(datum);
		g_assert_true(datum_whole(datum_get(datum, "id"), &id) && id == 7);
		g_assert_true(datum_is(datum_get(datum, "text"), DATUM_STRING));
		g_assert_null(datum_string(datum_get(datum, "text")));
		g_assert_cmpstr(datum_string(datum_get(datum, "after")), ==, "a");
		datum_free(datum);
	}
}

static void large_ones_are_read(void)
{
	g_autoptr(GString) text = g_string_new("{\"list\":[");
	for (int i = 0; i < 1000; i++) {
		g_string_append_printf(text, "%s{\"n\":%d,\"s\":\"item\\n%d\"}", i > 0 ? "," : "", i, i);
	}
	g_string_append(text, "]");
	for (int i = 0; i < 100; i++) {
		g_string_append_printf(text, ",\"member %d\":%d.5", i, i);
	}
	g_string_append_c(text, '}');
	g_assert_true(compare(text->str, text->len));
	g_string_truncate(text, text->len - 1);
	g_string_append(text, ",\"member 7\":0}");
	g_assert_false(compare(text->str, text->len));
	for (int deep = 1000; deep <= 100000; deep *= 100) {
		g_autofree char *nested = g_strnfill((gsize)deep * 2, '[');
		memset(nested + deep, ']', (gsize)deep);
		g_assert_true(compare(nested, (gsize)deep * 2) == (deep == 1000));
	}
}

static void numbers_are_whole_or_not(void)
{
	static const struct {
		const char *text;
		bool whole;
		gint64 number;
	} cases[] = {
		{ "3", true, 3 }, { "-3.0", true, -3 }, { "1e3", true, 1000 }, { "1.5", false, 0 }, { "\"3\"", false, 0 },
		{ "9007199254740993", true, G_GINT64_CONSTANT(9007199254740993) }, { "1e16", false, 0 },
		/* Too large for an integer, and no reason to refuse the rest of the message. */
		{ "123456789012345678901", false, 0 },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct datum *datum = parse(cases[i].text);
		gint64 number = 0;
		g_assert_nonnull(datum);
		g_assert_true(datum_whole(datum, &number) == cases[i].whole);
		g_assert_cmpint(number, ==, cases[i].number);
		datum_free(datum);
	}
}

static void sources_are_kept(void)
{
	static const char text[] = "{ \"a\" : [ 1, \"\\u0041\" ] , \"b\":1.50 }";
	struct datum *datum = parse(text);
	const struct datum *list = datum_get(datum, "a"), *number = datum_get(datum, "b");
	g_assert_cmpmem(list->source, list->source_length, "[ 1, \"\\u0041\" ]", 15);
	g_assert_cmpmem(number->source, number->source_length, "1.50", 4);
	g_assert_cmpstr(datum_string(list->first->next), ==, "A");
	g_assert_null(datum_get(list, "a"));
	g_assert_null(datum_get(NULL, "a"));
	datum_free(datum);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/datum/texts", texts_are_read);
	g_test_add_func("/datum/damaged", damaged_texts_are_read);
	g_test_add_func("/datum/large", large_ones_are_read);
	g_test_add_func("/datum/halves", half_characters_are_no_text);
	g_test_add_func("/datum/whole", numbers_are_whole_or_not);
	g_test_add_func("/datum/sources", sources_are_kept);
	return g_test_run();
}
