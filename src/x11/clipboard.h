/* SPDX-License-Identifier: MIT */
#ifndef X11_CLIPBOARD_H
#define X11_CLIPBOARD_H

#include <xcb/xcb.h>

#include "core/platform.h"
#include "core/session.h"

/*
 * The selection CLIPBOARD: what others offer there, and what sessions of ours do. Whoever offers answers for it as
 * long as others ask, so each offer is a thread with a connection of its own, and so is each look at what somebody
 * else offers: an owner that does not answer holds up nobody. Nothing here is ever shown or focused.
 */
struct clipboard;

struct clipboard *clipboard_new(const char *display);
/* Ends what is offered. No session may be left. */
void clipboard_free(struct clipboard *clipboard);

/* The slots clip_types, clip_read and clip_write of struct platform_impl. */
GPtrArray *clipboard_types(struct clipboard *clipboard, struct deadline deadline, GError **error);
GBytes *clipboard_read(struct clipboard *clipboard, const char *type, gsize most, struct deadline deadline,
	GError **error);
bool clipboard_write(struct clipboard *clipboard, struct session *session, const GPtrArray *clips,
	struct deadline deadline, GError **error);

/* The atom of that name. Waits for the server: for the threads of this file and of offer.c only. */
xcb_atom_t clipboard_atom(xcb_connection_t *c, const char *name);

/* An offer (offer.c). It ends when somebody else offers something, or by offer_stop(), which does not wait. */
struct offer;
struct offer *offer_new(const char *display, const GPtrArray *clips);
/* Waits until it is the one that counts. */
bool offer_wait(struct offer *offer, struct deadline deadline, GError **error);
void offer_stop(struct offer *offer);
/* Waits until it has ended, at most until the deadline. */
void offer_join(struct offer *offer, struct deadline deadline);
void offer_unref(struct offer *offer);

#endif
