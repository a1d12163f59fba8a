/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_PARCEL_H
#define ATSPI_PARCEL_H

#include <stdarg.h>

#include "atspi/message.h"

/* A message to be sent: its header. Strings are borrowed; NULL: without. */
struct parcel {
	enum message_type type;
	uint8_t flags;
	uint32_t serial, answers;
	const char *destination, *path, *interface, *member, *error;
};

/*
 * Appends it to `out`, with a body of those types: i, u, b, d, s, o, v (the types in it, then theirs) and as (their number,
 * then they); NULL for none. False, and nothing appended, if it has a path or text that D-Bus does not allow: who sends such a thing is
 * thrown off the bus.
 */
bool parcel_append(GByteArray *out, const struct parcel *parcel, const char *types, va_list args);

#endif
