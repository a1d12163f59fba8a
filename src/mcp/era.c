/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "mcp/era.h"

#include <string.h>

#include "core/emit.h"

#define META_PREFIX "io.modelcontextprotocol/"
#define STATELESS "2026-07-28"

const char era_stateless_versions[] = "[\"" STATELESS "\"]";

/* Oldest first. */
static const char *const handshake_versions[] = {
	"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
};

const char *era_negotiate(const char *asked)
{
	for (gsize i = 0; i < G_N_ELEMENTS(handshake_versions); i++) {
		if (g_strcmp0(handshake_versions[i], asked) == 0) {
			return handshake_versions[i];
		}
	}
	return handshake_versions[G_N_ELEMENTS(handshake_versions) - 1];
}

static bool bad_envelope(struct era_problem *problem, const char *key, const char *what)
{
	problem->code = RPC_INVALID_PARAMS;
	problem->message = g_strdup_printf("Invalid _meta of revision " STATELESS ": " META_PREFIX "%s: %s",
		key, what);
	problem->data = g_strdup_printf("{\"envelope\":{\"key\":\"" META_PREFIX "%s\",\"problem\":\"%s\"}}",
		key, what);
	return false;
}

static bool unsupported(struct era_problem *problem, const char *version)
{
	GString *data = g_string_new(NULL);
	emit_open(data, NULL, '{');
	emit_raw(data, "supported", era_stateless_versions, -1);
	emit_string(data, "requested", version);
	emit_close(data, '}');
	problem->code = RPC_UNSUPPORTED_VERSION;
	problem->message = g_strdup_printf("Unsupported protocol version: %.60s", version);
	problem->data = g_string_free(data, FALSE);
	return false;
}

bool era_of(const struct rpc *request, enum era *era, struct era_problem *problem)
{
	const struct datum *meta = datum_get(request->params, "_meta");
	const struct datum *version = datum_get(meta, META_PREFIX "protocolVersion");
	const struct datum *capabilities = datum_get(meta, META_PREFIX "clientCapabilities");
	const struct datum *client = datum_get(meta, META_PREFIX "clientInfo");

	*era = ERA_HANDSHAKE;
	if (version == NULL) {
		if (strcmp(request->method, "server/discover") == 0) {
			return bad_envelope(problem, "protocolVersion", "missing");
		}
		return true;
	}
	if (datum_string(version) == NULL) {
		return bad_envelope(problem, "protocolVersion", "not a string");
	}
	if (strcmp(datum_string(version), STATELESS) != 0) {
		return unsupported(problem, datum_string(version));
	}
	if (!datum_is(capabilities, DATUM_OBJECT)) {
		return bad_envelope(problem, "clientCapabilities", capabilities ? "not an object" : "missing");
	}
	if (client != NULL && (!datum_is(datum_get(client, "name"), DATUM_STRING)
		|| !datum_is(datum_get(client, "version"), DATUM_STRING))) {
		return bad_envelope(problem, "clientInfo", "without name and version");
	}
	*era = ERA_STATELESS;
	return true;
}

void era_problem_clear(struct era_problem *problem)
{
	g_free(problem->message);
	g_free(problem->data);
}

void era_server_info(GString *out, const char *name)
{
	emit_open(out, name, '{');
	emit_string(out, "name", PACKAGE_NAME);
	emit_string(out, "title", "Cua Driver");
	emit_string(out, "version", PACKAGE_VERSION);
	emit_close(out, '}');
}

void era_stamp(enum era era, GString *out)
{
	if (era == ERA_STATELESS) {
		emit_string(out, "resultType", "complete");
		emit_open(out, "_meta", '{');
		era_server_info(out, META_PREFIX "serverInfo");
		emit_close(out, '}');
	}
}

void era_stamp_cacheable(enum era era, GString *out)
{
	if (era == ERA_STATELESS) {
		/* The tools of a running driver do not change. */
		emit_int(out, "ttlMs", 3600000);
		emit_string(out, "cacheScope", "public");
	}
}
