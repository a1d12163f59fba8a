/* SPDX-License-Identifier: MIT */
#ifndef CORE_GALLERY_H
#define CORE_GALLERY_H

#include "core/frame.h"
#include "core/window.h"

/*
 * The last picture of each window as it was handed out: a window that has not painted since is not
 * captured and encoded again, and one that is minimised can still be shown. Bounded; any thread.
 */
struct gallery;

struct gallery_picture {
	guint64 version;     /* what the platform called it; 0: it may have changed unnoticed */
	int limit;           /* max_image_dimension it was made for */
	struct frame frame;
	GBytes *png;
};

struct gallery *gallery_new(void);
void gallery_free(struct gallery *gallery);

/* The picture of that window of that process; the caller owns a reference to its bytes. */
bool gallery_find(struct gallery *gallery, const struct window *window,
	struct gallery_picture *picture);

/* Keeps a picture instead of the window's last one; takes a reference to its bytes. */
void gallery_keep(struct gallery *gallery, const struct window *window,
	const struct gallery_picture *picture);

#endif
