/* SPDX-License-Identifier: MIT */
/* Messages that are too big, too deep, cut off, or full of wrong arguments. */
#define _GNU_SOURCE 1
#include <string.h>

#include "lab/lab.h"

#define MIB (1024 * 1024)

/* The next message, which must be an error of one of two codes without an id. */
static void expect_refusal(struct lab_driver *driver, int code, int other)
{
	json_t *answer = lab_wait_any(driver, 20000).json;
	json_int_t got = json_integer_value(lab_get(answer, "error/code"));

	if ((got != code && got != other) || !json_is_null(json_object_get(answer, "id"))) {
		lab_fail("expected error %d with id null, not %s", code, lab_json(answer));
	}
}

static void expect_ping(struct lab_driver *driver)
{
	lab_assert_int(json_object_size(lab_request(driver, "ping", NULL).result), 0);
}

/* A ping padded to `size` bytes, newline included. */
static GString *padded_ping(gsize size)
{
	GString *line = g_string_new("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\","
		"\"params\":{\"x\":\"");
	gsize tail = strlen("\"}}\n");

	while (line->len + tail < size) {
		g_string_append_len(line, "aaaaaaaaaaaaaaaa", MIN(16, size - tail - line->len));
	}
	return g_string_append(line, "\"}}\n");
}

static void long_lines(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	/* Just below the limit it is a message like any other. */
	g_autoptr(GString) fits = padded_ping(16 * MIB - 1);
	lab_send_bytes(driver, fits->str, fits->len);
	lab_assert(json_object_get(lab_wait_id(driver, 7, 20000).json, "result"));

	g_autoptr(GString) over = padded_ping(17 * MIB);
	lab_send_bytes(driver, over->str, over->len);
	expect_refusal(driver, -32600, -32700);
	expect_ping(driver);

	g_autofree char *noise = g_strnfill(17 * MIB, 'a');
	lab_send_bytes(driver, noise, 17 * MIB);
	lab_send_bytes(driver, "\n", 1);
	expect_refusal(driver, -32600, -32700);
	expect_ping(driver);

	/* Refused once, not once for every buffer of it, and what follows is not a part of it. */
	for (int i = 0; i < 3; i++) {
		lab_send_bytes(driver, noise, 17 * MIB);
	}
	lab_send_bytes(driver, "\n", 1);
	expect_refusal(driver, -32600, -32700);
	expect_ping(driver);
}

static void deep_nesting(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);
	const int depth = 100000;
	g_autofree char *open = g_strnfill(depth, '['), *close = g_strnfill(depth, ']');
	g_autoptr(GString) objects = g_string_new(NULL);

	(void)desk;
	lab_send_line(driver, "%s", open);
	expect_refusal(driver, -32700, -32700);
	lab_send_line(driver, "%s%s", open, close);
	expect_refusal(driver, -32700, -32600);
	expect_ping(driver);
	for (int i = 0; i < depth; i++) {
		g_string_append(objects, "{\"a\":");
	}
	lab_send_line(driver, "%s", objects->str);
	expect_refusal(driver, -32700, -32700);
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
		"{\"name\":\"list_windows\",\"arguments\":{\"pid\":%s%s}}}", open, close);
	expect_refusal(driver, -32700, -32700);
	expect_ping(driver);
}

static void half_line_then_eof(struct lab_desk *desk)
{
	static const char *const halves[] = {
		"{", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi", "\"", "[[[[", "\xff", "\xe2\x82", " ",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"click\"",
	};

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(halves); i++) {
		struct lab_driver *driver = lab_driver_start_raw(NULL);

		lab_send_bytes(driver, halves[i], strlen(halves[i]));
		lab_driver_stop(driver); /* asserts exit code 0 */
	}
	/* Nothing at all, and a last line whose newline is missing but which is whole. */
	lab_driver_stop(lab_driver_start_raw(NULL));
	struct lab_driver *driver = lab_driver_start_raw(NULL);
	static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}";
	lab_send_bytes(driver, ping, strlen(ping));
	lab_driver_eof(driver);
	lab_assert(json_object_get(lab_wait_id(driver, 3, 5000).json, "result"));
}

/* One byte at a time, and many messages in one write: framing is by newline only. */
static void odd_pieces(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);
	static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":\"日本\",\"method\":\"ping\"}\n";
	g_autoptr(GString) many = g_string_new(NULL);

	(void)desk;
	for (size_t i = 0; i < strlen(ping); i++) {
		lab_send_bytes(driver, ping + i, 1);
	}
	lab_assert_str(lab_str(lab_wait_any(driver, 5000).json, "id"), "日本");
	for (int i = 0; i < 1000; i++) {
		g_string_append_printf(many, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", i);
	}
	lab_send_bytes(driver, many->str, many->len);
	for (int i = 0; i < 1000; i++) {
		lab_wait_id(driver, i, 10000);
	}
}

