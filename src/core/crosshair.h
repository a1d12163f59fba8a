/* SPDX-License-Identifier: MIT */
#ifndef CORE_CROSSHAIR_H
#define CORE_CROSSHAIR_H

#include "core/frame.h"
#include "core/picture.h"

/* What it is drawn in: no theme has it. */
#define CROSSHAIR_COLOUR 0xff00ff

/*
 * Draws onto a picture, which lies on the screen as `frame` says, a border inside `around`, unless that is
 * empty, and a cross through the point. What is outside the picture is left out.
 */
void crosshair_draw(struct picture *picture, const struct frame *frame, struct screen_rect around,
	struct screen_px point);

#endif
