/* SPDX-License-Identifier: MIT */
/*
 * Messages nobody should send. After each the driver gives the right error (or none), and a ping
 * right behind it is answered: never a crash, never a hang, never a second answer.
 */
#include <string.h>

#include "lab/lab.h"

/* What may come back, as bits: a message can be wrong in two ways at once. */
enum verdict {
	PARSE = 1 << 0,     /* -32700 */
	REQUEST = 1 << 1,   /* -32600 */
	METHOD = 1 << 2,    /* -32601 */
	PARAMS = 1 << 3,    /* -32602 */
	RESULT = 1 << 4,    /* it is served after all */
	SILENCE = 1 << 5,   /* no answer at all */
};

static int struck;

static enum verdict judge(const json_t *answer)
{
	switch (json_integer_value(lab_get(answer, "error/code"))) {
	case -32700:
		return PARSE;
	case -32600:
		return REQUEST;
	case -32601:
		return METHOD;
	case -32602:
		return PARAMS;
	}
	return json_object_get(answer, "result") ? RESULT : 0;
}

/* Sends one line, then a ping; `allowed` are the verdicts accepted. Returns the answer, or NULL. */
static json_t *strike(struct lab_driver *driver, const char *bytes, gsize size, unsigned allowed)
{
	g_autofree char *line = g_malloc(size + 1);
	int ping = 100000 + struck++;
	json_t *answer = NULL;
	enum verdict verdict = SILENCE;

	memcpy(line, bytes, size);
	line[size] = '\n';
	lab_send_bytes(driver, line, size + 1);
	lab_send_line(driver, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}", ping);
	for (bool ponged = false; !ponged;) {
		json_t *message = lab_wait_any(driver, 10000).json;

		if (json_integer_value(json_object_get(message, "id")) == ping) {
			ponged = true;
			lab_assert(json_object_get(message, "result"));
		} else if (answer) {
			lab_fail("two answers to one message: %s", lab_json(message));
		} else {
			answer = message;
			verdict = judge(message);
		}
		/* A tool call may be overtaken by the ping; wait for what must come. */
		if (ponged && !answer && !(allowed & SILENCE)) {
			answer = lab_wait_any(driver, 10000).json;
			verdict = judge(answer);
		}
	}
	if (!(verdict & allowed)) {
		g_autofree char *shown = g_strndup(bytes, MIN(size, 200));
		g_autofree char *valid = g_utf8_make_valid(shown, -1);

		lab_fail("answered %s to: %s", answer ? lab_json(answer) : "nothing", valid);
	}
	/* An error of the transport cannot know whose it is. */
	if (verdict == PARSE) {
		lab_assert(json_is_null(json_object_get(answer, "id")));
	}
	return answer;
}

static json_t *strike_text(struct lab_driver *driver, const char *text, unsigned allowed)
{
	return strike(driver, text, strlen(text), allowed);
}

/* Ends with a driver that leaves well, and says how many messages it survived. */
static void finish(struct lab_driver *driver)
{
	lab_driver_stop(driver);
	lab_note("%d hostile messages", struck);
}

static void truncated(struct lab_desk *desk)
{
	static const char whole[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
		"{\"name\":\"list_windows\",\"arguments\":{\"pid\":1,\"on_screen_only\":true}}}";
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t size = 1; size < strlen(whole); size++) {
		strike(driver, whole, size, PARSE);
	}
	finish(driver);
}

static void not_json(struct lab_desk *desk)
{
	static const char *const lines[] = {
		"nonsense", "{", "}", "[", "]", "\"", "{]", "[}", ",", ":", "{,}", "{\"a\"}", "{\"a\":}",
		"{\"a\":1,}", "[1,]", "{'a':1}", "{a:1}", "// comment", "/* c */ {}", "{} {}", "{}{}",
		"{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}", "{\"a\":1e}", "{\"a\":0x10}",
		"{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":-}", "{\"a\":True}", "{\"a\":nul}",
		"{\"a\":\"\\x41\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\uZZZZ\"}", "{\"a\":\"tab\there\"}",
		"{\"a\":\"\x01\"}", "\xef\xbb\xbf{}", "{\"a\":1e999999}", "{\"a\":-1e999999}",
		"Content-Length: 40", "GET / HTTP/1.1", "\x1b[A", "\\n",
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		strike_text(driver, lines[i], PARSE);
	}
	finish(driver);
}