/* Values that are wrong for a parameter of a JSON type. */
static const char *const *wrong_values(const json_t *property)
{
	static const char *const integers[] = { "\"7\"", "1.5", "true", "[]", "[7]", "{}", "-5",
		"1e300", "9223372036854775807", "\"\"", NULL };
	static const char *const booleans[] = { "1", "0", "\"true\"", "[]", "{}", "0.0", NULL };
	static const char *const strings[] = { "7", "true", "[]", "[\"x\"]", "{}", "1.5", NULL };
	static const char *const words[] = { "7", "true", "[]", "{}", "\"\"", "\"no such word\"",
		"\"LEFT\"", NULL };
	static const char *const lists[] = { "7", "true", "\"x\"", "{}", "[7]", "[[]]", NULL };
	static const char *const objects[] = { "7", "true", "\"x\"", "[]", "[{}]",
		"{\"no_such_field\":1}", NULL };
	static const char *const object_lists[] = { "7", "true", "\"x\"", "{}", "[7]", "[[]]", NULL };

	const char *type = lab_str(property, "type");
	if (g_str_equal(type, "array")) {
		return g_str_equal(lab_str(property, "items/type"), "object") ? object_lists : lists;
	}
	if (g_str_equal(type, "object")) {
		return objects;
	}
	if (g_str_equal(type, "integer")) {
		return integers;
	}
	if (g_str_equal(type, "boolean")) {
		return booleans;
	}
	return json_object_get(property, "enum") ? words : strings;
}

/* Whether a number we try is inside the property's range, or a value may be any scalar. */
static bool is_fine(const char *name, const json_t *property, const char *value)
{
	const json_t *least = json_object_get(property, "minimum");

	return (g_str_equal(value, "-5") && least && json_integer_value(least) <= -5)
		|| (g_str_equal(value, "9223372036854775807") && !json_object_get(property, "maximum"))
		|| (g_str_equal(name, "value") && !strchr("[{", *value));
}

static void wrong_arguments(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);
	json_t *tools = lab_array(lab_request(driver, "tools/list", NULL).result, "tools");
	json_t *tool, *property;
	const char *name;
	size_t i;
	int count = 0;

	(void)desk;
	json_array_foreach(tools, i, tool) {
		json_object_foreach(lab_object(tool, "inputSchema/properties"), name, property) {
			const char *const *value = wrong_values(property);

			for (; *value; value++) {
				if (is_fine(name, property, *value)) {
					continue;
				}
				struct lab_answer answer = lab_call_refused(driver, "invalid_arguments",
					lab_str(tool, "name"), "{\"%s\":%s}", name, *value);
				lab_assert_contains(lab_str(answer.structured, "message"), name);
				lab_assert_str(lab_str(answer.structured, "delivery"), "none");
				count++;
			}
		}
		struct lab_answer answer = lab_call_refused(driver, "invalid_arguments",
			lab_str(tool, "name"), "{\"no_such_argument\":1}");
		lab_assert_contains(answer.text, "no_such_argument");
		lab_call_refused(driver, "invalid_arguments", lab_str(tool, "name"), "{\"\":1}");
		count += 2;
	}
	lab_note("%d wrong arguments", count);
	lab_assert(count > 100);
}

/* Strings a C program may trip over; whatever is answered, the driver goes on. */
static void odd_strings(struct lab_desk *desk)
{
	static const char *const strings[] = {
		"\"a\\u0000b\"", "\"\\u0000\"", "\"%s%n%d\"", "\"\\u202e\\uFEFF\"", "\"\\uFFFF\"",
		"\"../../../../etc/passwd\"", "\"\\\"\\\\\"", "\"\\ud83d\\ude00\"", "\"s0:0\"",
		"\"sffffffffffffffffffff:99999999999999999999\"", "\"s:\"", "\":\"", "\"s1:-1\"",
	};
	struct lab_driver *driver = lab_driver_start(NULL);
	g_autofree char *huge = g_strnfill(MIB, 'x');

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++) {
		lab_request(driver, "tools/call", "{\"name\":\"click\",\"arguments\":"
			"{\"element_token\":%s,\"session\":%s}}", strings[i], strings[i]);
		expect_ping(driver);
	}
	struct lab_answer answer = lab_call(driver, "list_windows", "{\"%s\":1}", huge);
	lab_assert_str(answer.code, "invalid_arguments");
	/* An error that repeats a megabyte helps nobody. */
	lab_assert(strlen(answer.text) < 4096);
	answer = lab_call(driver, "list_windows", "{\"pid\":\"%s\"}", huge);
	lab_assert_str(answer.code, "invalid_arguments");
	lab_assert(strlen(answer.text) < 4096);
}

static const struct lab_test tests[] = {
	{ .name = "long_lines", .run = long_lines, .timeout = 120,
	  .about = "A line over 16 MiB is refused once, and the stream goes on." },
	{ .name = "deep_nesting", .run = deep_nesting,
	  .about = "A hundred thousand brackets do not fell the parser." },
	{ .name = "half_line_then_eof", .run = half_line_then_eof,
	  .about = "EOF in the middle of a message is an orderly end." },
	{ .name = "odd_pieces", .run = odd_pieces,
	  .about = "Bytes may come one by one or a thousand messages at once." },
	{ .name = "wrong_arguments", .run = wrong_arguments, .timeout = 120,
	  .about = "Every argument of every tool refuses every wrong type, by name." },
	{ .name = "odd_strings", .run = odd_strings,
	  .about = "NULs, formats, paths and megabytes in strings do no harm." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
