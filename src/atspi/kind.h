/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_KIND_H
#define ATSPI_KIND_H

#include "core/window.h"

/* How a window appears in accessibility. */
enum kind {
	KIND_TOP,    /* a window of its own: one accessible top-level stands for it */
	KIND_POPUP,  /* a menu, a list of choices, a popover: a part of another window's tree, or its own */
};

enum kind kind_of(const struct window *window);

/* GTK4 tells where things are in their window, never where the window is. */
bool kind_is_gtk4(const struct window *window);

/* Whether it is worth asking such an application for all its objects at once. */
bool kind_has_cache(const struct window *window);

/*
 * Whether an application that calls its toolkit so can be the window's. True when either side does not
 * say.
 */
bool kind_same_toolkit(const struct window *window, const char *toolkit);

/* Why a process with such windows is not on the accessibility bus, and what helps. Static. */
const char *kind_absence(const struct window *window);

#endif
