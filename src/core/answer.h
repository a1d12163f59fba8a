/* SPDX-License-Identifier: MIT */
#ifndef CORE_ANSWER_H
#define CORE_ANSWER_H

#include <glib.h>
#include <stdbool.h>

#include "core/error.h"
#include "core/frame.h"

/*
 * What a tool answers: fields for programs, a text for models, at most one picture, or a failure.
 * This is the only place that renders results; tools name fields and never see JSON. An answer
 * belongs to one thread at a time.
 */
struct answer;

struct answer *answer_new(void);
void answer_free(struct answer *answer);

/* Fields of the object or array that is open; `name` is NULL inside an array. */
void answer_string(struct answer *answer, const char *name, const char *value);
void answer_int(struct answer *answer, const char *name, gint64 value);
void answer_number(struct answer *answer, const char *name, double value);
void answer_bool(struct answer *answer, const char *name, bool value);
void answer_null(struct answer *answer, const char *name);
void answer_rect(struct answer *answer, const char *name, struct screen_rect rect);
void answer_strings(struct answer *answer, const char *name, const char *const *values);
void answer_open_object(struct answer *answer, const char *name);
void answer_close_object(struct answer *answer);
void answer_open_array(struct answer *answer, const char *name);
void answer_close_array(struct answer *answer);

/*
 * Adds to the text a model reads, by the rules of core/quote.h: what an application says is "%s" in
 * quotes. The raw one is for what was made by them.
 */
void answer_text(struct answer *answer, const char *format, ...) G_GNUC_PRINTF(2, 3);
void answer_text_raw(struct answer *answer, const char *text);

/* The picture; takes a reference. */
void answer_image(struct answer *answer, GBytes *bytes, const char *mime_type);

/*
 * Turns the answer into a failure, its message by the rules of core/quote.h: fields and text so far
 * are dropped. Fields added afterwards (of the top object only) become details of the error, such
 * as candidates.
 */
void answer_fail(struct answer *answer, enum error_code code, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void answer_fail_error(struct answer *answer, const GError *error);
/* A failure of that code becomes one of another, with the same delivery; other answers stay as they are. */
void answer_recode(struct answer *answer, enum error_code from, enum error_code to, const char *message);
/* What may have reached the application, where the call knows better than the registry. */
void answer_delivered(struct answer *answer, enum delivered delivered);
/* A suggestion that fits this case better than the registry's. */
void answer_suggest(struct answer *answer, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Forgets everything, a failure too. */
void answer_reset(struct answer *answer);

bool answer_failed(const struct answer *answer);
/* Whether it is a failure of that code. */
bool answer_is(const struct answer *answer, enum error_code code);

/*
 * Appends the members of an MCP tools/call result (content, structuredContent, isError) to the open
 * object in `out`. With `structured` false, structuredContent is left out.
 */
void answer_render(const struct answer *answer, GString *out, bool structured);

#endif
