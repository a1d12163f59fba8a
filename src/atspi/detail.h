/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_DETAIL_H
#define ATSPI_DETAIL_H

#include <stdbool.h>

/*
 * The second round of an object that is read, once it is known what it is: where it is, what it does, its
 * value and its text. What its role, states and toolkit tell is not asked for.
 */
struct node;

/* Asks; the answers are taken when the link is pumped. */
void detail_ask(struct node *node);

/* Whether a person can see it, or could if nothing covered it. */
bool detail_is_showing(const struct node *node);

/*
 * Toolkits that are known well enough to be asked for less. An object alone, and an overview, are asked
 * for the same everywhere.
 */
bool detail_is_frugal(const struct node *node);

#endif
