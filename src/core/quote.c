/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/quote.h"

#include <string.h>

#define LONGEST_QUOTED 200
#define LONGEST_PLAIN 2000

/* Passed by its address: a va_list may be an array. */
struct arguments {
	va_list list;
};

/* One conversion of a format. */
struct spec {
	char text[32];           /* as printf() takes it, its precision and width resolved */
	int width, precision;    /* -1: none */
	char size;               /* of the argument: 0, 'l', 'q' for ll, 'z' */
	char type;
};

bool quote_is_plain(gunichar c)
{
	if (c < 0x80) {
		return c >= 0x20 && c != 0x7f;
	}
	/* Most of what is not ASCII: letters of Europe, and of East Asia. */
	if ((c > 0xad && c < 0x600) || (c >= 0x2e80 && c < 0xd800)) {
		return true;
	}
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_FORMAT:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
	case G_UNICODE_SURROGATE:
		return false;
	default:
		return true;
	}
}

void quote_append_code(GString *out, gunichar c)
{
	if (c > 0xffff) {
		/* As JSON does: what is in quotes can be read by its rules. */
		g_string_append_printf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
			0xdc00 + ((c - 0x10000) & 0x3ff));
	} else {
		g_string_append_printf(out, "\\u%04x", c);
	}
}

static void append_escaped(GString *out, const char *text, unsigned longest, bool quoted)
{
	unsigned count = 0;
	for (const char *at = text; *at != '\0';) {
		gunichar c = g_utf8_get_char_validated(at, -1);
		bool valid = c < 0x110000;
		if (++count > longest) {
			g_string_append(out, "…");
			break;
		}
		if (!valid) {
			g_string_append(out, "\xef\xbf\xbd");
		} else if (c == '\n') {
			g_string_append(out, "\\n");
		} else if (c == '\t') {
			g_string_append(out, "\\t");
		} else if (quoted && (c == '"' || c == '\\')) {
			g_string_append_c(out, '\\');
			g_string_append_c(out, (char)c);
		} else if (quote_is_plain(c)) {
			g_string_append_len(out, at, g_utf8_next_char(at) - at);
		} else {
			quote_append_code(out, c);
		}
		at = valid ? g_utf8_next_char(at) : at + 1;
	}
}

void quote_append(GString *out, const char *text, unsigned longest)
{
	g_string_append_c(out, '"');
	append_escaped(out, text, longest, true);
	g_string_append_c(out, '"');
}

char *quote_json(const char *json)
{
	GString *out = g_string_new(NULL);
	for (const char *at = json; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		if (c == '\n' || quote_is_plain(c)) {
			g_string_append_len(out, at, g_utf8_next_char(at) - at);
		} else {
			quote_append_code(out, c);
		}
	}
	return g_string_free(out, FALSE);
}

void quote_print(FILE *file, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = quote_vformat(format, args);
	va_end(args);
	fputs(text, file);
}

GLogWriterOutput quote_log(
	GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data)
{
	g_autofree GLogField *copy = g_memdup2(fields, count * sizeof *fields);
	g_autofree char *line = NULL;
	for (gsize i = 0; i < count; i++) {
		if (strcmp(fields[i].key, "MESSAGE") == 0 && line == NULL) {
			g_autofree char *message = fields[i].length < 0 ? g_strdup(fields[i].value)
				: g_strndup(fields[i].value, (gsize)fields[i].length);
			line = quote_format("%s", message);
			copy[i].value = line;
			copy[i].length = -1;
		}
	}
	return g_log_writer_default(level, copy, count, data);
}

/* --- Formats ---------------------------------------------------------------------------------- */

static int take_number(const char **at, struct arguments *args)
{
	if (**at == '*') {
		++*at;
		return va_arg(args->list, int);
	}
	int number = 0;
	while (g_ascii_isdigit(**at)) {
		number = number * 10 + *(*at)++ - '0';
	}
	return number;
}

