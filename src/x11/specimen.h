/* SPDX-License-Identifier: MIT */
#ifndef X11_SPECIMEN_H
#define X11_SPECIMEN_H

#include "x11/x11.h"

/*
 * A small window of our own, to try out whether windows can be captured and are heard of. No window
 * manager sees it, it is below all other windows, and it never takes the focus. One at a time a display.
 */
enum { SPECIMEN_SIZE = 32 };

/* Shows it; returns its id, 0 with an error. */
guint64 specimen_open(struct x11 *x11, struct deadline deadline, GError **error);
bool specimen_close(struct x11 *x11, struct deadline deadline, GError **error);

/* Whether the picture is that of the window: four squares, black and white. */
bool specimen_matches(const struct picture *picture);

#endif
