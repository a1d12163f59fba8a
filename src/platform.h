/* SPDX-License-Identifier: MIT */
#ifndef PLATFORM_H
#define PLATFORM_H

#include "core/platform.h"

/*
 * The platform of this build and environment; never NULL, never waits. Without any display system
 * built in it is the headless one. The caller ends it by its destroy slot.
 */
struct platform *platform_open(void);

/* What is built in, for --version: "x11 at-spi" */
const char *platform_features(void);

#endif
