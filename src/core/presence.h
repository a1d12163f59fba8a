/* SPDX-License-Identifier: MIT */
#ifndef CORE_PRESENCE_H
#define CORE_PRESENCE_H

#include <stdbool.h>

/*
 * Whether a file is there, for who asks very often: while its folder tells of itself (inotify) the file system need not be asked,
 * and what was done to the folder before the question counts. For one thread at a time.
 */
struct presence;

struct presence *presence_new(const char *path);
bool presence_is(struct presence *presence);
/* Takes NULL. */
void presence_free(struct presence *presence);

#endif
