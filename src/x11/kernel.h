/* SPDX-License-Identifier: MIT */
#ifndef X11_KERNEL_H
#define X11_KERNEL_H

#include "x11/device.h"

/*
 * A pointer of the kernel (x11/uinput.h) as one more device of the session's pair, for applications that look at what
 * device an event is from. What it does comes to the server when the kernel and the server please: each of these
 * waits, with a deadline, until the server has taken it, and therefore is called while the server is not grabbed. The
 * server says so also while our own grab stops the pointer, and keeps what came for later: see x11/reach.c.
 *
 * It is there until the pair is removed. A process that dies takes it along; what is left to undo is that the pair
 * must not go before it: the server would give it to the user's pair.
 */
struct kernel;

/* Whether the server takes devices of the kernel. Takes a turn. */
bool kernel_taken(struct x11_server *server);
/* Whether one can be had at all. False with ERROR_NO_INPUT_DEVICE that says what is missing. */
bool kernel_may(struct x11_server *server, GError **error);

/* Between device_begin() and device_end(): makes it, or finds that it still is of the pair. */
bool kernel_attach(struct device *device, struct x11_server *server, GError **error);
/* The kernel takes it back; with it goes whatever it holds. NULL is allowed. */
void kernel_close(struct kernel *kernel);
/* The same of the device's, which has one, and waits until the server has noticed. */
void kernel_remove(struct device *device, struct x11_server *server);

/* As those of x11/uinput.h. False with an error if the server did not take it: then it has none any more. */
bool kernel_move(struct device *device, struct x11_server *server, struct screen_px point, GError **error);
bool kernel_button(struct device *device, struct x11_server *server, unsigned button, bool press, GError **error);
bool kernel_turn(struct device *device, struct x11_server *server, unsigned wheel, GError **error);

/* Waits until that of the pair is gone. One that stays so long is taken from the pair: then it is nobody's. */
void kernel_leave(struct x11_server *server, const char *master, int ms);

/* How many there are in the user's pair whose driver is gone; they are taken from it if `detaches`. */
int kernel_strays(struct x11_server *server, bool detaches);

#endif
