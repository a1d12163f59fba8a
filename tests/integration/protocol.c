/* SPDX-License-Identifier: MIT */
/* JSON-RPC and the tool list: what every client relies on whatever it calls. */
#include <string.h>

#include "lab/lab.h"

static void rpc_errors(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	lab_assert_int(lab_request(driver, "no/such/method", NULL).rpc_error, -32601);
	lab_assert_int(lab_request(driver, "prompts/list", "{}").rpc_error, -32601);
	lab_assert_int(lab_request(driver, "tools/call", "{\"name\":\"nope\"}").rpc_error, -32602);
	lab_assert_int(lab_request(driver, "tools/call", "{}").rpc_error, -32602);
	lab_assert_int(lab_request(driver, "tools/call", NULL).rpc_error, -32602);
	lab_assert_int(lab_request(driver, "tools/call", "{\"name\":7}").rpc_error, -32602);
	lab_assert_int(lab_request(driver, "tools/call",
		"{\"name\":\"list_windows\",\"arguments\":[]}").rpc_error, -32602);
	struct lab_answer answer = lab_request(driver, "tools/call", "{\"name\":\"list_window\"}");
	lab_assert_int(answer.rpc_error, -32602);
	lab_assert_contains(lab_str(answer.message, "error/message"), "list_window");
}

/* Clients count from 0, and "1" is not 1. */
static void ids(struct lab_desk *desk)
{
	static const char *const ids[] = {
		"0", "1", "-1", "\"1\"", "\"\"", "\"é\"", "\"a b\"", "9007199254740991",
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
		lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", ids[i]);
		struct lab_message message = lab_wait_any(driver, 5000);
		json_t *wanted = json_loads(ids[i], JSON_DECODE_ANY, NULL);

		if (!json_equal(json_object_get(message.json, "id"), wanted)) {
			lab_fail("asked with id %s, answered %s", ids[i], lab_json(message.json));
		}
		/* Strict clients refuse any other member. */
		lab_assert_int(json_object_size(message.json), 3);
	}
}

static bool has_null(const json_t *json)
{
	const char *key;
	json_t *value;
	size_t i;

	if (json_is_null(json)) {
		return true;
	}
	json_object_foreach((json_t *)(uintptr_t)json, key, value) {
		if (has_null(value)) {
			return true;
		}
	}
	json_array_foreach(json, i, value) {
		if (has_null(value)) {
			return true;
		}
	}
	return false;
}

static void check_tool(const json_t *tool)
{
	static const char *const hints[] = {
		"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
	};
	const char *key;
	json_t *property, *annotations = lab_object(tool, "annotations");

	lab_assert(*lab_str(tool, "name") && *lab_str(tool, "description"));
	lab_assert_str(lab_str(tool, "inputSchema/type"), "object");
	lab_assert(!lab_bool(tool, "inputSchema/additionalProperties"));
	json_object_foreach(lab_object(tool, "inputSchema/properties"), key, property) {
		lab_str(property, "type");
		lab_assert(*lab_str(property, "description"));
		/* Some hosts reject integer formats such as uint32. */
		lab_assert(!json_object_get(property, "format"));
	}
	lab_object(tool, "inputSchema/properties/session");
	lab_assert_str(lab_str(tool, "outputSchema/type"), "object");
	lab_assert(!lab_get(tool, "outputSchema/required"));
	for (size_t i = 0; i < G_N_ELEMENTS(hints); i++) {
		lab_bool(annotations, hints[i]);
	}
	lab_str(annotations, "title");
}

static void tool_list(struct lab_desk *desk)
{
	static const char *const expected[] = {
		"list_windows", "get_screen_size", "get_cursor_position", "get_accessibility_tree",
		"get_window_state", "click",
	};
	struct lab_driver *driver = lab_driver_start(NULL), *other = lab_driver_start(NULL);
	json_t *list = lab_request(driver, "tools/list", NULL).result;
	json_t *tools = lab_array(list, "tools"), *tool;
	size_t i;

	(void)desk;
	lab_assert(!has_null(list));
	lab_assert(!json_object_get(list, "nextCursor"));
	json_array_foreach(tools, i, tool) {
		check_tool(tool);
	}
	for (i = 0; i < G_N_ELEMENTS(expected); i++) {
		if (!lab_pick_str(tools, "name", expected[i])) {
			lab_fail("there is no tool %s", expected[i]);
		}
	}
	/* Texts, not values: the order is part of it. */
	char *text = json_dumps(list, 0);
	lab_assert_str(json_dumps(lab_request(driver, "tools/list", "{}").result, 0), text);
	lab_assert_str(json_dumps(lab_request(other, "tools/list", "{}").result, 0), text);
}

