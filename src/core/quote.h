/* SPDX-License-Identifier: MIT */
#ifndef CORE_QUOTE_H
#define CORE_QUOTE_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * What an application, a file or a name on the disk says never becomes a word of the driver: in
 * every text, message and log it is part of one line, and where it stands in quotes it cannot end
 * them. In the driver's format strings,
 *
 *   "%s" in quotes   is what others say: quotes and backslashes are escaped as JSON does, so it can
 * be cut out of the line again; %s without       is a word of ours, or a text that was made here.
 *
 * Of both, line breaks, control characters (C0, DEL, C1), marks of direction and other invisible
 * ones (Cf) and U+2028/2029 are written as \n, \t or \uXXXX, what is no UTF-8 as U+FFFD, and what
 * is longer than its precision (in characters; 200 in quotes, 2000 without) ends in "…".
 */

/* Whether a character may stand in a line as it is. */
bool quote_is_plain(gunichar c);

/* Appends it as \uXXXX, as JSON does: as two halves beyond U+FFFF. */
void quote_append_code(GString *out, gunichar c);

/* Appends a text in quotes, of at most `longest` characters. */
void quote_append(GString *out, const char *text, unsigned longest);

/* printf() by these rules. It knows what the driver uses: % with flags, width, precision; h, l, ll,
 * z; d i u x c g f e s. */
void quote_vprintf(GString *out, const char *format, va_list args) G_GNUC_PRINTF(2, 0);
void quote_printf(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The caller frees these. */
char *quote_vformat(const char *format, va_list args) G_GNUC_PRINTF(1, 0);
char *quote_format(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* The same to a file: for what commands print. */
void quote_print(FILE *file, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Valid JSON, in whose strings such characters are \uXXXX: it means the same. The caller frees it.
 */
char *quote_json(const char *json);

/* A GLogWriterFunc: each message of a log is one line. */
GLogWriterOutput quote_log(
	GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data);

#endif
