/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_BUSES_H
#define CUA_DESKTOP_BUSES_H

#include "desktop/desk.h"

/* Finds dbus-daemon and at-spi-bus-launcher; EXIT_UNAVAILABLE names the package. */
bool buses_choose(struct desk *desk, GError **error);

/*
 * Starts the session bus, sets DBUS_SESSION_BUS_ADDRESS, starts the accessibility launcher on it
 * and returns when it owns its name. Needs DISPLAY: what the bus activates inherits our
 * environment.
 */
bool buses_start(struct desk *desk, GError **error);

/*
 * Says that accessibility is wanted, wakes the registry, and makes the bus known on the root
 * window.
 */
bool buses_wake(struct desk *desk, GError **error);

#endif
