/* SPDX-License-Identifier: MIT */
#ifndef CORE_LENS_H
#define CORE_LENS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/frame.h"

struct answer;
struct call;
struct window;

/*
 * What pixels mean that a caller names: how the last picture and the last zoom that a session was
 * given of a window lay on that window. Any thread.
 */
struct lenses;

enum lens {
	LENS_PICTURE,
	LENS_ZOOM,
};

struct lenses *lenses_new(void);
void lenses_free(struct lenses *lenses);

/*
 * Notes a picture of the call's window that is handed out; `frame->window` is what of the screen it
 * shows, `size` how large the window was. A new picture ends the zooms into the earlier one.
 */
void lens_keep(struct call *call, enum lens lens, const struct frame *frame,
	struct screen_rect window);

/* The picture just noted came without a tree; whether the last one did. */
void lens_keep_alone(struct call *call);
bool lens_is_alone(struct call *call);

/*
 * The same of a picture of the whole screen, which is never scaled down. Resolving fails the answer if the point
 * is not on the screen, or if the screen has another size than in the picture.
 */
void lens_keep_screen(struct call *call, int width, int height);
bool lens_resolve_screen(struct call *call, struct shot_px point, struct screen_px *place);

/* The window as it was when the last picture of it was taken, for the caller to free; NULL if none was. `pid` 0: anybody's. */
struct window *lenses_window(struct lenses *lenses, guint64 window, pid_t pid);

/* Whether pixels of a picture from then mean something now; false with a failed answer. */
bool lens_fits(struct screen_rect then, struct screen_rect now, struct answer *answer);

/* How the last picture lies on the window; false if there was none. */
bool lens_find(struct call *call, enum lens lens, struct frame *frame);

/*
 * The place in the call's window, as it is now, that a pixel of the last picture (or zoom) shows. The
 * window may have been moved since, but not resized. False with a failed answer.
 */
bool lens_resolve(struct call *call, enum lens lens, struct shot_px point, struct window_px *place);

#endif