/* Half a character is in JSON's grammar, so it is known whose message it is in: the answer has its
 * id. */
static void halves(struct lab_desk *desk)
{
	static const struct {
		const char *line;
		unsigned verdict;
	} lines[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		  "call\",\"params\":{\"name\":\"wait_for\",\"arguments\":{\"text\":\"\\ud800\"}}}",
			RESULT },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		  "call\",\"params\":{\"name\":\"type_text\",\"arguments\":{\"window_id\":1,"
		  "\"text\":\"a\\udc00\"}}}",
			RESULT },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		  "call\",\"params\":{\"name\":\"\\ud800\\u0041\"}}",
			PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		  "call\",\"params\":{\"name\":\"list_windows\",\"arguments\":{\"\\ud834\":1}}}",
			RESULT },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\udbff\"}", METHOD },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"\\udfff\":["
		  "\"\\ud83d\\ud83d\"]}}",
			RESULT },
		{ "{\"a\":\"\\ud800\"}", REQUEST },
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		json_t *answer = strike_text(driver, lines[i].line, lines[i].verdict);
		if (strstr(lines[i].line, "\"id\":1")) {
			lab_assert_int(json_integer_value(json_object_get(answer, "id")), 1);
		}
	}
	finish(driver);
}

static void not_utf8(struct lab_desk *desk)
{
	static const char *const bad[] = {
		"\xff", "\xfe", "\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe2\x82",
		"\xe0\x80\x80", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
		"\xf8\x88\x80\x80\x80", "\xf0\x9f\x98",
	};
	static const char *const places[] = {
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"%s\":1}",
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		for (size_t j = 0; j < G_N_ELEMENTS(places); j++) {
			g_auto(GStrv) around = g_strsplit(places[j], "%s", 2);
			g_autofree char *line = g_strconcat(around[0], bad[i], around[1], NULL);

			strike_text(driver, line, PARSE);
		}
	}
	static const char nul[] = "{\"jsonrpc\":\"2.0\",\0\"id\":1,\"method\":\"ping\"}";
	strike(driver, nul, sizeof nul - 1, PARSE);
	strike(driver, "\0", 1, PARSE);
	finish(driver);
}

static void not_a_request(struct lab_desk *desk)
{
	static const struct {
		const char *line;
		unsigned allowed;
	} cases[] = {
		{ "1", REQUEST }, { "\"ping\"", REQUEST }, { "null", REQUEST }, { "true", REQUEST },
		{ "{}", REQUEST }, { "[]", REQUEST }, { "[1,2,3]", REQUEST }, { "[{}]", REQUEST },
		{ "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", REQUEST },
		{ "{\"id\":1,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":null,\"id\":1,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":[],\"id\":1,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1}", REQUEST | SILENCE },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":1}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":[\"ping\"]}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":{}}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}", PARSE | REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901234567890,\"method\":\"ping\"}",
			PARSE | REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", PARSE | REQUEST | RESULT },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":1}", REQUEST | PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\"x\"}", REQUEST | PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":[]}",
			REQUEST | PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[]}",
			REQUEST | PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":true}",
			REQUEST | PARAMS },
		/* Answers to questions we never asked. */
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", SILENCE },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}", SILENCE },
		/* Blank lines are not messages. */
		{ "", SILENCE }, { "\r", SILENCE }, { " ", SILENCE | PARSE }, { "\t \t", SILENCE | PARSE },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", RESULT },
		{ "  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}  ", RESULT },
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		strike_text(driver, cases[i].line, cases[i].allowed);
	}
	finish(driver);
}

