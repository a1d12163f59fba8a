/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "x11/property.h"

/*
 * COMPOUND_TEXT is ISO 2022 with a few fixed character sets. Old toolkits title their windows in it
 * when the title does not fit Latin-1. What cannot be converted becomes U+FFFD, never an error.
 */

#define UNKNOWN "\xef\xbf\xbd" /* U+FFFD */

enum { ESCAPE = 0x1b, START_OF_TEXT = 0x02 };

/* What an escape sequence puts into one half of the code space. */
struct charset {
	const char *escape;  /* after ESC; its first bytes say which half and how wide */
	const char *iconv;   /* NULL: ASCII */
	bool right;          /* bytes 0xa0 and up */
	bool high;           /* iconv wants the high bit set */
};

static const struct charset charsets[] = {
	{ "(B", NULL, false, false },
	{ "(J", NULL, false, false },
	{ ")B", NULL, true, false },
	{ "-A", "ISO-8859-1", true, true },
	{ "-B", "ISO-8859-2", true, true },
	{ "-C", "ISO-8859-3", true, true },
	{ "-D", "ISO-8859-4", true, true },
	{ "-F", "ISO-8859-7", true, true },
	{ "-G", "ISO-8859-6", true, true },
	{ "-H", "ISO-8859-8", true, true },
	{ "-L", "ISO-8859-5", true, true },
	{ "-M", "ISO-8859-9", true, true },
	{ "-V", "ISO-8859-10", true, true },
	{ "-Y", "ISO-8859-13", true, true },
	{ "-_", "ISO-8859-14", true, true },
	{ "-b", "ISO-8859-15", true, true },
	{ ")I", "SHIFT_JIS", true, true },
	{ "$(A", "EUC-CN", false, true },
	{ "$)A", "EUC-CN", true, true },
	{ "$(B", "EUC-JP", false, true },
	{ "$)B", "EUC-JP", true, true },
	{ "$(C", "EUC-KR", false, true },
	{ "$)C", "EUC-KR", true, true },
};

static void append_converted(GString *text, const char *bytes, gsize length, const char *from)
{
	g_autofree char *utf8 = g_convert_with_fallback(bytes, (gssize)length, "UTF-8", from, UNKNOWN,
		NULL, NULL, NULL);
	g_string_append(text, utf8 != NULL ? utf8 : UNKNOWN);
}

static void append_run(GString *text, const char *bytes, gsize length, const struct charset *set)
{
	if (set == NULL || set->iconv == NULL) {
		g_string_append_len(text, bytes, (gssize)length);
		return;
	}
	g_autofree char *copy = g_memdup2(bytes, length);
	for (gsize i = 0; set->high && i < length; i++) {
		copy[i] = (char)(copy[i] | 0x80);
	}
	append_converted(text, copy, length, set->iconv);
}

/*
 * ESC % / F M L name STX bytes: a segment in a character set that is named in it; M and L are its
 * length. Returns how many bytes it takes, 0 if it is broken.
 */
static gsize extended_segment(GString *text, const char *at, gsize left)
{
	if (left < 6) {
		return 0;
	}
	gsize length = (gsize)((guchar)at[4] & 0x7f) * 128 + ((guchar)at[5] & 0x7f);
	const char *name = at + 6;
	if (length > left - 6) {
		return 0;
	}
	const char *start = memchr(name, START_OF_TEXT, length);
	if (start != NULL) {
		g_autofree char *from = g_strndup(name, (gsize)(start - name));
		append_converted(text, start + 1, length - (gsize)(start + 1 - name), from);
	}
	return 6 + length;
}

static const struct charset *find(const char *escape, gsize left)
{
	for (gsize i = 0; i < G_N_ELEMENTS(charsets); i++) {
		gsize length = strlen(charsets[i].escape);
		if (length <= left && memcmp(escape, charsets[i].escape, length) == 0) {
			return &charsets[i];
		}
	}
	return NULL;
}

static bool starts(const char *at, gsize left, const char *with)
{
	return left >= strlen(with) && memcmp(at, with, strlen(with)) == 0;
}

/* How many bytes from `at` on belong to the same half. */
static gsize run_length(const char *at, const char *end)
{
	const char *p = at + 1;
	while (p < end && *p != ESCAPE && ((guchar)*p >= 0x80) == ((guchar)*at >= 0x80)) {
		p++;
	}
	return (gsize)(p - at);
}

char *x11_compound_text(const char *bytes, gsize length)
{
	GString *text = g_string_sized_new(length);
	const struct charset *left = &charsets[0], *right = &charsets[3];
	const char *at = bytes, *end = bytes + length;
	while (at < end) {
		gsize rest = (gsize)(end - at), used = 0;
		if (*at != ESCAPE) {
			used = run_length(at, end);
			append_run(text, at, used, (guchar)*at >= 0x80 ? right : left);
		} else if (starts(at, rest, "\x1b%G")) {
			/* UTF-8 until ESC % @ */
			const char *stop = g_strstr_len(at, (gssize)rest, "\x1b%@");
			used = stop != NULL ? (gsize)(stop - at) + 3 : rest;
			g_string_append_len(text, at + 3, (gssize)(used - (stop != NULL ? 6 : 3)));
		} else if (starts(at, rest, "\x1b%/")) {
			used = extended_segment(text, at, rest);
		} else {
			const struct charset *set = find(at + 1, rest - 1);
			if (set != NULL) {
				*(set->right ? &right : &left) = set;
				used = 1 + strlen(set->escape);
			}
		}
		at += used > 0 ? used : 1;
	}
	char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
	g_string_free(text, TRUE);
	return valid;
}
