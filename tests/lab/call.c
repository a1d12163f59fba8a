/* SPDX-License-Identifier: MIT */
/* Requests and tool calls, made of lines. */
#include <stdarg.h>
#include <string.h>

#include "internal.h"

#define FORMATTED(name, format) \
	va_list name##_args; \
	va_start(name##_args, format); \
	g_autofree char *name = format ? g_strdup_vprintf(format, name##_args) : NULL; \
	va_end(name##_args)

void lab_send_line(struct lab_driver *driver, const char *format, ...)
{
	FORMATTED(text, format);
	g_autofree char *line = g_strconcat(text, "\n", NULL);

	lab_send_bytes(driver, line, strlen(line));
}

static int send_request(struct lab_driver *driver, const char *method, const char *params)
{
	int id = lab_driver_new_id(driver);

	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\"%s%s}", id, method,
		params ? ",\"params\":" : "", params ? params : "");
	return id;
}

static int send_call(struct lab_driver *driver, const char *tool, const char *arguments)
{
	g_autofree char *params = g_strdup_printf("{\"name\":\"%s\",\"arguments\":%s}", tool,
		arguments ? arguments : "{}");

	return send_request(driver, "tools/call", params);
}

int lab_send(struct lab_driver *driver, const char *method, const char *params, ...)
{
	FORMATTED(text, params);
	return send_request(driver, method, text);
}

void lab_notify(struct lab_driver *driver, const char *method, const char *params, ...)
{
	FORMATTED(text, params);
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"%s%s}", method,
		text ? ",\"params\":" : "", text ? text : "");
}

int lab_send_call(struct lab_driver *driver, const char *tool, const char *arguments, ...)
{
	FORMATTED(text, arguments);
	return send_call(driver, tool, text);
}

struct lab_answer lab_answer_of(struct lab_driver *driver, struct lab_message message)
{
	struct lab_answer answer = {
		.message = message.json,
		.result = json_object_get(message.json, "result"),
		.rpc_error = (int)json_integer_value(lab_get(message.json, "error/code")),
	};

	(void)driver;
	answer.structured = json_object_get(answer.result, "structuredContent");
	answer.is_error = json_is_true(json_object_get(answer.result, "isError"));
	answer.text = json_string_value(lab_get(answer.result, "content/0/text"));
	if (answer.is_error) {
		answer.code = json_string_value(json_object_get(answer.structured, "code"));
	}
	return answer;
}

static struct lab_answer wait_answer(struct lab_driver *driver, int id, gint64 sent)
{
	struct lab_message message = lab_wait_id(driver, id, 15000);
	struct lab_answer answer = lab_answer_of(driver, message);

	answer.ms = (message.at - sent) / 1000.0;
	return answer;
}

struct lab_answer lab_request(struct lab_driver *driver, const char *method,
	const char *params, ...)
{
	FORMATTED(text, params);
	gint64 sent = g_get_monotonic_time();

	return wait_answer(driver, send_request(driver, method, text), sent);
}

static struct lab_answer call(struct lab_driver *driver, const char *tool, const char *arguments)
{
	gint64 sent = g_get_monotonic_time();
	struct lab_answer answer = wait_answer(driver, send_call(driver, tool, arguments), sent);

	if (answer.rpc_error) {
		lab_fail("%s %s: %s", tool, arguments, lab_json(answer.message));
	}
	/* Every answer, also an error, carries text for the model and data for the program. */
	lab_assert(answer.text && answer.structured);
	if (answer.is_error) {
		lab_assert(answer.code);
		lab_str(answer.structured, "message");
		lab_str(answer.structured, "delivery");
		lab_str(answer.structured, "retry");
	}
	return answer;
}

struct lab_answer lab_call(struct lab_driver *driver, const char *tool, const char *arguments, ...)
{
	FORMATTED(text, arguments);
	return call(driver, tool, text);
}

struct lab_answer lab_call_ok(struct lab_driver *driver, const char *tool,
	const char *arguments, ...)
{
	FORMATTED(text, arguments);
	struct lab_answer answer = call(driver, tool, text);

	if (answer.is_error) {
		lab_fail("%s %s is refused: %s", tool, text, lab_json(answer.structured));
	}
	return answer;
}

bool lab_undisturbed(const struct lab_answer *answer)
{
	const json_t *disturbed = lab_array(answer->structured, "disturbed");
	const json_t *held = json_object_get(answer->structured, "user_pointer_held_ms");

	return json_array_size(disturbed) == 0 || (json_array_size(disturbed) == 1 &&
		lab_array_has(disturbed, "pointer_grab") && json_integer_value(held) > 17);
}

struct lab_answer lab_call_refused(struct lab_driver *driver, const char *code, const char *tool,
	const char *arguments, ...)
{
	FORMATTED(text, arguments);
	struct lab_answer answer = call(driver, tool, text);

	if (g_strcmp0(answer.code, code) != 0) {
		lab_fail("%s %s should be refused as %s, but is: %s", tool, text, code,
			lab_json(answer.structured));
	}
	return answer;
}
