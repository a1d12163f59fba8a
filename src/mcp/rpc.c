/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/rpc.h"

#include "core/emit.h"

char *rpc_id(const struct datum *datum)
{
	gint64 number;
	bool whole = datum_whole(datum, &number);
	if (!whole && datum_string(datum) == NULL) {
		return NULL;
	}
	GString *out = g_string_new(NULL);
	if (whole) {
		emit_int(out, NULL, number);
	} else {
		emit_string(out, NULL, datum_string(datum));
	}
	return g_string_free(out, FALSE);
}

static void broken(struct rpc *rpc, enum rpc_code code, const char *problem)
{
	rpc->kind = RPC_BROKEN;
	rpc->code = code;
	rpc->problem = problem;
}

struct rpc rpc_parse(const char *line, gsize length)
{
	static const char *const problems[] = {
		[DATUM_NOT_JSON] = "Parse error: not JSON",
		[DATUM_NOT_UTF8] = "Parse error: not UTF-8",
		[DATUM_TOO_LARGE] = "Parse error: a number is out of range",
		[DATUM_TOO_DEEP] = "Parse error: nested too deeply",
		[DATUM_TWICE] = "Parse error: a member stands twice",
	};
	struct rpc rpc = { 0 };
	enum datum_problem problem;
	rpc.message = datum_parse(line, length, &problem);
	if (rpc.message == NULL) {
		broken(&rpc, RPC_PARSE_ERROR, problems[problem]);
		return rpc;
	}
	if (!datum_is(rpc.message, DATUM_OBJECT)) {
		broken(&rpc, RPC_INVALID_REQUEST, datum_is(rpc.message, DATUM_ARRAY)
			? "Invalid request: batches are not supported" : "Invalid request: not an object");
		return rpc;
	}
	const struct datum *id = datum_get(rpc.message, "id");
	const struct datum *method = datum_get(rpc.message, "method");
	const struct datum *params = datum_get(rpc.message, "params");
	const char *version = datum_string(datum_get(rpc.message, "jsonrpc"));
	rpc.id = rpc_id(id);
	rpc.method = datum_string(method);
	rpc.params = datum_is(params, DATUM_OBJECT) ? params : NULL;

	if (method == NULL && (datum_get(rpc.message, "result") != NULL
		|| datum_get(rpc.message, "error") != NULL)) {
		rpc.kind = RPC_RESPONSE;
	} else if (g_strcmp0(version, "2.0") != 0) {
		broken(&rpc, RPC_INVALID_REQUEST, "Invalid request: jsonrpc must be \"2.0\"");
	} else if (id != NULL && rpc.id == NULL) {
		broken(&rpc, RPC_INVALID_REQUEST, "Invalid request: id must be a string or an integer");
	} else if (!datum_is(method, DATUM_STRING)) {
		broken(&rpc, RPC_INVALID_REQUEST, "Invalid request: method must be a string");
	} else if (rpc.method == NULL) {
		broken(&rpc, RPC_METHOD_NOT_FOUND, "Method not found");
	} else if (params != NULL && rpc.params == NULL) {
		broken(&rpc, RPC_INVALID_PARAMS, "Invalid params: must be an object");
	} else {
		rpc.kind = id != NULL ? RPC_REQUEST : RPC_NOTIFICATION;
	}
	/* A notification is never answered, not even a broken one. */
	if (rpc.kind == RPC_BROKEN && id == NULL && datum_is(method, DATUM_STRING)
		&& g_strcmp0(version, "2.0") == 0) {
		rpc.kind = RPC_NOTIFICATION;
		rpc.method = NULL;
		rpc.code = 0;
	}
	return rpc;
}

void rpc_clear(struct rpc *rpc)
{
	datum_free(rpc->message);
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
