/* SPDX-License-Identifier: MIT */
#ifndef X11_DEVICES_H
#define X11_DEVICES_H

#include "core/session.h"
#include "x11/device.h"

/*
 * The pointers and keyboards of this driver, one a session that asked for it. They go when their session
 * ends, when nothing was done for a while, and with the driver, however it ends. A thread of its own looks after
 * them: sessions end in places that must not wait.
 */
struct devices;

struct devices *devices_new(const char *display);
/* Who holds the user's keys back; lives as long as these. */
struct hold *devices_hold(struct devices *devices);
/* No session may be left. */
void devices_free(struct devices *devices);

/* The session's own; made if it has none. NULL with an error if the session has ended. The caller owns a reference. */
struct device *devices_lend(struct devices *devices, struct session *session, GError **error);

/* The one it has; NULL if it has none. The caller owns a reference. */
struct device *devices_find(struct devices *devices, const struct session *session);

/* The user's own; whoever uses it gives back what it takes. The caller owns a reference. */
struct device *devices_core(struct devices *devices);
/* How long ago it pressed a key, in ms; G_MAXUINT if never. */
unsigned devices_pressed_ago(struct devices *devices);

/* Something was done with it: if nothing follows, it is parked so much later. */
void devices_used(struct devices *devices, struct device *device, int ms);

/* Releases at once what any of them holds; the pairs stay. */
void devices_release(struct devices *devices, struct deadline deadline);

/* The user's own keyboard is needed where a second one makes it dumb (x11/vigil.h): removes all pairs at once. */
void devices_yield(struct devices *devices, struct deadline deadline);

/* Nothing is expected soon: removes all pairs. */
void devices_rest(struct devices *devices);

#endif
