/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "doctor/report.h"

#include <string.h>

#include "core/platform.h"
#include "daemon/build.h"

/* Width of the column with the titles. */
#define TITLE_WIDTH 19

GArray *report_make(const struct patient *patient, bool repair)
{
	static const struct exam none[] = { { NULL } };
	const struct exam *platform = patient->platform->impl->exams;
	const struct exam *const tables[] = { exams_before, platform != NULL ? platform : none, exams_after,
		NULL };
	return health_examine(patient, tables, repair);
}

static void answer_optional(struct answer *answer, const char *name, const char *value)
{
	if (value != NULL) {
		answer_string(answer, name, value);
	}
}

static void answer_check(struct answer *answer, const struct check *check)
{
	answer_open_object(answer, NULL);
	answer_string(answer, "id", check->id);
	answer_string(answer, "title", check->title);
	answer_string(answer, "status", health_name(check->health));
	answer_optional(answer, "value", check->value);
	answer_optional(answer, "origin", check->origin);
	answer_optional(answer, "advice", check->advice);
	answer_optional(answer, "command", check->command);
	answer_optional(answer, "repaired", check->repaired);
	answer_close_object(answer);
}

/* One line; what to do follows, indented. */
static void write_check(struct answer *answer, const struct check *check)
{
	static const char *const marks[] = {
		[HEALTH_OK] = "ok", [HEALTH_NOTE] = "note", [HEALTH_FAIL] = "FAIL", [HEALTH_SKIPPED] = "-",
	};
	answer_text(answer, "%-5s %-*s %s", marks[check->health], TITLE_WIDTH, check->title, check->value);
	if (check->origin != NULL) {
		answer_text(answer, " (from %s)", check->origin);
	}
	answer_text(answer, "\n");
	if (check->repaired != NULL) {
		answer_text(answer, "      repaired: %s\n", check->repaired);
	}
	if (check->advice != NULL) {
		answer_text(answer, "      %s%s\n", check->advice, check->command != NULL ? ":" : ".");
	}
	if (check->command != NULL) {
		g_auto(GStrv) lines = g_strsplit(check->command, "\n", -1);
		for (char **line = lines; *line != NULL; line++) {
			answer_text(answer, "          %s\n", *line);
		}
	}
}

void report_answer(const GArray *checks, struct answer *answer)
{
	unsigned failed = 0, notes = 0;
	answer_bool(answer, "healthy", health_is_good(checks));
	answer_string(answer, "version", PACKAGE_VERSION);
	answer_string(answer, "build", build_id());
	answer_open_array(answer, "checks");
	for (guint i = 0; i < checks->len; i++) {
		const struct check *check = &g_array_index(checks, struct check, i);
		answer_check(answer, check);
		write_check(answer, check);
		failed += check->health == HEALTH_FAIL;
		notes += check->health == HEALTH_NOTE;
	}
	answer_close_array(answer);
	if (failed > 0) {
		answer_text(answer, "\n%u problem%s. Start with the first FAIL: what follows may depend on it.\n", failed,
			failed == 1 ? "" : "s");
	} else {
		answer_text(answer, "\nHealthy%s.\n", notes > 0 ? "; see the notes" : "");
	}
}
