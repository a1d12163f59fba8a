/* SPDX-License-Identifier: MIT */
#ifndef X11_ONE_FOCUS_H
#define X11_ONE_FOCUS_H

#include "x11/keyboard.h"
#include "x11/rung.h"

/*
 * Most toolkits have one keyboard focus a process: the X server gives a key to one window, and the
 * toolkit hands it to the window that it believes to have the focus. So the keys of an agent can
 * come into another document of the same application, and the user's, after a press of the agent's,
 * into the agent's.
 */

/*
 * Whether keys for the window reach no other window of its application where the user is, or with
 * `press`, whether a button pressed there leaves the user's keys where they are. False with
 * ERROR_USER_ACTIVE. Takes turns of the server only for toolkits of which that is not known; true
 * when the server has failed.
 */
bool one_focus_allows(struct x11_server *server, xcb_window_t window, const char *toolkit,
	bool press, GError **error);

/*
 * Makes sure that keys for the window of the action reach it and no other one of its application:
 * says to the application that it has the focus, and waits until accessibility tells that it took
 * it, where keys would come sooner than that. `*told`: the window has to hear that it has the focus
 * no more, by one_focus_leave(). False with ERROR_BACKGROUND_UNAVAILABLE if that cannot be made
 * sure; no key may be sent then.
 */
bool one_focus_take(
	const struct action *action, const struct typing *typing, bool *told, GError **error);

/*
 * Lets the session's own keyboard follow its pointer again, if its focus was set to a window:
 * window managers and applications do that when they set the focus while they hold a grab of our
 * pointer (KWin and metacity after a press in GIMP), and then all keys go to that window, which may
 * be the user's. False if the server has failed.
 */
bool one_focus_release(struct x11_server *server, unsigned keyboard);

/* The last key has been sent: takes the focus back from the window, once the application has read
 * the keys. */
void one_focus_leave(const struct typing *typing);

/*
 * Whether the window, which has the user's focus, is the one that the application gives keys to;
 * waits for it to become so. True where the application has no other window, or nothing could tell.
 * False with ERROR_FOREGROUND_UNAVAILABLE.
 */
bool one_focus_comes(const struct action *action, struct x11_server *server, GError **error);

#endif
