/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_CROWD_H
#define ATSPI_CROWD_H

#include "atspi/link.h"

/*
 * A container with more children than anybody can list: a sheet says it has two thousand million, and
 * asking for all of them hangs its application for good. Those that can be seen are found by looking at
 * points of it.
 */
struct crowd {
	struct link *link;
	const char *name, *path;  /* of the container; outlive the requests */
	uint32_t coords;          /* COORDS_SCREEN or COORDS_WINDOW */
	int count;                /* of its children, as it says */
	bool table;               /* has rows and columns */
	/* Called for each child that was found, in order; `place` is among all of them. */
	void (*found)(const char *name, const char *path, int place, void *data);
	void *data;
};

/* Asks, without waiting; answers are taken when the link is pumped. Copies the struct. */
void crowd_ask(const struct crowd *crowd);

#endif
