/* SPDX-License-Identifier: MIT */
#ifndef X11_DROP_H
#define X11_DROP_H

#include "x11/pointer.h"

/* What a drag is measured by. */
struct journey {
	xcb_window_t source;       /* of a drag before it */
	xcb_window_t tops[2];      /* where something may be dropped: the frames of both ends */
};

/* The window of the application that drags something other programs could take; 0: nobody does.
 * Takes a turn. */
xcb_window_t drop_source(const struct gesture *gesture);

/*
 * A press goes on belonging to its window, whatever our pointer comes over. But what is dragged out
 * of a window is offered to the one that is seen at that place, and that may be the user's: whether
 * it is another one than those of the journey. Takes a few turns.
 */
bool drop_strays(const struct gesture *gesture, const struct journey *journey);

#endif
