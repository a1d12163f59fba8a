/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_BREAKER_H
#define ATSPI_BREAKER_H

#include "atspi/pool.h"

/*
 * An application that was silent once is likely to be silent again: it is asked one cheap question
 * before everything else, and given less time for it than for real ones.
 */

/* Notes that the application of that bus name did not answer in time. */
void breaker_trip(struct atspi *atspi, const char *application);

/* Whether it did not the last time. */
bool breaker_is_open(struct atspi *atspi, const char *application);

/*
 * True if it answers, or there is no reason to doubt it; otherwise ERROR_APP_UNRESPONSIVE, and the link
 * is broken. `path` is the application's own object.
 */
bool breaker_try(struct atspi *atspi, struct link *link, const char *application, const char *path,
	struct deadline deadline, GError **error);

#endif
