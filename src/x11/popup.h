/* SPDX-License-Identifier: MIT */
#ifndef X11_POPUP_H
#define X11_POPUP_H

#include "core/rung.h"
#include "x11/client-pointer.h"

/*
 * Something that may open a menu, a list or a popover without taking anything of the user's:
 * between begin and end what its application grabs it grabs of the session's pair
 * (x11/client-pointer.h), and where it would take every pointer there is, the user's stands still
 * for a moment (x11/freeze.h).
 */
struct popup {
	struct device *device;         /* between device_begin() and device_end() */
	struct x11_server *server;
	const struct action *action;   /* that may open it */
	xcb_window_t window;
	struct client_pointer client;
	bool frozen, froze;            /* the user's pointer stands still; it did */
	bool before;                   /* the application had our pointer when it began */
	bool mapped; /* a window of the application came that no window manager manages */
	bool taken;                    /* the application has our pointer: it is open */
	struct freeze freeze;          /* of gestures before, added up */
};

/* How sure it is that something opens: what certainly does is waited for longer. */
enum popup_hope {
	POPUP_MAYBE,      /* any press may */
	POPUP_LIKELY,     /* a press of the right button, which a page may keep for itself */
	POPUP_SURELY,
};

/*
 * Before the press, or before the action of the element. `rests`: no gesture follows, so our
 * pointer is made everybody's at a place where nobody hears of it, for the application to take.
 * False with the errors of client_pointer_begin(), and nothing to end.
 */
bool popup_begin(struct popup *popup, struct device *device, struct x11_server *server,
	const struct action *action, bool rests, GError **error);

/*
 * After it: waits until the application has taken our pointer, or for as long as that is to be
 * hoped for, and puts everything back. The pair stays the menu's until that is closed. False with
 * ERROR_POPUP_GRABS_USER if the user's pointer was taken all the same; then it was closed again.
 */
bool popup_end(struct popup *popup, enum popup_hope hope, GError **error);

/*
 * Around an action in an application that has the pair for an open menu: what it gives back and
 * takes anew when that closes is the pair again, not the user's. Nothing if there is no such menu,
 * or the user is there.
 */
void popup_resume(struct popup *popup, struct device *device, struct x11_server *server,
	const struct action *action);
void popup_leave(struct popup *popup);

#endif
