/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "atspi/splice.h"

#include <stdbool.h>
#include <string.h>

enum text_unit splice_unit(const char *toolkit)
{
	return g_str_has_prefix(toolkit, "qt") || strcmp(toolkit, "gecko") == 0 ? UNIT_UTF16 : UNIT_CHARACTER;
}

static int units_of(gunichar character, enum text_unit unit)
{
	return unit == UNIT_UTF16 && character > 0xffff ? 2 : 1;
}

int splice_length(const char *text, enum text_unit unit)
{
	int length = 0;
	for (; *text != '\0'; text = g_utf8_next_char(text)) {
		length += units_of(g_utf8_get_char(text), unit);
	}
	return length;
}

int splice_insert_length(const char *text, enum text_unit unit)
{
	return unit == UNIT_UTF16 ? splice_length(text, unit) : (int)strlen(text);
}

/* The place of an offset; one inside a character means its start. */
static const char *at(const char *text, int offset, enum text_unit unit)
{
	while (*text != '\0') {
		offset -= units_of(g_utf8_get_char(text), unit);
		if (offset < 0) {
			break;
		}
		text = g_utf8_next_char(text);
	}
	return text;
}

int splice_characters(const char *text, int units, enum text_unit unit)
{
	return (int)g_utf8_strlen(text, at(text, units, unit) - text);
}

char *splice_part(const char *text, int from, int to, enum text_unit unit)
{
	const char *start = at(text, from, unit), *end = at(text, to, unit);
	return end > start ? g_strndup(start, (gsize)(end - start)) : g_strdup("");
}

char *splice_replace(const char *text, int from, int to, const char *put, enum text_unit unit)
{
	g_autofree char *head = splice_part(text, 0, from, unit);
	return g_strconcat(head, put, at(text, MAX(from, to), unit), NULL);
}

char *splice_clean(const char *text, gssize length)
{
	char *valid = g_utf8_make_valid(text, length);
	char *to = valid;
	bool wide = false;
	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);
		/* The place where the second half was. */
		if (!wide || character != 0xfeff) {
			to += g_unichar_to_utf8(character, to);
		}
		wide = character > 0xffff;
	}
	*to = '\0';
	return valid;
}
