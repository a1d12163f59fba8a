/* SPDX-License-Identifier: MIT */
#ifndef APPS_ENVIRONMENT_H
#define APPS_ENVIRONMENT_H

#include <glib.h>

/*
 * What an application is started with: ours, the display and the session bus of the user's desktop though ours
 * may lack them, what makes its accessibility work, X11 rather than Wayland, and a startup id that asks for no
 * activation. `file` is its desktop file, or NULL. The caller frees it.
 */
char **environment_new(const char *file);

#endif
