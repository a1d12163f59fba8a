/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/finding.h"

#include <string.h>

void finding_clear(struct finding *finding)
{
	g_free(finding->before);
	g_free(finding->wanted);
	g_free(finding->object);
	element_free(finding->part);
	g_strfreev(finding->items);
	*finding = (struct finding){ 0 };
}

enum found finding_compare(const struct finding *finding, const char *now)
{
	if (now == NULL) {
		return FOUND_UNKNOWN;
	}
	if (strcmp(now, finding->wanted) == 0) {
		return g_strcmp0(finding->before, finding->wanted) != 0 ? FOUND_ASKED : FOUND_ALREADY;
	}
	return g_strcmp0(now, finding->before) != 0 ? FOUND_OTHER : FOUND_NOTHING;
}

void finding_answer(const struct action *action, struct answer *answer)
{
	const struct finding *finding = &action->finding;
	if (finding->unit != NULL) {
		answer_open_object(answer, "delivered");
		answer_int(answer, finding->unit, finding->done);
		answer_int(answer, "asked", finding->asked);
		answer_close_object(answer);
	}
	if (finding->device != NULL) {
		answer_string(answer, "device", finding->device);
	}
	if (finding->held_ms > 0) {
		answer_int(answer, "user_pointer_held_ms", finding->held_ms);
	}
	if (finding->items != NULL) {
		answer_strings(answer, "items", (const char *const *)finding->items);
	}
	if (finding->limited) {
		answer_number(answer, "minimum", finding->minimum);
		answer_number(answer, "maximum", finding->maximum);
	}
}
