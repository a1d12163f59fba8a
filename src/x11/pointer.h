/* SPDX-License-Identifier: MIT */
#ifndef X11_POINTER_H
#define X11_POINTER_H

#include "core/rung.h"
#include "x11/courtesy.h"
#include "x11/moveresize.h"
#include "x11/reach.h"

/*
 * What a hand does with a mouse, done with a pointer of our own. All of them take a device between
 * device_begin() and device_end(), and the window the point is in. See rung_impl.deliver for what they return.
 */
struct gesture {
	struct device *device;
	struct x11_server *server;
	xcb_window_t window;
	struct screen_px point;
	unsigned button;                   /* as X counts them: 1 left, 2 middle, 3 right, 4 to 7 the wheels */
	unsigned modifiers;                /* enum modifier bits, held meanwhile */
	xcb_window_t to_window;            /* drag: the window it ends in */
	bool real;                         /* with the kernel's pointer, which kernel_attach() has made */
	const char *toolkit;               /* of the window, for its quirks */
	const struct action *action;       /* which it is made for; NULL: its application cannot be asked */
	/*
	 * Where the application may hand its window over to the window manager in answer: the
	 * user's pointer and keyboard wait until that is known, so that nobody can take them, and
	 * it is ended. `asked` says what it wanted. NULL: it does not.
	 */
	struct moveresize_watch *handed;
	bool drops; /* something may be dropped: the keyboard waits, too, where the pointer does */
	struct deadline deadline;
};

/*
 * Gets the pointer back from a menu of another application that an earlier gesture opened, by closing it. False
 * with an error if it stays open.
 */
bool pointer_free(const struct gesture *gesture, pid_t pid, GError **error);

/* Presses and releases it so often. */
enum delivered pointer_click(const struct gesture *gesture, int count, GError **error);
/* The same once the last click of the device is long enough ago that both are not one double click, or one of three. */
enum delivered pointer_click_apart(const struct gesture *gesture, int count, GError **error);
/* Only goes there. */
enum delivered pointer_hover(const struct gesture *gesture, GError **error);
/* Presses it, or lets it go again. */
enum delivered pointer_down(const struct gesture *gesture, GError **error);
enum delivered pointer_up(const struct gesture *gesture, GError **error);

/*
 * What a drag is made of (x11/drag.c). Modifiers are held and let go again; a press leaves the user
 * kept still if `*frozen`, and where the window may be handed over listened to, both until
 * pointer_free_user().
 */
bool pointer_hold(const struct gesture *gesture, struct held *held, GError **error);
void pointer_let_go(const struct gesture *gesture, const struct held *held);
enum delivered pointer_press(const struct gesture *gesture, bool *frozen, GError **error);
enum delivered pointer_release(const struct gesture *gesture, GError **error);
void pointer_free_user(const struct gesture *gesture, bool frozen);
/* Whether the application has handed its window over so far; it gets at least so long. The server
 * is not grabbed. */
bool pointer_is_handed(const struct gesture *gesture, int least_ms);
/* Moves it while a button is down. */
bool pointer_move(const struct gesture *gesture, struct screen_px point, GError **error);
/* Waits as long as a hand takes for a step; false if the call was given up. */
bool pointer_pause(const struct gesture *gesture, gint64 until);

/* Presses it here and lets it go there; `*done` counts the steps that were made. */
enum delivered pointer_drag(const struct gesture *gesture, struct screen_px to, int steps, int ms,
	int *done, GError **error);

#endif
