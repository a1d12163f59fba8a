/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/rpc.h"

#include <jansson.h>
#include <string.h>

#include "mcp/era.h"

static void lines_are_what_they_are(void)
{
	static const struct {
		const char *line;
		enum rpc_kind kind;
		enum rpc_code code;
		const char *id;
	} cases[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}", RPC_REQUEST, 0, "0" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"ping\"}", RPC_REQUEST, 0,
			"\"a\\\"b\"" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775808,\"method\":\"x\"}", RPC_REQUEST,
			0, "-9223372036854775808" },
		{ "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}", RPC_NOTIFICATION, 0,
			NULL },
		{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":3}", RPC_NOTIFICATION, 0,
			NULL },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", RPC_RESPONSE, 0, "1" },
		{ "", RPC_BROKEN, RPC_PARSE_ERROR, NULL },
		{ "{", RPC_BROKEN, RPC_PARSE_ERROR, NULL },
		{ "{\"a\":\"\xff\"}", RPC_BROKEN, RPC_PARSE_ERROR, NULL },
		{ "{\"id\":1e999}", RPC_BROKEN, RPC_PARSE_ERROR, NULL },
		{ "[]", RPC_BROKEN, RPC_INVALID_REQUEST, NULL },
		{ "3", RPC_BROKEN, RPC_INVALID_REQUEST, NULL },
		{ "{\"id\":1,\"method\":\"x\"}", RPC_BROKEN, RPC_INVALID_REQUEST, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}", RPC_BROKEN,
			RPC_INVALID_REQUEST, NULL },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}", RPC_BROKEN,
			RPC_INVALID_REQUEST, NULL },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":2}", RPC_BROKEN, RPC_INVALID_REQUEST,
			"1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\\u0000\"}", RPC_BROKEN,
			RPC_METHOD_NOT_FOUND, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"x\",\"params\":{\"text\":\"\\ud800\"}"
		  "}",
			RPC_REQUEST, 0, "6" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\udc00\"}", RPC_BROKEN,
			RPC_METHOD_NOT_FOUND, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":\"\\udc00\",\"method\":\"x\"}", RPC_BROKEN,
			RPC_INVALID_REQUEST, NULL },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[]}", RPC_BROKEN,
			RPC_INVALID_PARAMS, "1" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"x\",\"params\":{\"n\":"
		  "123456789012345678901}}",
			RPC_REQUEST, 0, "5" },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rpc rpc = rpc_parse(cases[i].line, strlen(cases[i].line));
		g_test_message("%s", cases[i].line);
		g_assert_cmpint(rpc.kind, ==, cases[i].kind);
		g_assert_cmpint(rpc.code, ==, cases[i].code);
		g_assert_cmpstr(rpc.id, ==, cases[i].id);
		rpc_clear(&rpc);
	}
}

static void versions_are_negotiated(void)
{
	g_assert_cmpstr(era_negotiate("2024-11-05"), ==, "2024-11-05");
	g_assert_cmpstr(era_negotiate("2025-11-25"), ==, "2025-11-25");
	g_assert_cmpstr(era_negotiate("2026-07-28"), ==, "2025-11-25");
	g_assert_cmpstr(era_negotiate("nonsense"), ==, "2025-11-25");
}

static void eras_are_told_apart(void)
{
	static const struct {
		const char *params;
		const char *method;
		bool served;
		enum era era;
		enum rpc_code code;
	} cases[] = {
		{ "{}", "tools/list", true, ERA_HANDSHAKE, 0 },
		{ "{\"_meta\":{\"progressToken\":0}}", "tools/call", true, ERA_HANDSHAKE, 0 },
		{ "{}", "server/discover", false, ERA_HANDSHAKE, RPC_INVALID_PARAMS },
		{ "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		  "\"io.modelcontextprotocol/clientCapabilities\":{}}}", "tools/list", true, ERA_STATELESS, 0 },
		{ "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}", "tools/list",
			false, ERA_HANDSHAKE, RPC_INVALID_PARAMS },
		{ "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"1900-01-01\"}}", "tools/list",
			false, ERA_HANDSHAKE, RPC_UNSUPPORTED_VERSION },
		{ "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7}}", "tools/list", false,
			ERA_HANDSHAKE, RPC_INVALID_PARAMS },
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		enum datum_problem unread;
		struct datum *params = datum_parse(cases[i].params, strlen(cases[i].params), &unread);
		struct rpc rpc = { .method = cases[i].method, .params = params };
		struct era_problem problem = { 0 };
		enum era era;
		g_assert_true(era_of(&rpc, &era, &problem) == cases[i].served);
		g_assert_cmpint(era, ==, cases[i].era);
		g_assert_cmpint(problem.code, ==, cases[i].code);
		if (problem.data != NULL) {
			json_t *json = json_loads(problem.data, 0, NULL);
			g_assert_nonnull(json);
			json_decref(json);
		}
		era_problem_clear(&problem);
		datum_free(params);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/rpc/lines", lines_are_what_they_are);
	g_test_add_func("/rpc/versions", versions_are_negotiated);
	g_test_add_func("/rpc/eras", eras_are_told_apart);
	return g_test_run();
}
