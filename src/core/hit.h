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

/*
 * Whether the point is an empty place of the title bar that the application itself draws along the
 * upper edge of `painted`, the window without its shadow: a strip that is as high as the button in
 * its corner that closes the window, or does the like, allows. False where there is no such button,
 * whatever is there.
 */
bool hit_is_title(const struct tree *tree, struct screen_rect painted, struct screen_px point);

/*
 * Whether what is at the point of the window takes a drag for itself: a slider, a text, a row.
 * False where nothing is known, and for web content, which may be the title bar of an application
 * that is made of it.
 */
bool hit_takes_drag(const struct tree *tree, struct screen_rect window, struct screen_px point);

#endif
