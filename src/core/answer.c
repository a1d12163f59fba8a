/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/answer.h"

#include "core/emit.h"
#include "core/quote.h"

/* Characters of a failure's message or suggestion. */
#define LONGEST_MESSAGE 4000
/* Of what a failure tells, in its text. */
#define LONGEST_FIELDS 4000

struct answer {
	GString *fields;         /* the structured object without its closing brace */
	GString *text;
	GBytes *image;
	char *mime_type;
	bool failed;
	enum error_code code;
	enum delivered delivered;
	char *message;
	char *suggestion;
};

struct answer *answer_new(void)
{
	struct answer *answer = g_new0(struct answer, 1);
	/* As much as an action answers. */
	answer->fields = g_string_sized_new(512);
	answer->text = g_string_sized_new(256);
	g_string_append_c(answer->fields, '{');
	return answer;
}

void answer_free(struct answer *answer)
{
	if (answer == NULL) {
		return;
	}
	g_string_free(answer->fields, TRUE);
	g_string_free(answer->text, TRUE);
	g_clear_pointer(&answer->image, g_bytes_unref);
	g_free(answer->mime_type);
	g_free(answer->message);
	g_free(answer->suggestion);
	g_free(answer);
}

void answer_string(struct answer *answer, const char *name, const char *value)
{
	emit_string(answer->fields, name, value);
}

void answer_int(struct answer *answer, const char *name, gint64 value)
{
	emit_int(answer->fields, name, value);
}

void answer_number(struct answer *answer, const char *name, double value)
{
	emit_number(answer->fields, name, value);
}

void answer_bool(struct answer *answer, const char *name, bool value)
{
	emit_bool(answer->fields, name, value);
}

void answer_null(struct answer *answer, const char *name)
{
	emit_null(answer->fields, name);
}

void answer_rect(struct answer *answer, const char *name, struct screen_rect rect)
{
	answer_open_object(answer, name);
	answer_int(answer, "x", rect.x);
	answer_int(answer, "y", rect.y);
	answer_int(answer, "width", rect.width);
	answer_int(answer, "height", rect.height);
	answer_close_object(answer);
}

void answer_strings(struct answer *answer, const char *name, const char *const *values)
{
	answer_open_array(answer, name);
	for (; *values != NULL; values++) {
		answer_string(answer, NULL, *values);
	}
	answer_close_array(answer);
}

void answer_open_object(struct answer *answer, const char *name)
{
	emit_open(answer->fields, name, '{');
}

void answer_close_object(struct answer *answer)
{
	emit_close(answer->fields, '}');
}

void answer_open_array(struct answer *answer, const char *name)
{
	emit_open(answer->fields, name, '[');
}

void answer_close_array(struct answer *answer)
{
	emit_close(answer->fields, ']');
}

void answer_text(struct answer *answer, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	quote_vprintf(answer->text, format, args);
	va_end(args);
}

void answer_text_raw(struct answer *answer, const char *text)
{
	g_string_append(answer->text, text);
}

void answer_image(struct answer *answer, GBytes *bytes, const char *mime_type)
{
	g_clear_pointer(&answer->image, g_bytes_unref);
	answer->image = g_bytes_ref(bytes);
	g_free(answer->mime_type);
	answer->mime_type = g_strdup(mime_type);
}

void answer_reset(struct answer *answer)
{
	g_string_assign(answer->fields, "{");
	g_string_truncate(answer->text, 0);
	g_clear_pointer(&answer->image, g_bytes_unref);
	g_clear_pointer(&answer->suggestion, g_free);
	g_clear_pointer(&answer->message, g_free);
	answer->failed = false;
}

static void fail(struct answer *answer, enum error_code code, char *message)
{
	answer_reset(answer);
	answer->failed = true;
	answer->code = code;
	answer->delivered = error_info(code)->delivered;
	answer->message = message;
}

void answer_fail(struct answer *answer, enum error_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fail(answer, code, quote_vformat(format, args));
	va_end(args);
}

void answer_fail_error(struct answer *answer, const GError *error)
{
	fail(answer, error_code_of(error), quote_format("%.*s", LONGEST_MESSAGE, error->message));
}

