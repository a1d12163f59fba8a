/* SPDX-License-Identifier: MIT */
#ifndef X11_REACH_H
#define X11_REACH_H

#include "x11/device.h"
#include "x11/hole.h"

/*
 * Our pointer over a point of a window, whatever covers it. Between begin and end the server is grabbed: no
 * window moves, nobody notices, and what the server says is under the pointer is under it. Nothing may be waited
 * for in between but the server.
 */
struct reach {
	struct device *device;
	struct x11_server *server;
	xcb_window_t target;
	struct screen_px user;             /* where the user's pointer is */
	struct screen_px point;            /* where it is; a pixel beside the one asked for if the user is there */
	bool borrowed;                     /* somebody holds our pointer: a menu is open */
	bool opens;                        /* set by the caller: a menu may come of it and take our pointer */
	bool lingers;                      /* set by the caller: our pointer stays where it is, and reach_retire() comes later */
	bool still;                        /* our pointer is not to be moved (x11/real.c) */
	bool stays;                        /* set by the caller: it holds a button, or nothing was done with it */
	bool hovers;                       /* set by the caller: the window goes on thinking that it is over it */
	struct undo_record *holes[32];
	int count;
	unsigned asked_user, asked_park;   /* before anything is known; 0: taken in */
	unsigned asked_parent;             /* of the target, where its frame is known; 0: not asked */
	bool moved;                        /* it is another one by now */
	struct refuge_asked asked_refuge;  /* the same */
	struct hole_asked guess;           /* of what was in the way the last time; `cover` 0: of nothing */
};

/*
 * Brings it there, as a hand would: the window hears that it comes and moves. False with an error, and the
 * server not grabbed:
 *   ERROR_POINT_OUTSIDE_WINDOW   the window is not there, or not on the screen there
 *   ERROR_BACKGROUND_UNAVAILABLE it cannot be uncovered
 */
bool reach_begin(struct reach *reach, struct device *device, struct x11_server *server,
	xcb_window_t target, struct screen_px point, GError **error);

/*
 * The same in parts, for a pointer that moves by itself (x11/real.c), with a reach that has `still` set. Grabs the
 * server and opens the way to the point, and to the pixel beside it that it comes from if that can be: `*sided`.
 * As reach_begin(), but our pointer stays where it is. reach_pause() closes the holes and lets the server go: it can
 * be opened again then.
 */
bool reach_open(struct reach *reach, struct screen_px side, bool *sided, GError **error);
void reach_pause(struct reach *reach);

/* The child of the root that is under our pointer now; 0: none. Takes a turn. */
xcb_window_t reach_under(struct device *device, struct x11_server *server);

/* Sends a press of the button that the window gets and its window manager does not, so many milliseconds later. */
void reach_press(struct reach *reach, unsigned button, unsigned after_ms);
void reach_release(struct reach *reach, unsigned button);

/*
 * Closes every hole and lets the server go. Takes a turn: what was sent has been taken then. Nobody but the window
 * hears of our pointer then, whatever is moved over it: it is parked, or held over the window, or where a menu may
 * want it rests over a window of our own (device_rest()).
 */
void reach_end(struct reach *reach);
/* Takes our pointer away from where it lingered, unless somebody has it by now. */
void reach_retire(struct device *device, struct x11_server *server);
/* Makes it everybody's where nobody hears of it, unless somebody has it: an application may take it
 * there. */
void reach_rest(struct device *device, struct x11_server *server);

#endif
