/* SPDX-License-Identifier: MIT */
#ifndef DOCTOR_REPORT_H
#define DOCTOR_REPORT_H

#include "core/answer.h"
#include "core/health.h"

/* What is examined besides the display system: before it, and after it. */
extern const struct exam exams_before[], exams_after[];

/* All checks, in the order they are shown. The caller owns them. */
GArray *report_make(const struct patient *patient, bool repair);

/* Shows them: as fields for programs and as text for people. */
void report_answer(const GArray *checks, struct answer *answer);

#endif
