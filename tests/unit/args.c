/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/args.h"

#include <jansson.h>
#include <string.h>

#include "core/nearest.h"

static const struct param params[] = {
	{ "count", .type = PARAM_INT, .min = 1, .max = 3, .preset = "1", .about = "" },
	{ "button", .type = PARAM_ENUM, .values = "left|right", .preset = "\"left\"", .about = "" },
	{ "loud", .type = PARAM_BOOL, .preset = "true", .about = "" },
	{ "text", .type = PARAM_STRING, .required = true, .about = "" },
	{ NULL }
};
static const struct tool tool = { .name = "sample", .title = "Sample", .about = "A sample.",
	.params = params };

/* Parses the arguments; on failure returns NULL and the message in *problem (owned). */
static struct args *parse(const char *text, char **problem)
{
	struct answer *answer = answer_new();
	enum datum_problem unread;
	struct datum *object = datum_parse(text, strlen(text), &unread);
	struct args *args = args_parse(&tool, object, answer);
	GString *out = g_string_new("{");
	answer_render(answer, out, true);
	g_assert_true((args == NULL) == answer_failed(answer));
	*problem = g_string_free(out, FALSE);
	datum_free(object);
	answer_free(answer);
	return args;
}

static void presets_hold(void)
{
	g_autofree char *problem = NULL;
	struct args *args = parse("{\"text\":\"x\"}", &problem);
	g_assert_cmpint(args_int(args, "count"), ==, 1);
	g_assert_cmpstr(args_string(args, "button"), ==, "left");
	g_assert_true(args_bool(args, "loud"));
	g_assert_null(args_string(args, "session"));
	g_assert_false(args_has(args, "count"));
	g_assert_true(args_has(args, "text"));
	g_assert_false(args_knows(args, "pid"));
	args_free(args);
}

static void given_values_win(void)
{
	g_autofree char *problem = NULL;
	struct args *args = parse("{\"text\":\"é\",\"count\":3.0,\"button\":\"right\",\"loud\":false,"
		"\"session\":\"s\",\"_session_id\":7}", &problem);
	g_assert_cmpint(args_int(args, "count"), ==, 3);
	g_assert_cmpstr(args_string(args, "button"), ==, "right");
	g_assert_false(args_bool(args, "loud"));
	g_assert_cmpstr(args_string(args, "session"), ==, "s");
	args_free(args);
}

static void bad_ones_are_named(void)
{
	static const struct {
		const char *arguments, *said;
	} cases[] = {
		{ "{}", "text is missing" },
		{ "{\"text\":1}", "text takes a string, not 1" },
		{ "{\"text\":\"a\\u0000b\"}", "text takes a string" },
		{ "{\"text\":\"a\\ud800b\"}", "text takes a string" },
		{ "{\"text\":\"x\",\"count\":0}",
			"count takes an integer from 1 to 3 (1 by default), not 0" },
		{ "{\"text\":\"x\",\"count\":4}", "not 4" },
		{ "{\"text\":\"x\",\"count\":1.5}", "not 1.5" },
		{ "{\"text\":\"x\",\"count\":1e30}", "not 1e30" },
		{ "{\"text\":\"x\",\"count\":\"2\"}", "not \\\"2\\\"" },
		{ "{\"text\":\"x\",\"count\":[]}", "not []" },
		{ "{\"text\":\"x\",\"button\":\"middle\"}", "button takes one of left, right" },
		{ "{\"text\":\"x\",\"loud\":1}", "loud takes true or false" },
		{ "{\"text\":\"x\",\"buton\":\"left\"}", "did you mean \\\"button\\\"?" },
		{ "{\"text\":\"x\",\"zzzzzzzz\":1}",
			"sample has no argument \\\"zzzzzzzz\\\"; it takes count, button" },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *problem = NULL;
		struct args *args = parse(cases[i].arguments, &problem);
		g_test_message("%s -> %s", cases[i].arguments, problem);
		g_assert_null(args);
		g_assert_nonnull(strstr(problem, cases[i].said));
		g_assert_nonnull(strstr(problem, "\"code\":\"invalid_arguments\""));
		g_assert_nonnull(strstr(problem, "\"delivery\":\"none\""));
	}
}

static void schema_says_the_same(void)
{
	GString *out = g_string_new(NULL);
	tool_describe(&tool, out, true);
	json_t *json = json_loads(out->str, 0, NULL);
	json_t *schema = json_object_get(json, "inputSchema");
	json_t *properties = json_object_get(schema, "properties");
	g_assert_cmpuint(json_object_size(properties), ==, 5); /* and session */
	g_assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
	json_t *required = json_object_get(schema, "required");
	g_assert_cmpuint(json_array_size(required), ==, 1);
	g_assert_cmpstr(json_string_value(json_array_get(required, 0)), ==, "text");
	json_t *count = json_object_get(properties, "count");
	g_assert_cmpint(json_integer_value(json_object_get(count, "maximum")), ==, 3);
	g_assert_cmpint(json_integer_value(json_object_get(count, "default")), ==, 1);
	json_decref(json);
	g_string_free(out, TRUE);
}

/* Every tool has what hosts need, and a name of its own. */
static void real_tools_are_whole(void)
{
	for (int i = 0; tools[i] != NULL; i++) {
		g_assert_true(tool_find(tools[i]->name) == tools[i]);
		g_assert_nonnull(tools[i]->run);
		g_assert_cmpuint(strlen(tools[i]->about), >, 20);
		GString *out = g_string_new(NULL);
		tool_describe(tools[i], out, true);
		json_t *json = json_loads(out->str, JSON_REJECT_DUPLICATES, NULL);
		g_assert_nonnull(json);
		json_decref(json);
		g_string_free(out, TRUE);
	}
	g_assert_null(tool_find("nope"));
	g_assert_cmpstr(tool_nearest("list_window"), ==, "list_windows");
	g_assert_null(tool_nearest("completely_else"));
}

static void distances(void)
{
	g_assert_cmpint(nearest_distance("", "abc"), ==, 3);
	g_assert_cmpint(nearest_distance("kitten", "sitting"), ==, 3);
	g_assert_cmpint(nearest_distance("same", "same"), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/args/presets", presets_hold);
	g_test_add_func("/args/given", given_values_win);
	g_test_add_func("/args/bad", bad_ones_are_named);
	g_test_add_func("/args/schema", schema_says_the_same);
	g_test_add_func("/args/tools", real_tools_are_whole);
	g_test_add_func("/args/nearest", distances);
	return g_test_run();
}
