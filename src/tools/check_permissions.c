/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "doctor/report.h"
#include "tools/answers.h"
#include "tools/tools.h"

static const struct param params[] = {
	{ "prompt", .type = PARAM_BOOL, .preset = "true",
	  .about = "Accepted for callers that know systems which ask the user; nothing asks on Linux." },
	{ NULL }
};

/* What agents know as permissions, by the checks they follow from. */
static const struct {
	const char *name, *checks[3];
} permissions[] = {
	{ "accessibility", { "accessibility_bus", "registry" } },
	{ "screen_capture", { "display", "capture" } },
	{ "input", { "display", "extensions", "input" } },
};

static const struct check *find_lacking(const GArray *checks, const char *const *ids, gsize count)
{
	for (gsize i = 0; i < count && ids[i] != NULL; i++) {
		const struct check *check = health_find(checks, ids[i]);
		if (check == NULL || check->health == HEALTH_FAIL || check->health == HEALTH_SKIPPED) {
			return check;
		}
	}
	return NULL;
}

static void run(struct call *call)
{
	struct answer *answer = call->answer;
	bool all = true;
	g_autoptr(GArray) checks = report_make(&(struct patient){ .platform = call->platform,
		.settings = call->settings, .deadline = call->deadline }, false);
	for (gsize i = 0; i < G_N_ELEMENTS(permissions); i++) {
		const struct check *lacking = find_lacking(checks, permissions[i].checks,
			G_N_ELEMENTS(permissions[i].checks));
		bool present = health_find(checks, permissions[i].checks[0]) != NULL;
		answer_bool(answer, permissions[i].name, present && lacking == NULL);
		all = all && present && lacking == NULL;
		answer_text(answer, "%s: %s%s%s\n", permissions[i].name, lacking == NULL && present ? "yes" : "no",
			lacking != NULL ? "; " : "", lacking != NULL ? lacking->value : "");
	}
	answer_bool(answer, "granted", all);
	answer_limitation(answer, call->platform);
	if (!all) {
		answer_text(answer, "Call health_report for what fixes it.\n");
	}
}

const struct tool tool_check_permissions = {
	.name = "check_permissions", .title = "Check permissions", .effect = TOOL_READS, .target = TARGET_DISPLAY,
	.run = run, .params = params,
	.about = "Whether the driver can read accessibility trees, capture windows and send input here. Linux asks "
		 "nobody for these: what is missing is told by health_report, with the command that fixes it.",
};
