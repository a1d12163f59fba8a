/* SPDX-License-Identifier: MIT */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

/* Edits (insert, delete, replace) between two short words; words over 63 bytes are cut. */
int nearest_distance(const char *a, const char *b);

/*
 * The distance if `candidate` is close enough to `word` to be what was meant and closer than `best`;
 * otherwise -1. Start with a large `best`.
 */
int nearest_better(const char *word, const char *candidate, int best);

#endif
