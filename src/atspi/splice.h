/* SPDX-License-Identifier: MIT */
#ifndef ATSPI_SPLICE_H
#define ATSPI_SPLICE_H

#include <glib.h>

/*
 * Texts and offsets into them. The protocol counts characters; GTK, LibreOffice and Java do, Qt and Firefox count
 * UTF-16 units, of which an emoji has two. And InsertText's length is in bytes but for Qt.
 */
enum text_unit {
	UNIT_CHARACTER,
	UNIT_UTF16,
};

/* How a toolkit of that name (struct window) counts. */
enum text_unit splice_unit(const char *toolkit);

/* The text's length in units. */
int splice_length(const char *text, enum text_unit unit);

/* What InsertText of that toolkit wants to be told as the text's length. */
int splice_insert_length(const char *text, enum text_unit unit);

/* How many characters are in the first `units` of the text. */
int splice_characters(const char *text, int units, enum text_unit unit);

/* The part of the text from an offset to another, owned; offsets beyond the end mean the end. */
char *splice_part(const char *text, int from, int to, enum text_unit unit);

/* The text with the part from `from` to `to` replaced; owned. */
char *splice_replace(const char *text, int from, int to, const char *put, enum text_unit unit);

/* What an application told as text, valid and without the U+FEFF that Firefox puts behind an emoji; owned. */
char *splice_clean(const char *text, gssize length);

#endif
