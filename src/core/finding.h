/* SPDX-License-Identifier: MIT */
#ifndef CORE_FINDING_H
#define CORE_FINDING_H

#include "core/answer.h"
#include "core/rung.h"

/* What a later look at the target says about an action whose rung knew what to look for. */
enum found {
	FOUND_UNKNOWN,   /* it cannot be read */
	FOUND_NOTHING,   /* as before */
	FOUND_ASKED,     /* changed to what was asked for */
	FOUND_ALREADY,   /* as asked for, and was so before */
	FOUND_OTHER,     /* changed to something else */
};

/* `now` is what rung_impl.look() said. */
enum found finding_compare(const struct finding *finding, const char *now);

/* What an answer, also a failed one, tells of it besides the evidence. */
void finding_answer(const struct action *action, struct answer *answer);

#endif
