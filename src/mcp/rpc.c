/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/rpc.h"

#include <math.h>
#include <string.h>

#include "core/emit.h"

const char *rpc_string(json_t *json)
{
	const char *text = json_string_value(json);
	return text != NULL && strlen(text) == json_string_length(json) ? text : NULL;
}

char *rpc_id(json_t *json)
{
	if (json_is_integer(json)) {
		return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(json));
	}
	if (json_is_real(json) && json_real_value(json) == trunc(json_real_value(json))
		&& fabs(json_real_value(json)) < 9007199254740992.0) {
		/* Integers come as reals when another number of the message did not fit. */
		return g_strdup_printf("%.0f", json_real_value(json));
	}
	if (rpc_string(json) != NULL) {
		GString *out = g_string_new(NULL);
		emit_string(out, NULL, rpc_string(json));
		return g_string_free(out, FALSE);
	}
	return NULL;
}

static json_t *load(const char *line, gsize length, const char **problem)
{
	json_error_t error;
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY;
	json_t *message = json_loadb(line, length, flags, &error);
	if (message == NULL && json_error_code(&error) == json_error_numeric_overflow) {
		/* A huge integer is valid JSON; let the check of the argument say what is wrong with it. */
		message = json_loadb(line, length, flags | JSON_DECODE_INT_AS_REAL, &error);
	}
	if (message == NULL) {
		switch (json_error_code(&error)) {
		case json_error_invalid_utf8:
			*problem = "Parse error: not UTF-8";
			break;
		case json_error_numeric_overflow:
			*problem = "Parse error: a number is out of range";
			break;
		case json_error_stack_overflow:
			*problem = "Parse error: nested too deeply";
			break;
		case json_error_duplicate_key:
			*problem = "Parse error: a member stands twice";
			break;
		default:
			*problem = "Parse error: not JSON";
		}
	}
	return message;
}

static void broken(struct rpc *rpc, enum rpc_code code, const char *problem)
{
	rpc->kind = RPC_BROKEN;
	rpc->code = code;
	rpc->problem = problem;
}

struct rpc rpc_parse(const char *line, gsize length)
{
	struct rpc rpc = { 0 };
	const char *problem = NULL;
	rpc.message = load(line, length, &problem);
	if (rpc.message == NULL) {
		broken(&rpc, RPC_PARSE_ERROR, problem);
		return rpc;
	}
	if (!json_is_object(rpc.message)) {
		broken(&rpc, RPC_INVALID_REQUEST, json_is_array(rpc.message)
			? "Invalid request: batches are not supported" : "Invalid request: not an object");
		return rpc;
	}
	json_t *id = json_object_get(rpc.message, "id");
	json_t *method = json_object_get(rpc.message, "method");
	json_t *params = json_object_get(rpc.message, "params");
	const char *version = rpc_string(json_object_get(rpc.message, "jsonrpc"));
	rpc.id = rpc_id(id);
	rpc.method = rpc_string(method);
	rpc.params = json_is_object(params) ? params : NULL;

	if (method == NULL && (json_object_get(rpc.message, "result") != NULL
		|| json_object_get(rpc.message, "error") != NULL)) {
		rpc.kind = RPC_RESPONSE;
	} else if (g_strcmp0(version, "2.0") != 0) {
		broken(&rpc, RPC_INVALID_REQUEST, "Invalid request: jsonrpc must be \"2.0\"");
	} else if (id != NULL && rpc.id == NULL) {
		broken(&rpc, RPC_INVALID_REQUEST, "Invalid request: id must be a string or an integer");
	} else if (!json_is_string(method)) {
		broken(&rpc, RPC_INVALID_REQUEST, "Invalid request: method must be a string");
	} else if (rpc.method == NULL) {
		broken(&rpc, RPC_METHOD_NOT_FOUND, "Method not found");
	} else if (params != NULL && rpc.params == NULL) {
		broken(&rpc, RPC_INVALID_PARAMS, "Invalid params: must be an object");
	} else {
		rpc.kind = id != NULL ? RPC_REQUEST : RPC_NOTIFICATION;
	}
	/* A notification is never answered, not even a broken one. */
	if (rpc.kind == RPC_BROKEN && id == NULL && json_is_string(method)
		&& g_strcmp0(version, "2.0") == 0) {
		rpc.kind = RPC_NOTIFICATION;
		rpc.method = NULL;
		rpc.code = 0;
	}
	return rpc;
}

void rpc_clear(struct rpc *rpc)
{
	json_decref(rpc->message);
	g_free(rpc->id);
}

static void begin(GString *out, const char *id)
{
	emit_open(out, NULL, '{');
	emit_string(out, "jsonrpc", "2.0");
	emit_raw(out, "id", id != NULL ? id : "null", -1);
}

void rpc_begin_result(GString *out, const char *id)
{
	begin(out, id);
	emit_open(out, "result", '{');
}

void rpc_end_result(GString *out)
{
	emit_close(out, '}');
	emit_close(out, '}');
	g_string_append_c(out, '\n');
}

void rpc_error(GString *out, const char *id, enum rpc_code code, const char *message,
	const char *data)
{
	begin(out, id);
	emit_open(out, "error", '{');
	emit_int(out, "code", code);
	emit_string(out, "message", message);
	if (data != NULL) {
		emit_raw(out, "data", data, -1);
	}
	rpc_end_result(out);
}