void answer_recode(struct answer *answer, enum error_code from, enum error_code to, const char *message)
{
	if (answer->failed && answer->code == from) {
		answer->code = to;
		g_free(answer->message);
		answer->message = quote_format("%.*s", LONGEST_MESSAGE, message);
	}
}

void answer_delivered(struct answer *answer, enum delivered delivered)
{
	answer->delivered = delivered;
}

void answer_suggest(struct answer *answer, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_free(answer->suggestion);
	answer->suggestion = quote_vformat(format, args);
	va_end(args);
}

bool answer_failed(const struct answer *answer)
{
	return answer->failed;
}

bool answer_is(const struct answer *answer, enum error_code code)
{
	return answer->failed && answer->code == code;
}

static void render_text(GString *out, const char *text)
{
	emit_open(out, NULL, '{');
	emit_string(out, "type", "text");
	emit_string(out, "text", text);
	emit_close(out, '}');
}

static void render_image(GString *out, GBytes *bytes, const char *mime_type)
{
	gsize length;
	const guchar *data = g_bytes_get_data(bytes, &length);
	emit_open(out, NULL, '{');
	emit_string(out, "type", "image");
	emit_string(out, "mimeType", mime_type);
	/* Encoded in place: a picture is a megabyte, and base64 needs no escaping. */
	emit_raw(out, "data", "\"", 1);
	gsize start = out->len;
	g_string_set_size(out, start + (length / 3 + 1) * 4 + 4);
	int state = 0, save = 0;
	gsize written = g_base64_encode_step(data, length, FALSE, out->str + start, &state, &save);
	written += g_base64_encode_close(FALSE, out->str + start + written, &state, &save);
	g_string_truncate(out, start + written);
	g_string_append_c(out, '"');
	emit_close(out, '}');
}

/* What a failure tells besides, for who sees the text alone: the labels, candidates or limits that the suggestion is about. */
static void append_fields(GString *text, const GString *fields)
{
	if (fields->len > 1) {
		const char *end = fields->len <= LONGEST_FIELDS ? fields->str + fields->len
			: g_utf8_find_prev_char(fields->str, fields->str + LONGEST_FIELDS);
		g_string_append_c(text, '\n');
		g_string_append_len(text, fields->str, end - fields->str);
		g_string_append(text, fields->len <= LONGEST_FIELDS ? "}" : " …");
	}
}

static void render_failure(const struct answer *answer, GString *out, bool structured)
{
	const struct error_info *info = error_info(answer->code);
	const char *suggestion = answer->suggestion ? answer->suggestion : info->suggestion;
	g_autoptr(GString) text = g_string_new(NULL);
	g_string_append_printf(text, "%s: %s%s%s", info->wire, answer->message, suggestion != NULL ? "\n" : "",
		suggestion != NULL ? suggestion : "");
	append_fields(text, answer->fields);

	emit_open(out, "content", '[');
	render_text(out, text->str);
	emit_close(out, ']');
	if (structured) {
		emit_open(out, "structuredContent", '{');
		emit_string(out, "code", info->wire);
		emit_string(out, "message", answer->message);
		if (suggestion != NULL) {
			emit_string(out, "suggestion", suggestion);
		}
		emit_string(out, "delivery", delivered_name(answer->delivered));
		/* What may have arrived must not be sent a second time. */
		emit_string(out, "retry", answer->delivered == DELIVERED_NONE ? info->retry : "unsafe");
		if (answer->fields->len > 1) {
			g_string_append_c(out, ',');
			g_string_append_len(out, answer->fields->str + 1, (gssize)answer->fields->len - 1);
		}
		emit_close(out, '}');
	}
	emit_bool(out, "isError", true);
}

void answer_render(const struct answer *answer, GString *out, bool structured)
{
	if (answer->failed) {
		render_failure(answer, out, structured);
		return;
	}
	emit_open(out, "content", '[');
	render_text(out, answer->text->str);
	if (answer->image != NULL) {
		render_image(out, answer->image, answer->mime_type);
	}
	emit_close(out, ']');
	if (structured) {
		emit_raw(out, "structuredContent", answer->fields->str, (gssize)answer->fields->len);
		emit_close(out, '}');
	}
	emit_bool(out, "isError", false);
}
