/* SPDX-License-Identifier: MIT */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include <glib.h>
#include <stdbool.h>

#include "lab/lab.h"

/* Pressing a button with bare requests on a plain socket: what any way to press one is compared with. */
struct bare;

/* Containers that are asked who sits where before a press. */
#define BARE_SEATS 4

struct bare_target {
	struct lab_node node;
	char *seats[BARE_SEATS];   /* what it is in, what that is in, and so on; NULL: no more */
	int places[BARE_SEATS];    /* where in each */
};
void bare_target_clear(struct bare_target *target);

/* Fails the bench if there is no bus. */
struct bare *bare_open(struct lab_desk *desk);
void bare_close(struct bare *bare);

/* Hears from now on what the application of that node says of the effect of a press. */
void bare_listen(struct bare *bare, const struct lab_node *node);

/* A word with the bus, in which whatever has come so far is taken in. */
void bare_talk(struct bare *bare);

/* Gives applications time for what they do after a press, takes in whatever has come so far, and is silent for a while. */
void bare_drain(struct bare *bare);

/* Who contains the target, and where. */
void bare_find_seats(struct bare *bare, struct bare_target *target);

/* The event that shows the effect of a press. */
bool bare_wait(struct bare *bare);

/* DoAction, its answer and the event, in whichever order they come. */
bool bare_press(struct bare *bare, const struct lab_node *node, double *ms);

/* The same; first it is asked what nobody who wants to press the right button can leave out: is it what it was? */
bool bare_press_checked(struct bare *bare, const struct bare_target *target, double *ms);

/*
 * A process that does nothing but bare_press_checked(), by a private socket where there is one, when it is told to by a pipe,
 * and says so by another: the least that a server behind pipes could do. It has a connection of its own. NULL if it
 * cannot be started.
 */
struct bare_server;
struct bare_server *bare_serve(struct lab_desk *desk, const struct bare_target *target, const struct lab_node *again);
void bare_server_stop(struct bare_server *server);
/* From the byte that asks to the byte that answers; `again`: the other button. */
bool bare_server_press(struct bare_server *server, bool again, double *ms);

#endif
