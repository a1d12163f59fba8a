/* SPDX-License-Identifier: MIT */
#ifndef CUA_DESKTOP_BUS_H
#define CUA_DESKTOP_BUS_H

#include <systemd/sd-bus.h>

#include "desktop/desk.h"

/*
 * A bus connection that is waited for together with all else the supervisor watches: no call
 * here blocks past its limit, a signal, or the end of the session bus.
 */
#define BUS_LIMIT (15 * G_USEC_PER_SEC)

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sd_bus, sd_bus_flush_close_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sd_bus_message, sd_bus_message_unref)

/* Begins to connect; the greeting goes out with the first call. NULL with EXIT_INTERNAL. */
sd_bus *bus_connect(const char *address, GError **error);

/* A new call, or NULL when out of memory. */
sd_bus_message *bus_method(sd_bus *bus, const char *name, const char *path,
                           const char *interface, const char *member);

/*
 * Sends `call` and waits for the answer, at most BUS_LIMIT. NULL with EXIT_INTERNAL when there is
 * none or it is an error; `what` begins the message. The caller unrefs the answer.
 */
sd_bus_message *bus_ask(struct desk *desk, sd_bus *bus, sd_bus_message *call, const char *what,
                        GError **error);

/* Lets the bus work until a callback has set `*done`, at most until `deadline`. */
bool bus_drive(struct desk *desk, sd_bus *bus, const bool *done, int64_t deadline,
               const char *what, GError **error);

/* Sets "what: strerror(reason)" with EXIT_INTERNAL; `reason` of either sign. Returns false. */
bool bus_fail(GError **error, const char *what, int reason);

#endif
