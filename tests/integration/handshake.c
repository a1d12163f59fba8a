/* SPDX-License-Identifier: MIT */
/* Which revision of MCP is spoken, and that one stream can speak both eras. */
#include <signal.h>
#include <string.h>

#include "lab/lab.h"

#define KEY "io.modelcontextprotocol/"
#define ENVELOPE(version) "\"_meta\":{\"" KEY "protocolVersion\":\"" version "\",\"" KEY \
	"clientCapabilities\":{},\"" KEY "clientInfo\":{\"name\":\"lab\",\"version\":\"1\"}}"
#define MODERN ENVELOPE("2026-07-28")

static struct lab_answer initialize(struct lab_driver *driver, const char *version)
{
	return lab_request(driver, "initialize", "{\"protocolVersion\":\"%s\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"lab\",\"version\":\"1\"}}", version);
}

static void negotiation(struct lab_desk *desk)
{
	static const char *const offers[][2] = {
		{ "2024-11-05", "2024-11-05" }, { "2025-03-26", "2025-03-26" },
		{ "2025-06-18", "2025-06-18" }, { "2025-11-25", "2025-11-25" },
		{ "1999-01-01", "2025-11-25" }, { "2026-07-28", "2025-11-25" }, { "", "2025-11-25" },
	};

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(offers); i++) {
		struct lab_driver *driver = lab_driver_start_raw(NULL);
		struct lab_answer answer = initialize(driver, offers[i][0]);

		lab_assert_str(lab_str(answer.result, "protocolVersion"), offers[i][1]);
		lab_assert_str(lab_str(answer.result, "serverInfo/name"), "cua-driver");
		lab_str(answer.result, "serverInfo/version");
		lab_object(answer.result, "capabilities/tools");
		/* Hosts ask for what is announced; we have neither. */
		lab_assert(!lab_get(answer.result, "capabilities/logging"));
		lab_assert(!lab_get(answer.result, "resultType"));
		lab_notify(driver, "notifications/initialized", NULL);
		lab_assert_int(json_object_size(lab_request(driver, "ping", NULL).result), 0);
		lab_driver_stop(driver);
	}
}

static void before_initialize(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start_raw(NULL);

	(void)desk;
	lab_assert(lab_request(driver, "ping", NULL).result);
	lab_array(lab_request(driver, "tools/list", NULL).result, "tools");
	lab_assert_str(lab_str(initialize(driver, "2025-06-18").result, "protocolVersion"),
		"2025-06-18");
}

static void assert_modern(const struct lab_answer *answer)
{
	lab_assert(answer->result);
	lab_assert_str(lab_str(answer->result, "resultType"), "complete");
	/* A path would split at the slash of the key. */
	json_t *info = json_object_get(lab_object(answer->result, "_meta"), KEY "serverInfo");
	lab_assert_str(lab_str(info, "name"), "cua-driver");
	lab_str(info, "version");
}

static void stateless(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start_raw(NULL);
	struct lab_answer answer;

	(void)desk;
	/* The very first message may be a call: clients probe with another process. */
	answer = lab_request(driver, "tools/call",
		"{\"name\":\"get_screen_size\",\"arguments\":{}," MODERN "}");
	assert_modern(&answer);
	lab_assert_str(answer.code, "no_display");

	answer = lab_request(driver, "server/discover", "{" MODERN "}");
	assert_modern(&answer);
	lab_assert(lab_array_has(lab_array(answer.result, "supportedVersions"), "2026-07-28"));
	lab_object(answer.result, "capabilities/tools");
	lab_assert(lab_int(answer.result, "ttlMs") >= 0);
	lab_str(answer.result, "cacheScope");

	answer = lab_request(driver, "tools/list", "{" MODERN "}");
	assert_modern(&answer);
	lab_array(answer.result, "tools");
	lab_assert(lab_int(answer.result, "ttlMs") >= 0);
	lab_str(answer.result, "cacheScope");

	lab_assert_int(lab_request(driver, "ping", "{" MODERN "}").rpc_error, -32601);
	lab_assert_int(lab_request(driver, "initialize", "{" MODERN "}").rpc_error, -32601);
	lab_assert_int(lab_request(driver, "logging/setLevel", "{" MODERN "}").rpc_error, -32601);
	lab_assert_int(lab_request(driver, "tools/call", "{\"name\":\"nope\"," MODERN "}").rpc_error,
		-32602);
}

