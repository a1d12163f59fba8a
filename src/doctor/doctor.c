/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "doctor/doctor.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "core/quote.h"
#include "core/settings.h"
#include "discovery/discovery.h"
#include "doctor/report.h"
#include "platform.h"

/* All of it; a silent bus or server takes some seconds each. */
#define DOCTOR_MS 40000

static const char usage[] =
	"Usage: cua-driver doctor [--json] [--repair]\n\n"
	"Looks at everything the driver needs: where display and buses were found, whether a small window of\n"
	"its own can be captured, whether accessibility answers. Says what is missing and what to type.\n\n"
	"  --json     print the list for programs\n"
	"  --repair   do what is safe: wake what sleeps, remove what dead drivers left\n\n"
	"Exit status: 0 healthy (notes may be there), 1 something does not work.\n";

/* The result as an MCP client would get it from health_report; the caller owns it. */
static json_t *examine(bool repair)
{
	struct platform *platform = platform_open();
	struct settings *settings = settings_new(NULL);
	struct answer *answer = answer_new();
	GString *text = g_string_new("{");
	g_autoptr(GArray) checks = report_make(&(struct patient){ .platform = platform, .settings = settings,
		.deadline = deadline_in(DOCTOR_MS, NULL), .command_line = true }, repair);
	report_answer(checks, answer);
	answer_render(answer, text, true);
	g_string_append_c(text, '}');
	json_t *result = json_loadb(text->str, text->len, 0, NULL);
	g_string_free(text, TRUE);
	answer_free(answer);
	settings_free(settings);
	platform->impl->destroy(platform);
	return result;
}

int doctor_main(int argc, char **argv)
{
	bool json = false, repair = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			fputs(usage, stdout);
			return 0;
		}
		json = json || strcmp(argv[i], "--json") == 0;
		repair = repair || strcmp(argv[i], "--repair") == 0;
		if (strcmp(argv[i], "--json") != 0 && strcmp(argv[i], "--repair") != 0) {
			quote_print(
				stderr, "cua-driver doctor: there is no option '%s'\n", argv[i]);
			fputs(usage, stderr);
			return EXIT_BAD_USAGE;
		}
	}
	discovery_apply();
	json_t *result = examine(repair);
	json_t *structured = json_object_get(result, "structuredContent");
	bool healthy = json_is_true(json_object_get(structured, "healthy"));
	if (json) {
		char *text = json_dumps(structured, JSON_INDENT(2));
		puts(text);
		free(text);
	} else {
		json_t *block = json_array_get(json_object_get(result, "content"), 0);
		fputs(json_string_value(json_object_get(block, "text")), stdout);
	}
	json_decref(result);
	return healthy ? 0 : EXIT_TOOL_ERROR;
}
