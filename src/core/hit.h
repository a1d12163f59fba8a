/* SPDX-License-Identifier: MIT */
#ifndef CORE_HIT_H
#define CORE_HIT_H

#include "core/element.h"

/*
 * The element that a click at that point means, or NULL: of those that cover the point and are drawn,
 * the smallest one that can be acted on.
 */
const struct element *hit_test(const struct tree *tree, struct screen_px point);

#endif
