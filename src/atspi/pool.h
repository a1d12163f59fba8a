/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_POOL_H
#define ATSPI_POOL_H

#include "atspi/link.h"

/* What all users of the accessibility bus share: its address and idle connections. */
struct atspi {
	GMutex mutex;
	char *address;      /* of the accessibility bus; NULL until found */
	GQueue idle;        /* struct link */
	char *(*root_address)(void *data, struct deadline deadline);
	void *data;
};

/* A connection for the caller alone. Give it back with pool_return(). */
struct link *pool_borrow(struct atspi *atspi, struct deadline deadline, GError **error);

/* Takes it back for the next one, or closes it if it is broken. Takes NULL. */
void pool_return(struct atspi *atspi, struct link *link);

#endif
