/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_XLIB_H
#define HARNESS_XLIB_H

#include <X11/Xlib.h>
#include <stdbool.h>

/* What the Xaw harness and the bare canvas share: raw X events into the journal. */

/* Every core event that input can cause. */
#define XLIB_INPUT_MASK \
	(KeyPressMask | KeyReleaseMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask | \
		EnterWindowMask | LeaveWindowMask | FocusChangeMask)

/* Also notes which device pressed a button, where the X Input extension tells. `sent`: it came by
 * XSendEvent. Other events than those of the mask are ignored. */
void xlib_journal(XEvent *event, const char *control, bool sent);

/* Learns from raw events which devices press. Selecting the extension's own events on a window
 * would keep the core ones from it. */
void xlib_devices_init(Display *display);
/* True if the event was one of those; it is done with then. */
bool xlib_devices_event(XEvent *event);

unsigned long xlib_colour(Display *display, const char *name);

/* A window without any toolkit, for pixels. Returns the exit code. */
int canvas_main(int argc, char **argv);

#endif
