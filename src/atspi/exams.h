/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_EXAMS_H
#define ATSPI_EXAMS_H

#include "atspi/atspi.h"
#include "core/health.h"

/* What the exams of a platform with AT-SPI look at (struct exam.look and .repair), given its bus. */
void exam_session_bus(struct atspi *atspi, const struct patient *patient, struct check *check);
void exam_accessibility_bus(struct atspi *atspi, const struct patient *patient, struct check *check);
void exam_registry(struct atspi *atspi, const struct patient *patient, struct check *check);
void exam_accessibility_events(struct atspi *atspi, const struct patient *patient, struct check *check);
void exam_toolkits(struct atspi *atspi, const struct patient *patient, struct check *check);

/* Wakes bus and registry. */
bool exam_wake(struct atspi *atspi, const struct patient *patient, struct check *check);

#endif