static void unknown_methods(struct lab_desk *desk)
{
	static const char *const methods[] = {
		"", " ", "Ping", "PING", "ping ", "tools", "tools/", "tools/Call", "tools/call/", "tools\\/x",
		"prompts/list", "prompts/get", "resources/list", "resources/read", "completion/complete",
		"sampling/createMessage", "roots/list", "rpc.discover", "constructor", "__proto__",
		"../../etc/passwd", "%s%s%n", "notifications/initialized", "notifications/cancelled",
		"notifications/unknown", "é", "\\u0000", "ping\\u0000", "ping\\n",
	};
	static const char *const notifications[] = {
		"{\"method\":\"notifications/unknown\"}",
		"{\"method\":\"no/such\"}",
		"{\"method\":\"ping\"}",
		"{\"method\":\"tools/call\",\"params\":{\"name\":\"click\",\"arguments\":{}}}",
		"{\"method\":\"notifications/cancelled\"}",
		"{\"method\":\"notifications/cancelled\",\"params\":{}}",
		"{\"method\":\"notifications/cancelled\",\"params\":7}",
		"{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":null}}",
		"{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}",
		"{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":424242}}",
		"{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"x\",\"reason\":7}}",
		"{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}",
		"{\"method\":\"notifications/initialized\",\"params\":[1]}",
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++) {
		g_autofree char *line = g_strdup_printf(
			"{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"%s\"}", i, methods[i]);

		strike_text(driver, line, strstr(methods[i], "u0000") ? METHOD | PARSE | REQUEST : METHOD);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(notifications); i++) {
		g_autofree char *line = g_strconcat("{\"jsonrpc\":\"2.0\",", notifications[i] + 1, NULL);

		strike_text(driver, line, SILENCE);
	}
	finish(driver);
}

static void bad_calls(struct lab_desk *desk)
{
	static const char *const params[] = {
		"{}", "{\"name\":null}", "{\"name\":1}", "{\"name\":[]}", "{\"name\":{}}", "{\"name\":\"\"}",
		"{\"name\":\"Click\"}", "{\"name\":\"click \"}", "{\"name\":\"click\\u0000\"}",
		"{\"name\":\"list_windows\",\"arguments\":1}",
		"{\"name\":\"list_windows\",\"arguments\":\"{}\"}",
		"{\"name\":\"list_windows\",\"arguments\":[]}",
		"{\"name\":\"list_windows\",\"arguments\":true}",
	};
	struct lab_driver *driver = lab_driver_start(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
		g_autofree char *line = g_strdup_printf(
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":%s}", params[i]);

		strike_text(driver, line, strstr(params[i], "u0000") ? PARAMS | PARSE : PARAMS);
	}
	finish(driver);
}

static void bad_initialize(struct lab_desk *desk)
{
	static const char *const params[] = {
		"{}", "{\"protocolVersion\":1}", "{\"protocolVersion\":null}", "{\"protocolVersion\":[]}",
		"[]", "7",
	};
	struct lab_driver *driver = lab_driver_start_raw(NULL);

	(void)desk;
	strike_text(driver, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}", PARAMS);
	for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
		g_autofree char *line = g_strdup_printf(
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":%s}", params[i]);

		strike_text(driver, line, PARAMS | REQUEST);
	}
	finish(driver);
}

static const struct lab_test tests[] = {
	{ .name = "truncated",
		.run = truncated,
		.about = "A message cut at any byte is a parse error." },
	{ .name = "not_json", .run = not_json, .about = "What is almost JSON is a parse error." },
	{ .name = "halves",
		.run = halves,
		.about = "A lone surrogate is answered with the request's id." },
	{ .name = "not_utf8", .run = not_utf8, .about = "What is not UTF-8 is a parse error." },
	{ .name = "not_a_request",
		.run = not_a_request,
		.about = "JSON that is no request is -32600; stray answers and blank lines are "
			 "ignored." },
	{ .name = "unknown_methods",
		.run = unknown_methods,
		.about = "Unknown methods are -32601, unknown or broken notifications are not "
			 "answered." },
	{ .name = "bad_calls", .run = bad_calls, .about = "A malformed tools/call is -32602." },
	{ .name = "bad_initialize",
		.run = bad_initialize,
		.about = "A malformed initialize is refused, and the stream goes on." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
