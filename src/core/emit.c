/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/emit.h"

#include <math.h>
#include <string.h>

/* Writes the string of length `length`, which is valid UTF-8. */
static void quote(GString *out, const char *text, gsize length)
{
	g_string_append_c(out, '"');
	const char *end = text + length, *plain = text;
	for (const char *at = text; at < end; at++) {
		unsigned char c = (unsigned char)*at;
		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
			continue;
		}
		g_string_append_len(out, plain, at - plain);
		plain = at + 1;
		switch (c) {
		case '"':
			g_string_append(out, "\\\"");
			break;
		case '\\':
			g_string_append(out, "\\\\");
			break;
		case '\n':
			g_string_append(out, "\\n");
			break;
		case '\t':
			g_string_append(out, "\\t");
			break;
		default:
			g_string_append_printf(out, "\\u%04x", c);
		}
	}
	g_string_append_len(out, plain, end - plain);
	g_string_append_c(out, '"');
}

/* What stands before a value: a comma unless it is the first, and its name. */
static void lead(GString *out, const char *name)
{
	char last = out->len > 0 ? out->str[out->len - 1] : '[';
	if (last != '{' && last != '[' && last != ':') {
		g_string_append_c(out, ',');
	}
	if (name != NULL) {
		quote(out, name, strlen(name));
		g_string_append_c(out, ':');
	}
}

void emit_open(GString *out, const char *name, char kind)
{
	lead(out, name);
	g_string_append_c(out, kind);
}

void emit_close(GString *out, char kind)
{
	g_string_append_c(out, kind);
}

void emit_string(GString *out, const char *name, const char *value)
{
	if (value == NULL) {
		emit_null(out, name);
		return;
	}
	lead(out, name);
	gsize length = strlen(value);
	if (g_utf8_validate_len(value, length, NULL)) {
		quote(out, value, length);
	} else {
		g_autofree char *valid = g_utf8_make_valid(value, (gssize)length);
		quote(out, valid, strlen(valid));
	}
}

void emit_int(GString *out, const char *name, gint64 value)
{
	lead(out, name);
	g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
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
	g_string_append(out, value ? "true" : "false");
}

void emit_null(GString *out, const char *name)
{
	lead(out, name);
	g_string_append(out, "null");
}

void emit_raw(GString *out, const char *name, const char *value, gssize length)
{
	lead(out, name);
	g_string_append_len(out, value, length);
}
