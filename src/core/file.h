/* SPDX-License-Identifier: MIT */
#ifndef CORE_FILE_H
#define CORE_FILE_H

#include <glib.h>

/*
 * A whole file whose path others choose: only a regular one, so that no pipe makes us wait and no
 * device goes on for ever, and of at most `most` bytes. Behind it stands a zero that is not
 * counted. NULL with an error of G_FILE_ERROR; the caller frees it.
 */
char *file_read(const char *path, gsize most, gsize *length, GError **error);

/* Where the links end that `path` is one of; what does not exist may be there. The caller frees it.
 */
char *file_target(const char *path);

#endif
