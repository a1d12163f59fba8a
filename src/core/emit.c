/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/emit.h"

#include <math.h>
#include <string.h>

#include "core/quote.h"

/* What g_string_append_len() does, without a call where there is room. */
static inline void put(GString *out, const char *text, gsize length)
{
	if (out->allocated_len - out->len <= length) {
		g_string_append_len(out, text, (gssize)length);
		return;
	}
	memcpy(out->str + out->len, text, length);
	out->len += length;
	out->str[out->len] = '\0';
}

static inline void put_char(GString *out, char c)
{
	put(out, &c, 1);
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

/* Whether it is ASCII without anything to escape, as most strings are. */
static bool is_simple(const char *text, gsize length)
{
	gsize at = 0;
	while (at < length && is_plain((unsigned char)text[at]) && (unsigned char)text[at] < 0x80) {
		at++;
	}
	return at == length;
}

/* Writes the string of length `length`, which is valid UTF-8: what turns or ends a line only where
 * it is shown, too. */
static void escape(GString *out, const char *text, gsize length)
{
	const char *end = text + length, *plain = text, *next;
	for (const char *at = text; at < end; at = next) {
		next = g_utf8_next_char(at);
		gunichar c = (unsigned char)*at < 0x80 ? (unsigned char)*at : g_utf8_get_char(at);
		if (c < 0x80 ? is_plain((unsigned char)c) : quote_is_plain(c)) {
			continue;
		}
		put(out, plain, (gsize)(at - plain));
		plain = next;
		switch (*at) {
		case '"':
			put(out, "\\\"", 2);
			break;
		case '\\':
			put(out, "\\\\", 2);
			break;
		case '\n':
			put(out, "\\n", 2);
			break;
		case '\t':
			put(out, "\\t", 2);
			break;
		default:
			quote_append_code(out, c);
		}
	}
	put(out, plain, (gsize)(end - plain));
}

/* What stands before a value: a comma unless it is the first, and its name. */
static void lead(GString *out, const char *name)
{
	char last = out->len > 0 ? out->str[out->len - 1] : '[';
	if (last != '{' && last != '[' && last != ':') {
		put_char(out, ',');
	}
	if (name != NULL) {
		put_char(out, '"');
		put(out, name, strlen(name));
		put(out, "\":", 2);
	}
}

void emit_open(GString *out, const char *name, char kind)
{
	lead(out, name);
	put_char(out, kind);
}

void emit_close(GString *out, char kind)
{
	put_char(out, kind);
}

void emit_string(GString *out, const char *name, const char *value)
{
	if (value == NULL) {
		emit_null(out, name);
		return;
	}
	lead(out, name);
	gsize length = strlen(value);
	put_char(out, '"');
	if (is_simple(value, length)) {
		put(out, value, length);
	} else if (g_utf8_validate_len(value, length, NULL)) {
		escape(out, value, length);
	} else {
		g_autofree char *valid = g_utf8_make_valid(value, (gssize)length);
		escape(out, valid, strlen(valid));
	}
	put_char(out, '"');
}

void emit_int(GString *out, const char *name, gint64 value)
{
	lead(out, name);
	/* Snapshots and answers are full of them, and printf() takes its time. */
	char digits[20];
	gsize at = sizeof digits;
	guint64 rest = value < 0 ? -(guint64)value : (guint64)value;
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (value < 0) {
		digits[--at] = '-';
	}
	put(out, digits + at, sizeof digits - at);
}

void emit_number(GString *out, const char *name, double value)
{
	if (!isfinite(value)) {
		emit_null(out, name);
		return;
	}
	lead(out, name);
	/* The shortest of the two spellings that reads back as the same number. */
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(text, sizeof text, "%.15g", value);
	if (g_ascii_strtod(text, NULL) != value) {
		g_ascii_dtostr(text, sizeof text, value);
	}
	g_string_append(out, text);
}

void emit_bool(GString *out, const char *name, bool value)
{
	lead(out, name);
	put(out, value ? "true" : "false", value ? 4 : 5);
}

void emit_null(GString *out, const char *name)
{
	lead(out, name);
	put(out, "null", 4);
}

void emit_raw(GString *out, const char *name, const char *value, gssize length)
{
	lead(out, name);
	put(out, value, length < 0 ? strlen(value) : (gsize)length);
}
