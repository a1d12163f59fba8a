/* SPDX-License-Identifier: MIT */
#ifndef CORE_CANDIDATES_H
#define CORE_CANDIDATES_H

#include "core/answer.h"
#include "core/platform.h"

/*
 * Adds `candidates` to a failed answer: the elements of the window now that look most like the one that
 * was lost, nearest first. They have no index: whoever wants to act on one takes a new snapshot. Adds
 * nothing if the window cannot be read.
 */
void candidates_answer(struct answer *answer, struct platform *platform, const struct window *window,
	const struct element *lost, struct deadline deadline);

#endif
