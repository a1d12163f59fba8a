/* SPDX-License-Identifier: MIT */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdbool.h>
#include <sys/types.h>

#include "wire.h"

/*
 * The floor: the data of a get_window_state without picture, asked for by bare pipelined requests on a
 * plain socket and thrown away. It finds the application by its pid and reads the tree of its first
 * window; it knows nothing of X, keeps nothing but counts, and writes no JSON.
 */
struct floor;

/* What an application is asked; the toolkit decides, as it does in the driver. */
struct floor_way {
	bool cache;     /* has a cache worth asking for */
	bool chromium;  /* two actions a node, and only the first one's name has to be asked for */
	bool gtk3;      /* what a button can do is known */
	bool gtk4;      /* coordinates of the window; visible means showing */
	bool qt5;       /* what role and states tell is not asked for; in Chromium neither */
};

struct floor_result {
	int nodes;
	unsigned messages;
	double ms;
	bool ok;
};

struct floor *floor_new(const char *bus_address);
void floor_free(struct floor *floor);

/* Reads once. From the second time on over the application's own socket if it has one. */
struct floor_result floor_read(struct floor *floor, pid_t pid, struct floor_way way);

#endif
