/* SPDX-License-Identifier: MIT */
#ifndef CORE_HIT_H
#define CORE_HIT_H

#include "core/element.h"

/*
 * The element that a click at that point of the window means, or NULL: of those that can be seen there
 * the smallest that does something when it is clicked, whatever label or picture is in it; a passive
 * one only if there is no other.
 */
const struct element *hit_test(const struct tree *tree, struct screen_rect window,
	struct screen_px point);

/* Whether the point is one of a page, where `hit`, which was found there or is NULL, is not of the page. */
bool hit_is_page(const struct tree *tree, struct screen_px point, const struct element *hit);

#endif
