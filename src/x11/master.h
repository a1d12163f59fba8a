/* SPDX-License-Identifier: MIT */
#ifndef X11_MASTER_H
#define X11_MASTER_H

#include "x11/conn.h"

/*
 * Pairs of master devices that drivers add to a server. Each has one of eight places, which are
 * selections: a driver owns the selection of each of its pairs, and the server takes it away when the
 * driver's connection ends. A pair whose place nobody owns is an orphan. That works across machines and
 * containers, where a pid means nothing.
 *
 * All of these take turns of the server. Several drivers share it, so they are called while it is grabbed
 * wherever one depends on what another said.
 */
enum { MASTER_PLACES = 8, MASTER_NAME = 40 };

struct master {
	char name[MASTER_NAME];     /* it was added with; its devices are "NAME pointer", "NAME keyboard" */
	int place;                  /* -1: not a driver's */
	uint16_t pointer, keyboard; /* device ids */
};

/* The drivers' pairs that there are, struct master. The caller owns the array. */
GArray *masters_list(struct x11_server *server);
/* The pair of that name among them; false if there is none. */
bool masters_find(const GArray *masters, const char *name, struct master *found);

/* Which place a driver's device of that name is of; -1: it is no driver's. */
int master_place(const char *name);
/* What a pair of that place and driver is called. */
void master_name(char name[MASTER_NAME], int place, int pid);
/* Sends it; look with masters_list(). */
void master_add(struct x11_server *server, const char *name);
void master_remove(struct x11_server *server, const struct master *master);

/* The windows that own the places; 0: nobody does. */
void master_owners(struct x11_server *server, xcb_window_t owners[MASTER_PLACES]);
void master_own(struct x11_server *server, int place, xcb_window_t owner);

/* Those whose place nobody owns, struct master. The caller owns the array. */
GArray *masters_orphans(struct x11_server *server);

#endif
