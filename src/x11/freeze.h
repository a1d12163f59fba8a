/* SPDX-License-Identifier: MIT */
#ifndef X11_FREEZE_H
#define X11_FREEZE_H

#include "x11/device.h"

/*
 * Whether the application takes in what comes to the window, so that the user's pointer would not stand still for
 * long. False with ERROR_APP_UNRESPONSIVE. The server is not grabbed.
 */
bool freeze_may(struct x11_server *server, xcb_window_t window, GError **error);

/*
 * Takes the user's pointer by a grab of the window it is in, so that no window hears it go and come, and stops it; with
 * `keyboard` that stands still, too. What the user does waits in the server until the pointer is let go. `*place` is
 * where it is. False if somebody else has it.
 */
bool freeze_user(struct x11_server *server, struct screen_px *place, bool keyboard);

/*
 * Keeps an application from taking the user's pointer at a press of ours: some take every pointer
 * there is. We have it meanwhile, as freeze_user() does. False if it was not taken: whoever holds
 * it keeps it, and then nobody else takes it either. With `keyboard` that can be taken by nobody
 * either, and what the user types waits. The server is grabbed.
 */
bool freeze_begin(struct device *device, struct x11_server *server, bool keyboard);
/* Keeps it when the server is not grabbed any more: the guardian ends that for a driver that stands
 * still. */
void freeze_keep(struct device *device);

/*
 * Waits, but not for long, until the application has taken in what came to the window, and lets it go. The device
 * knows then how long it was held.
 */
void freeze_end(struct device *device, struct x11_server *server, xcb_window_t window);

/* The same at once. The guardian was told that the user's pointer may stand still for the
 * connection. */
void freeze_thaw(struct device *device, struct x11_server *server);

#endif
