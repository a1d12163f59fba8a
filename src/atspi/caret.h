/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_CARET_H
#define ATSPI_CARET_H

#include "atspi/atspi.h"
#include "atspi/talk.h"

/* Where in a text its caret is, and what is selected. */
struct caret {
	int offset;      /* -1: it has none */
	int from, to;    /* the same: nothing is selected */
};

/* What is selected in the text that is talked to; false if nothing is. */
bool caret_selection(struct talk *talk, int *from, int *to);

void caret_read(struct atspi *atspi, const struct element *element, struct deadline deadline,
	struct caret *caret);

/* Puts it back after a click that gave the element the focus; waits until the application has taken that. */
void caret_restore(struct atspi *atspi, const struct element *element, struct deadline deadline,
	const struct caret *caret);

#endif
