/* SPDX-License-Identifier: MIT */
#ifndef CORE_ARGS_H
#define CORE_ARGS_H

#include "core/answer.h"
#include "core/datum.h"
#include "core/tool.h"

/*
 * The checked arguments of one call. Asking for a name that is not in the tool's table, or by the
 * wrong type, is a programming error and ends the program.
 */
struct args;

/*
 * Checks `object` (NULL: no arguments) against the tool's table. Returns NULL and fails the answer
 * with ERROR_INVALID_ARGUMENTS, naming the argument, what was given and what is accepted.
 */
struct args *args_parse(const struct tool *tool, const struct datum *object, struct answer *answer);
void args_free(struct args *args);

/* Whether the tool takes an argument of that name at all. */
bool args_knows(const struct args *args, const char *name);

/* Whether the caller gave it; presets do not count. */
bool args_has(const struct args *args, const char *name);

/* The same where the tool need not know it. */
bool args_given(const struct args *args, const char *name);

/* The value given, else the preset, else 0, false or NULL. Strings are borrowed. */
gint64 args_int(const struct args *args, const char *name);
bool args_bool(const struct args *args, const char *name);
const char *args_string(const struct args *args, const char *name);

/* A list as given, borrowed; NULL if it was not. */
const char *const *args_strings(const struct args *args, const char *name);

/* The checked fields of an object, borrowed; NULL if it was not given. */
const struct args *args_object(const struct args *args, const char *name);
/* The same of a list of objects: struct args, borrowed; NULL if it was not given. */
const GPtrArray *args_objects(const struct args *args, const char *name);

/*
 * Makes absolute what names a file relative to `folder`, which is the caller's; "~" stays. False
 * with a failed answer if one is relative and the folder is not known (NULL).
 */
bool args_resolve(struct args *args, const char *folder, struct answer *answer);

#endif
