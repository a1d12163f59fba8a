/* SPDX-License-Identifier: MIT */
#ifndef X11_X11_H
#define X11_X11_H

#include "core/deadline.h"
#include "core/picture.h"
#include "core/platform.h"
#include "core/window.h"

/*
 * What the driver sees of an X server: windows, pixels, pointer, focus. Nothing here sends input, and only
 * x11_place() and x11_activate() change what the user sees.
 *
 * One connection serves all threads; every function may be called from any thread, several at once,
 * and takes turns on it. None of them outlasts its deadline, also while the server is stopped. They
 * fail with an error of the CUA_ERROR domain:
 *   ERROR_NO_DISPLAY         cannot connect, or the server went away (the next call connects again)
 *   ERROR_DEADLINE_EXCEEDED  the server did not answer in time
 *   ERROR_CANCELLED          the deadline's cancellable fired
 */
struct x11;

/*
 * An observer of `display` (NULL: what $DISPLAY says now). Never blocks and never fails: the
 * connection is made by the first call that needs it.
 */
struct x11 *x11_new(const char *display);

/* Closes the connection. No other call may be running. NULL is allowed. */
void x11_destroy(struct x11 *x11);

/*
 * All windows, back to front: what the window manager manages (also minimised or on other
 * workspaces) and what it does not (open menus, popups, tooltips). A window that vanishes meanwhile
 * is left out. The caller owns the list.
 */
GPtrArray *x11_windows(struct x11 *x11, struct deadline deadline, GError **error);

/* The span of all monitors. The caller clears `screen` with screen_clear(). */
bool x11_screen(struct x11 *x11, struct deadline deadline, struct screen *screen, GError **error);

/* Where the user's pointer is; the agent's own pointers do not count. */
bool x11_pointer(struct x11 *x11, struct deadline deadline, struct screen_px *point,
	GError **error);

/*
 * What a person would see of the window if nothing covered it and all of it were on the screen: the
 * client area, without the frame, `window->id` being all that is looked at. The caller owns the
 * picture. A window that painted nothing since the version the caller has is not read again.
 *   ERROR_WINDOW_NOT_FOUND  it is gone
 *   ERROR_NO_PICTURE   it has no pixels (minimised, not mapped) or none the driver can read
 *
 * The windows captured last stay redirected, eight at most, which makes the next picture cheap and
 * costs the server a pixmap each; x11_rest() lets go of them.
 */
bool x11_capture(struct x11 *x11, const struct window *window, struct capture *capture,
	struct deadline deadline, GError **error);

/* What the user sees: all monitors, with whatever covers what. */
struct picture *x11_capture_screen(struct x11 *x11, struct deadline deadline, GError **error);

/* The slots place, activate and focused of struct platform_impl. */
bool x11_place(struct x11 *x11, const struct window *window, struct placement *placement,
	struct deadline deadline, GError **error);
bool x11_activate(struct x11 *x11, const struct window *window, bool again, struct deadline deadline,
	GError **error);
bool x11_focused(struct x11 *x11, const struct window *window, struct deadline deadline);

/* How long ago the user pressed a key, in ms; G_MAXUINT if the server cannot tell. */
unsigned x11_typing(struct x11 *x11, struct deadline deadline);

/* Gives back what captures keep on the server. To be called when no capture is expected soon. */
bool x11_rest(struct x11 *x11, struct deadline deadline, GError **error);

/*
 * The text of a property of the root window, valid UTF-8, or NULL without an error if there is
 * none. The caller frees it.
 */
char *x11_root_text(struct x11 *x11, const char *property, struct deadline deadline,
	GError **error);

#endif
