/* SPDX-License-Identifier: MIT */
#ifndef X11_MENU_WATCH_H
#define X11_MENU_WATCH_H

#include "x11/client-pointer.h"

/*
 * While a menu of an application has a pair of ours, the application's connection keeps that pair
 * as its own: toolkits grab anew for submenus and when they close, and let go of what they think
 * they have. But the user who comes into the application must find their own pair there. So a
 * thread watches the user's pointer and focus: when one of them comes into a window of the
 * application, the menu is closed and the setting put back.
 */
struct menu_watch;

/* Takes over what client_pointer_begin() began; NULL, and nothing taken over, if there is no
 * connection for it. */
struct menu_watch *menu_watch_new(const char *display, struct client_pointer *client);

/*
 * Has the thread put the setting back and end, and does not wait for it: the caller may hold the
 * server, for which the thread waits. NULL is allowed; menu_watch_free() comes later.
 */
void menu_watch_stop(struct menu_watch *watch);

/* Puts the setting back, unless the user came; NULL is allowed. Waits for the thread, which waits
 * for nobody but the server. */
void menu_watch_free(struct menu_watch *watch);

/* Whether the application of that window still has the pair by it. NULL: it has not. */
bool menu_watch_holds(struct menu_watch *watch, xcb_window_t window);

#endif
