/* SPDX-License-Identifier: MIT */
#ifndef X11_FOREGROUND_H
#define X11_FOREGROUND_H

#include "core/rung.h"
#include "x11/device.h"

/*
 * An action by the user's own pointer and keyboard. With a window it is brought to the front for the action, and
 * the user gets everything back; a menu that the action opened is waited for. Without one, in desktop scope,
 * nothing is activated and nothing put back.
 */
struct foreground {
	struct action *action;
	struct device *device;      /* the user's own pair, between device_begin() and device_end() */
	struct x11_server *server;
	xcb_window_t window;        /* of the action; 0: there is none */
	xcb_window_t top;           /* the child of the root it is in; on the screen the one under the hand */
};

/*
 * Takes the user's pair and makes the window the active one, with the keyboard in it. False with an error, and
 * everything as before:
 *   ERROR_FOREGROUND_UNAVAILABLE the window manager did not do it
 *   ERROR_USER_ACTIVE            the user holds a button or a modifier
 *   those of device_begin()
 */
bool foreground_begin(struct foreground *foreground, struct action *action, GError **error);

/*
 * Without a window: waits until the user's keyboard follows a click of the hand into the window there. False with
 * ERROR_FOREGROUND_UNAVAILABLE if it does not.
 */
bool foreground_follow(struct foreground *foreground, GError **error);

/* Gives everything back and says in the action what was disturbed and what restored. */
void foreground_end(struct foreground *foreground);

/* Gives back what waited for a menu, if that is closed. False if it is not: try again later. */
bool foreground_rest(struct device *device, struct x11_server *server);

#endif
