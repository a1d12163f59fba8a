/* SPDX-License-Identifier: MIT */
#ifndef X11_CLIENT_POINTER_H
#define X11_CLIENT_POINTER_H

#include "x11/device.h"

/*
 * The core requests of an application, XGrabPointer, XGrabKeyboard, XQueryPointer and
 * XSetInputFocus, mean one pair of devices: that of its connection's client pointer, which is the
 * user's unless somebody says otherwise. While it is a pair of ours, what a menu grabs is not the
 * user's. Between begin and end; nobody else's connection is concerned.
 */
struct client_pointer {
	struct device *device;
	struct x11_server *server;
	xcb_window_t window;         /* of the application */
	xcb_window_t anchor;         /* by which its connection is named: the same, or its leader */
	unsigned before;             /* the pointer it had */
	struct undo_record *record;  /* NULL: it is as it was */
};

/*
 * Whether the user's keyboard focus or pointer is in a window of the connection that made `window`.
 * Takes a turn of the server for each level of windows. Under a grab of the server it holds as long
 * as that.
 */
bool client_pointer_is_users(struct x11_server *server, xcb_window_t window);

/*
 * Makes the pair of the device, which is between device_begin() and device_end(), that of the
 * application, noted in the undo log first. False with an error, and nothing changed:
 *   ERROR_POPUP_GRABS_USER        the user is in that application
 *   ERROR_BACKGROUND_UNAVAILABLE  the undo log is full
 */
bool client_pointer_begin(struct client_pointer *client, struct device *device,
	struct x11_server *server, xcb_window_t window, GError **error);

/* Puts it back; the server has taken it then. Nothing if it was not begun. */
void client_pointer_end(struct client_pointer *client);

/*
 * A keyboard of ours goes to whatever its pointer is over; an application whose pair it was may
 * have taken it to a window of its own, and leaves it there. Takes a turn.
 */
void client_pointer_free_keyboard(struct x11_server *server, unsigned keyboard);

/* Puts it back as a record of the undo log says, if it still is a pair's of ours. A window that is
 * gone is none. */
void client_pointer_mend(struct x11_server *server, const struct undo_record *record);

#endif