static void unsupported_revision(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start_raw(NULL);
	struct lab_answer answer;

	(void)desk;
	answer = lab_request(driver, "tools/list", "{" ENVELOPE("1900-01-01") "}");
	lab_assert_int(answer.rpc_error, -32022);
	lab_assert(lab_array_has(lab_array(answer.message, "error/data/supported"), "2026-07-28"));
	lab_assert_str(lab_str(answer.message, "error/data/requested"), "1900-01-01");
	/* The old revisions are reached by initialize, not by an envelope. */
	lab_assert_int(lab_request(driver, "tools/list", "{" ENVELOPE("2025-06-18") "}").rpc_error,
		-32022);
}

static void broken_envelope(struct lab_desk *desk)
{
	static const char *const broken[] = {
		"{\"_meta\":{\"" KEY "protocolVersion\":\"2026-07-28\"}}",
		"{\"_meta\":{\"" KEY "protocolVersion\":\"2026-07-28\",\"" KEY
			"clientCapabilities\":1}}",
		"{\"_meta\":{\"" KEY "protocolVersion\":7,\"" KEY "clientCapabilities\":{}}}",
		"{\"_meta\":{\"" KEY "protocolVersion\":null,\"" KEY "clientCapabilities\":{}}}",
		"{\"_meta\":{\"" KEY "protocolVersion\":\"2026-07-28\",\"" KEY
			"clientCapabilities\":{},\"" KEY "clientInfo\":{\"name\":1}}}",
	};
	struct lab_driver *driver = lab_driver_start_raw(NULL);

	(void)desk;
	for (size_t i = 0; i < G_N_ELEMENTS(broken); i++) {
		struct lab_answer answer = lab_request(driver, "tools/list", "%s", broken[i]);

		if (answer.rpc_error != -32602) {
			lab_fail("%s: %s", broken[i], lab_json(answer.message));
		}
	}
	/* A prober without an envelope must be able to tell that it is to use initialize. */
	int code = lab_request(driver, "server/discover", NULL).rpc_error;
	lab_assert(code == -32601 || code == -32602);
}

static void both_eras(struct lab_desk *desk)
{
	struct lab_driver *driver = lab_driver_start_raw(NULL);
	struct lab_answer answer;

	(void)desk;
	answer = lab_request(driver, "server/discover", "{" MODERN "}");
	assert_modern(&answer);
	lab_assert_str(lab_str(initialize(driver, "2025-11-25").result, "protocolVersion"),
		"2025-11-25");
	lab_notify(driver, "notifications/initialized", NULL);
	answer = lab_request(driver, "tools/list", "{" MODERN "}");
	assert_modern(&answer);
	json_t *modern = lab_array(answer.result, "tools");
	answer = lab_request(driver, "tools/list", NULL);
	lab_assert(!json_object_get(answer.result, "resultType"));
	lab_assert(!json_object_get(answer.result, "ttlMs"));
	lab_assert(json_equal(modern, lab_array(answer.result, "tools")));
	lab_assert_int(json_object_size(lab_request(driver, "ping", NULL).result), 0);
}

static void sigterm(struct lab_desk *desk)
{
	char **env = g_environ_unsetenv(g_get_environ(), "DISPLAY");
	struct lab_driver *driver = lab_driver_start_raw(env);

	(void)desk;
	/* A client probes with a sibling: one question, then SIGTERM, then SIGKILL a second later. */
	lab_assert(lab_request(driver, "server/discover", "{" MODERN "}").result);
	kill(lab_driver_pid(driver), SIGTERM);
	lab_assert(lab_gone(lab_driver_pid(driver), 1000));
	lab_driver_forget(driver);
}

static const struct lab_test tests[] = {
	{ .name = "negotiation", .run = negotiation,
	  .about = "A known legacy revision is echoed, anything else answered with the newest." },
	{ .name = "before_initialize", .run = before_initialize,
	  .about = "Requests before initialize are served in the newest legacy shape." },
	{ .name = "stateless", .run = stateless,
	  .about = "A request with the 2026-07-28 envelope needs no handshake." },
	{ .name = "unsupported_revision", .run = unsupported_revision,
	  .about = "An envelope of another revision is -32022 with the supported ones." },
	{ .name = "broken_envelope", .run = broken_envelope,
	  .about = "An envelope with missing or wrong parts is -32602." },
	{ .name = "both_eras", .run = both_eras,
	  .about = "The era is a property of each request, not of the stream." },
	{ .name = "sigterm", .run = sigterm, .about = "A probing client gets rid of us within 1 s." },
	{ 0 }
};

int main(int argc, char **argv)
{
	return lab_main(argc, argv, tests);
}