/* Reads a conversion; `at` is behind its %. Returns what is behind it. */
static const char *parse(const char *at, struct arguments *args, struct spec *spec)
{
	char flags[8] = "";
	gsize length = strspn(at, "-+ #0");
	*spec = (struct spec){ .width = -1, .precision = -1 };
	g_strlcpy(flags, at, MIN(length + 1, sizeof flags));
	at += length;
	if (*at == '*' || g_ascii_isdigit(*at)) {
		spec->width = take_number(&at, args);
	}
	if (*at == '.') {
		at++;
		spec->precision = take_number(&at, args);
	}
	while (strchr("hlz", *at) != NULL && *at != '\0') {
		spec->size = *at == 'h' ? '\0' : spec->size == 'l' ? 'q' : *at;
		at++;
	}
	spec->type = *at;
	g_autofree char *width = spec->width >= 0 ? g_strdup_printf("%d", spec->width)
						  : g_strdup("");
	g_autofree char *precision = spec->precision >= 0 ? g_strdup_printf(".%d", spec->precision)
							  : g_strdup("");
	g_snprintf(spec->text, sizeof spec->text, "%%%s%s%s%s%c", flags, width, precision,
		spec->size == 'q'           ? "ll"
			: spec->size == 'l' ? "l"
			: spec->size == 'z' ? "z"
					    : "",
		spec->type);
	return *at != '\0' ? at + 1 : at;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* The same conversion, with an argument of its type. */
static void append_number(GString *out, const struct spec *spec, struct arguments *args)
{
	if (strchr("gfe", spec->type) != NULL) {
		g_string_append_printf(out, spec->text, va_arg(args->list, double));
	} else if (spec->size == 'q') {
		g_string_append_printf(out, spec->text, va_arg(args->list, long long));
	} else if (spec->size == 'l') {
		g_string_append_printf(out, spec->text, va_arg(args->list, long));
	} else if (spec->size == 'z') {
		g_string_append_printf(out, spec->text, va_arg(args->list, gsize));
	} else {
		g_string_append_printf(out, spec->text, va_arg(args->list, int));
	}
}
#pragma GCC diagnostic pop

static void append_string(
	GString *out, const struct spec *spec, struct arguments *args, bool quoted)
{
	const char *text = va_arg(args->list, const char *);
	gsize before = out->len;
	append_escaped(out, text != NULL ? text : "(null)",
		spec->precision >= 0 ? (unsigned)spec->precision
			: quoted     ? LONGEST_QUOTED
				     : LONGEST_PLAIN,
		quoted);
	bool left = strchr(spec->text, '-') != NULL;
	for (glong count = g_utf8_strlen(out->str + before, -1); count < spec->width; count++) {
		g_string_insert_c(out, left ? -1 : (gssize)before, ' ');
	}
}

void quote_vprintf(GString *out, const char *format, va_list list)
{
	struct arguments args;
	va_copy(args.list, list);
	for (const char *at = format; *at != '\0';) {
		const char *next = strchr(at, '%');
		if (next == NULL) {
			g_string_append(out, at);
			break;
		}
		g_string_append_len(out, at, next - at);
		struct spec spec;
		at = parse(next + 1, &args, &spec);
		if (spec.type == '%' || spec.type == '\0') {
			g_string_append_c(out, '%');
		} else if (spec.type == 's') {
			append_string(
				out, &spec, &args, next > format && next[-1] == '"' && *at == '"');
		} else {
			append_number(out, &spec, &args);
		}
	}
	va_end(args.list);
}

void quote_printf(GString *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	quote_vprintf(out, format, args);
	va_end(args);
}

char *quote_vformat(const char *format, va_list args)
{
	GString *out = g_string_new(NULL);
	quote_vprintf(out, format, args);
	return g_string_free(out, FALSE);
}

char *quote_format(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = quote_vformat(format, args);
	va_end(args);
	return text;
}
