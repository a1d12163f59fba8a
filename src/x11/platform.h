/* SPDX-License-Identifier: MIT */
#ifndef X11_PLATFORM_H
#define X11_PLATFORM_H

#include "core/platform.h"

/* An X11 desktop with AT-SPI; NULL: the display of the environment. Connects when first used. */
struct platform *x11_platform_new(const char *display);

#endif
