/* SPDX-License-Identifier: MIT */
#ifndef CORE_HEADLESS_H
#define CORE_HEADLESS_H

#include "core/platform.h"

/*
 * A platform without a display. As made it has nothing and says so; unit tests furnish it with windows
 * and elements, which live in memory and really change when acted on.
 */
struct platform *headless_new(void);

/* Adds a window, which is taken over. From the first on there is a screen of 1280×800. */
void headless_add_window(struct platform *platform, struct window *window);

/* Takes it away again; between headless_begin() and headless_end(). */
void headless_remove_window(struct platform *platform, guint64 id);

/* Adds an element, which is taken over, to the one tree that every window shows. */
void headless_add_element(struct platform *platform, struct element *element);

/* How many actions were delivered. */
int headless_acted(struct platform *platform);

/* The furnished element of that object name, for a test to change; borrowed. */
struct element *headless_element(struct platform *platform, const char *object);

/* Around a change that a test makes while calls run; the end of it tells whoever listens. */
void headless_begin(struct platform *platform);
void headless_end(struct platform *platform);

#endif
