/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_EAR_H
#define ATSPI_EAR_H

#include "core/past.h"

/*
 * Hears what applications say about their elements and notes it in the past. One thread with one
 * connection; it exists only while somebody is to be heard, because events that are asked for make
 * every application on the desktop speak.
 */
struct ear;

struct ear *ear_new(struct past *past);
void ear_free(struct ear *ear);

/* Hears this application, too; `address` is the bus it is on. Does not wait. */
void ear_attend(struct ear *ear, const char *address, const char *provider);

/*
 * Hears itself what comes until more has happened than `count`: who waits for an event needs nobody who was woken for it. As past_wait(),
 * but for what others note meanwhile; so only for a moment.
 */
bool ear_listen(struct ear *ear, guint64 count, struct deadline deadline);

/* Hears nobody any more. */
void ear_rest(struct ear *ear);

#endif
