/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_PLACE_H
#define ATSPI_PLACE_H

#include "core/element.h"
#include "core/window.h"

/*
 * Pixels in a unit of the toolkit that draws the window, if `told` is the frame it tells for it: 1, or
 * more on screens with small pixels.
 */
double place_scale(const struct window *window, struct screen_rect told);

/*
 * Turns the units in the tree of a window, whose first element stands for it, into pixels: those of the
 * screen, or, for GTK4, still counted from its content.
 */
void place_in_pixels(struct tree *tree, const struct window *window);

#endif
