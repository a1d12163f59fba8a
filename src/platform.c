/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "platform.h"

#include "core/headless.h"
#ifdef HAVE_X11
#include "x11/platform.h"
#endif

struct platform *platform_open(void)
{
#ifdef HAVE_X11
	return x11_platform_new(NULL);
#else
	return headless_new();
#endif
}

const char *platform_features(void)
{
#ifdef HAVE_X11
	return "x11 at-spi";
#else
	return "no display system";
#endif
}
