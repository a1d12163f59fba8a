/* SPDX-License-Identifier: MIT */
#ifndef CORE_MARKS_H
#define CORE_MARKS_H

#include "core/element.h"
#include "core/frame.h"
#include "core/picture.h"

/* How large a number of that many digits is, in pixels. */
#define MARK_HEIGHT 13
#define MARK_WIDTH(digits) (7 * (digits) + 3)

/* How many numbers were drawn, and how many found no free place. */
struct marks {
	int drawn, left_out;
};

/*
 * Draws the index of every visible element onto the picture, which lies on the screen as `frame` says:
 * in a corner of the element, or beside it if it is small. No two numbers overlap.
 */
struct marks marks_draw(struct picture *picture, const struct frame *frame, const struct tree *tree);

#endif
