/* SPDX-License-Identifier: MIT */
#ifndef X11_NOTICE_H
#define X11_NOTICE_H

#include <glib.h>

/* What the driver tells its guardian, one packet each. */
enum notice_kind {
	NOTICE_HELLO, /* are you there? And from it, once: I am */
	NOTICE_ADD, /* a connection to the display; its socket comes along */
	NOTICE_REMOVE, /* it is closed */
	NOTICE_GRAB, /* it grabs the server; `stamp` is in the log until that is over */
	NOTICE_STAND, /* the user's keyboard may stop for it at any time: the driver must not stand
			 still */
	NOTICE_HOLD, /* the same for now, and only that connection is to be broken; `stamp` 0: not
			any more */
};

struct notice {
	gint kind;
	gint connection;
	gint stamp;
};

/* The descriptors a guardian is born with. */
enum { GUARDIAN_SOCKET = 3, GUARDIAN_MEMORY = 4 };

#endif
