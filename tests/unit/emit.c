/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/emit.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* What we write, an independent parser must read back as the same value. */
static json_t *parsed(GString *out)
{
	json_error_t error;
	json_t *json = json_loadb(out->str, out->len, 0, &error);
	g_assert_nonnull(json);
	g_string_free(out, TRUE);
	return json;
}

static void strings_survive(void)
{
	static const char *const texts[] = {
		"", "plain", "quote \" and \\ backslash", "line\nfeed\ttab\rreturn", "\x01\x1f\x7f",
		"é Ł € 日本語 😀", "\xe2\x80\xae right to left",
	};
	GString *out = g_string_new(NULL);
	emit_open(out, NULL, '[');
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		emit_string(out, NULL, texts[i]);
	}
	emit_close(out, ']');
	json_t *json = parsed(out);
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_assert_cmpstr(json_string_value(json_array_get(json, i)), ==, texts[i]);
	}
	json_decref(json);
}

static void invalid_utf8_is_replaced(void)
{
	GString *out = g_string_new(NULL);
	emit_open(out, NULL, '[');
	emit_string(out, NULL, "a\xff\xc3z");
	emit_close(out, ']');
	json_t *json = parsed(out);
	const char *text = json_string_value(json_array_get(json, 0));
	g_assert_true(g_utf8_validate(text, -1, NULL));
	g_assert_true(g_str_has_prefix(text, "a") && g_str_has_suffix(text, "z"));
	json_decref(json);
}

static void numbers_survive(void)
{
	static const double values[] = { 0, 0.1, -1.5, 1e300, 1.0 / 3, 123456789.25 };
	GString *out = g_string_new(NULL);
	emit_open(out, NULL, '[');
	for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
		emit_number(out, NULL, values[i]);
	}
	emit_number(out, NULL, NAN);
	emit_number(out, NULL, INFINITY);
	emit_int(out, NULL, G_MININT64);
	emit_close(out, ']');
	json_t *json = parsed(out);
	for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
		g_assert_true(json_number_value(json_array_get(json, i)) == values[i]);
	}
	g_assert_true(json_is_null(json_array_get(json, G_N_ELEMENTS(values))));
	g_assert_true(json_is_null(json_array_get(json, G_N_ELEMENTS(values) + 1)));
	g_assert_true(json_integer_value(json_array_get(json, G_N_ELEMENTS(values) + 2)) == G_MININT64);
	json_decref(json);
}

/* A string that ends like an opening bracket must not eat the comma after it. */
static void commas_come_by_themselves(void)
{
	GString *out = g_string_new(NULL);
	emit_open(out, NULL, '{');
	emit_string(out, "a", "[");
	emit_string(out, "b", "{");
	emit_string(out, "c", ":");
	emit_open(out, "d", '[');
	emit_close(out, ']');
	emit_open(out, "e", '{');
	emit_close(out, '}');
	emit_null(out, "f");
	emit_bool(out, "g", true);
	emit_raw(out, "h", "[1,2]", -1);
	emit_close(out, '}');
	g_assert_cmpstr(out->str, ==,
		"{\"a\":\"[\",\"b\":\"{\",\"c\":\":\",\"d\":[],\"e\":{},\"f\":null,\"g\":true,\"h\":[1,2]}");
	json_decref(parsed(out));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/emit/strings", strings_survive);
	g_test_add_func("/emit/invalid-utf8", invalid_utf8_is_replaced);
	g_test_add_func("/emit/numbers", numbers_survive);
	g_test_add_func("/emit/commas", commas_come_by_themselves);
	return g_test_run();
}
