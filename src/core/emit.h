/* SPDX-License-Identifier: MIT */
#ifndef CORE_EMIT_H
#define CORE_EMIT_H

#include <glib.h>
#include <stdbool.h>

/*
 * Appends JSON to a string. Written once, front to back, without building a document first: a
 * snapshot has thousands of small values. `name` is the member's name inside an object and NULL
 * inside an array or at the top, and has nothing to escape. Commas come by themselves. What clients send is read by
 * core/datum.h; this only writes.
 */
void emit_open(GString *out, const char *name, char kind); /* kind: '{' or '[' */
void emit_close(GString *out, char kind);                  /* kind: '}' or ']' */
/* Invalid UTF-8 is replaced, control characters are escaped; NULL is written as null. */
void emit_string(GString *out, const char *name, const char *value);
void emit_int(GString *out, const char *name, gint64 value);
/* Not a number and infinity become null. */
void emit_number(GString *out, const char *name, double value);
void emit_bool(GString *out, const char *name, bool value);
void emit_null(GString *out, const char *name);
/* A value that is JSON already. */
void emit_raw(GString *out, const char *name, const char *value, gssize length);

#endif