static void bad_arguments(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);
	struct lab_answer answer;

	(void)desk;
	answer = lab_call_refused(driver, "invalid_arguments", "list_windows", "{\"pid\":\"seven\"}");
	lab_assert_contains(lab_str(answer.structured, "message"), "pid");
	lab_assert_contains(lab_str(answer.structured, "message"), "seven");
	lab_assert_contains(lab_str(answer.structured, "message"), "integer");
	lab_assert_str(lab_str(answer.structured, "delivery"), "none");
	lab_assert_str(lab_str(answer.structured, "retry"), "safe");
	lab_assert_contains(answer.text, "pid");

	answer = lab_call_refused(driver, "invalid_arguments", "list_windows", "{\"pidd\":7}");
	lab_assert_contains(answer.text, "pidd");
	lab_assert_contains(answer.text, "pid");
	answer = lab_call_refused(driver, "invalid_arguments", "get_window_state",
		"{\"windw_id\":7}");
	lab_assert_contains(answer.text, "window_id");
	answer = lab_call_refused(driver, "invalid_arguments", "click",
		"{\"window_id\":7,\"element_index\":1,\"delivery_mode\":\"auto\"}");
	lab_assert_contains(answer.text, "background");
	lab_assert_contains(answer.text, "foreground");
	lab_call_refused(driver, "invalid_arguments", "click", "{\"element_index\":3}");
	lab_call_refused(driver, "invalid_arguments", "get_window_state", "{}");
	/* Reserved for the driver, dropped from callers. */
	lab_call_refused(driver, "no_display", "list_windows", "{\"_session_id\":\"x\"}");
	/* Known everywhere, also where it has no effect. */
	lab_call_refused(driver, "no_display", "get_window_state",
		"{\"window_id\":7,\"capture_mode\":\"ax\"}");
}

static void no_display(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(NULL);
	static const char *const calls[][2] = {
		{ "list_windows", "{}" }, { "get_screen_size", "{}" }, { "get_cursor_position", "{}" },
		{ "get_window_state", "{\"window_id\":7}" },
		{ "click", "{\"window_id\":7,\"element_index\":0}" },
	};

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		struct lab_answer answer = lab_call_refused(driver, "no_display", calls[i][0], "%s",
			calls[i][1]);
		lab_assert_contains(answer.text, "DISPLAY");
	}
}

static void eof_with_pending_calls(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start(desk);
	int ids[30];

	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
		ids[i] = lab_send_call(driver, "list_windows", "{}");
	}
	lab_driver_eof(driver);
	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
		lab_assert(json_object_get(lab_wait_id(driver, ids[i], 10000).json, "result"));
	}
}

static void display_vanishes(struct lab_desk *desk)
{
	struct lab_desk *other = lab_desk_start("xvfb", "openbox");
	struct lab_driver *driver = lab_driver_start(other);

	(void)desk;
	lab_call_ok(driver, "list_windows", "{}");
	lab_desk_stop(other);
	lab_call_refused(driver, "no_display", "list_windows", "{}");
	lab_assert(lab_request(driver, "ping", NULL).result);
}

static const struct lab_test tests[] = {
	{ .name = "rpc_errors", .run = rpc_errors,
	  .about = "Unknown methods are -32601, unknown tools and malformed params -32602." },
	{ .name = "ids", .run = ids, .about = "An id comes back as it was, type included." },
	{ .name = "tool_list", .run = tool_list,
	  .about = "The list is the same every time, and every schema is one hosts accept." },
	{ .name = "bad_arguments", .run = bad_arguments,
	  .about = "A bad argument is a result that says which, what was given and what is taken." },
	{ .name = "no_display", .run = no_display,
	  .about = "Without a display the driver lives, and each call says what is missing." },
	{ .name = "eof_with_pending_calls", .run = eof_with_pending_calls, .servers = LAB_XVFB,
	  .wms = "openbox", .about = "At EOF what was already read is still answered." },
	{ .name = "display_vanishes", .run = display_vanishes, .needs = "Xvfb openbox",
	  .about = "When the X server goes, calls fail with a code and the driver stays." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
