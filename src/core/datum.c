/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/datum.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DEEPEST 2048
/* A block is as small as what malloc() hands out fast. */
#define BLOCK 18
/* Names of so few members are compared with each other; of more they are looked up. */
#define FEW 16
/* Up to here doubles tell all whole numbers. */
#define LARGEST_EXACT 9007199254740992.0

struct block {
	struct block *before;
	guint used;
	struct datum data[BLOCK];
};

/* What is freed; its first value is the root. */
struct document {
	struct block first;
	struct block *last;      /* in use; the first, or the latest of those behind it */
	char *strings;           /* all of them, one after the other */
};

struct parser {
	const char *at, *end;
	struct document *document;
	char *room;              /* for the next string: they take no more than their text */
	unsigned depth;
	bool halved;             /* the last string was */
	enum datum_problem problem;
};

static bool fail(struct parser *parser, enum datum_problem problem)
{
	parser->problem = problem;
	return false;
}

static struct datum *add(struct document *document)
{
	if (document->last->used == BLOCK) {
		struct block *block = g_new(struct block, 1);
		block->before = document->last;
		block->used = 0;
		document->last = block;
	}
	struct datum *datum = &document->last->data[document->last->used++];
	*datum = (struct datum){ 0 };
	return datum;
}

static void skip_space(struct parser *parser)
{
	while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t' || *parser->at == '\n'
		|| *parser->at == '\r')) {
		parser->at++;
	}
}

/* The next character; 0 at the end, which is none that JSON knows. */
static char peek(const struct parser *parser)
{
	return parser->at < parser->end ? *parser->at : '\0';
}

static bool take(struct parser *parser, char c)
{
	bool there = parser->at < parser->end && *parser->at == c;
	parser->at += there;
	return there;
}

/* --- Strings ---------------------------------------------------------------------------------- */

/* Four hexadecimal digits; -1 if they are not. */
static int take_unit(struct parser *parser)
{
	int unit = 0;
	for (int i = 0; i < 4; i++) {
		int digit = parser->at < parser->end ? g_ascii_xdigit_value(*parser->at) : -1;
		if (digit < 0) {
			return -1;
		}
		unit = unit * 16 + digit;
		parser->at++;
	}
	return unit;
}

/* The other half of a character, if it follows; else -1, and nothing is taken. */
static int take_low(struct parser *parser)
{
	const char *start = parser->at;
	int low = take(parser, '\\') && take(parser, 'u') ? take_unit(parser) : -1;
	if (low < 0xdc00 || low >= 0xe000) {
		parser->at = start;
		return -1;
	}
	return low;
}

/*
 * Behind \u: a character, or both halves of one. JSON's grammar has lone halves, too: the message
 * is one that can be read and has an id, so what is wrong with the text is told in an answer to it.
 */
static bool take_unicode(struct parser *parser)
{
	int unit = take_unit(parser);
	gunichar c = (gunichar)unit;
	if (unit < 0) {
		return false;
	}
	if (unit >= 0xd800 && unit < 0xdc00) {
		int low = take_low(parser);
		c = low >= 0 ? 0x10000 + (((gunichar)unit & 0x3ff) << 10) + ((gunichar)low & 0x3ff)
			     : c;
	}
	parser->halved |= c >= 0xd800 && c < 0xe000;
	parser->room += g_unichar_to_utf8(c, parser->room);
	return true;
}

static bool take_escape(struct parser *parser)
{
	static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	char c = peek(parser);
	const char *known = c != '\0' ? strchr(names, c) : NULL;
	if (take(parser, 'u')) {
		return take_unicode(parser);
	}
	if (known == NULL) {
		return false;
	}
	parser->at++;
	*parser->room++ = meant[known - names];
	return true;
}

/* Behind the opening quote. */
static bool take_string(struct parser *parser, const char **string, guint *length)
{
	char *start = parser->room;
	*string = start;
	parser->halved = false;
	for (;;) {
		const char *plain = parser->at;
		unsigned char all = 0;
		while (parser->at < parser->end && (unsigned char)*parser->at >= 0x20 && *parser->at != '"'
			&& *parser->at != '\\') {
			all |= (unsigned char)*parser->at++;
		}
		/* Neither a quote nor a backslash is a part of another character: what is between them is whole. */
		if (all >= 0x80 && !g_utf8_validate_len(plain, (gsize)(parser->at - plain), NULL)) {
			return fail(parser, DATUM_NOT_UTF8);
		}
		memcpy(parser->room, plain, (gsize)(parser->at - plain));
		parser->room += parser->at - plain;
		if (take(parser, '"')) {
			*length = (guint)(parser->room - start);
			*parser->room++ = '\0';
			return true;
		}
		if (!take(parser, '\\') || !take_escape(parser)) {
			return fail(parser, DATUM_NOT_JSON);
		}
	}
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static bool take_digits(struct parser *parser)
{
	const char *start = parser->at;
	while (g_ascii_isdigit(peek(parser))) {
		parser->at++;
	}
	return parser->at > start;
}

/* The sign and the digits of a whole number; false if it does not fit. */
static bool read_whole(const char *text, const char *end, gint64 *whole)
{
	bool negative = *text == '-';
	gint64 value = 0;
	for (text += negative; text < end; text++) {
		int digit = *text - '0';
		if (__builtin_mul_overflow(value, 10, &value)
			|| __builtin_add_overflow(value, negative ? -digit : digit, &value)) {
			return false;
		}
	}
	*whole = value;
	return true;
}

static bool read_real(const char *text, const char *end, double *real)
{
	char shorter[64];
	gsize length = (gsize)(end - text);
	/* A copy with an end of its own: what follows in the line may look like more of it, to strtod(). */
	g_autofree char *longer = length < sizeof shorter ? NULL : g_strndup(text, length);
	if (longer == NULL) {
		memcpy(shorter, text, length);
		shorter[length] = '\0';
	}
	*real = g_ascii_strtod(longer != NULL ? longer : shorter, NULL);
	return isfinite(*real);
}

static bool take_number(struct parser *parser, struct datum *datum)
{
	const char *start = parser->at;
	take(parser, '-');
	bool good = take(parser, '0') || take_digits(parser);
	const char *whole = parser->at;
	if (take(parser, '.')) {
		good = good && take_digits(parser);
	}
	if (take(parser, 'e') || take(parser, 'E')) {
		if (!take(parser, '-')) {
			take(parser, '+');
		}
		good = good && take_digits(parser);
	}
	if (!good) {
		return fail(parser, DATUM_NOT_JSON);
	}
	datum->kind = DATUM_INT;
	if (whole == parser->at && read_whole(start, whole, &datum->integer)) {
		return true;
	}
	datum->kind = DATUM_REAL;
	return read_real(start, parser->at, &datum->real) || fail(parser, DATUM_TOO_LARGE);
}

/* --- What holds others ------------------------------------------------------------------------- */

static struct datum *take_value(struct parser *parser);

/* Puts it behind what the container has; NULL is none. */
static bool append(struct datum *container, struct datum **last, struct datum *datum)
{
	if (datum == NULL) {
		return false;
	}
	if (*last == NULL) {
		container->first = datum;
	} else {
		(*last)->next = datum;
	}
	*last = datum;
	return true;
}

static bool take_array(struct parser *parser, struct datum *array)
{
	struct datum *last = NULL;
	skip_space(parser);
	if (take(parser, ']')) {
		return true;
	}
	do {
		if (!append(array, &last, take_value(parser))) {
			return false;
		}
		skip_space(parser);
	} while (take(parser, ','));
	return take(parser, ']') || fail(parser, DATUM_NOT_JSON);
}

static bool has_twice(const struct datum *object, guint count)
{
	if (count <= FEW) {
		for (const struct datum *one = object->first; one != NULL; one = one->next) {
			for (const struct datum *other = one->next; other != NULL; other = other->next) {
				if (strcmp(one->name, other->name) == 0) {
					return true;
				}
			}
		}
		return false;
	}
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	for (const struct datum *one = object->first; one != NULL; one = one->next) {
		if (!g_hash_table_add(names, (char *)one->name)) {
			return true;
		}
	}
	return false;
}

static struct datum *take_member(struct parser *parser)
{
	const char *name;
	guint length;
	skip_space(parser);
	if (!take(parser, '"')) {
		fail(parser, DATUM_NOT_JSON);
		return NULL;
	}
	if (!take_string(parser, &name, &length)) {
		return NULL;
	}
	skip_space(parser);
	if (!take(parser, ':') || strlen(name) != length) {
		fail(parser, DATUM_NOT_JSON);
		return NULL;
	}
	struct datum *member = take_value(parser);
	if (member != NULL) {
		member->name = name;
	}
	return member;
}

static bool take_object(struct parser *parser, struct datum *object)
{
	struct datum *last = NULL;
	guint count = 0;
	skip_space(parser);
	if (take(parser, '}')) {
		return true;
	}
	do {
		if (!append(object, &last, take_member(parser))) {
			return false;
		}
		count++;
		skip_space(parser);
	} while (take(parser, ','));
	if (!take(parser, '}')) {
		return fail(parser, DATUM_NOT_JSON);
	}
	return !has_twice(object, count) || fail(parser, DATUM_TWICE);
}

static bool take_container(struct parser *parser, struct datum *datum, char opening)
{
	bool object = opening == '{';
	datum->kind = object ? DATUM_OBJECT : DATUM_ARRAY;
	if (++parser->depth > DEEPEST) {
		return fail(parser, DATUM_TOO_DEEP);
	}
	parser->at++;
	bool taken = object ? take_object(parser, datum) : take_array(parser, datum);
	parser->depth--;
	return taken;
}

static bool take_word(struct parser *parser, const char *word)
{
	gsize length = strlen(word);
	if ((gsize)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0) {
		return fail(parser, DATUM_NOT_JSON);
	}
	parser->at += length;
	return true;
}

static struct datum *take_value(struct parser *parser)
{
	struct datum *datum = add(parser->document);
	bool taken;
	skip_space(parser);
	datum->source = parser->at;
	char c = peek(parser);
	switch (c) {
	case '{':
	case '[':
		taken = take_container(parser, datum, c);
		break;
	case '"':
		parser->at++;
		datum->kind = DATUM_STRING;
		taken = take_string(parser, &datum->string, &datum->length);
		datum->halved = parser->halved;
		break;
	case 't':
	case 'f':
		datum->kind = DATUM_BOOL;
		datum->truth = c == 't';
		taken = take_word(parser, datum->truth ? "true" : "false");
		break;
	case 'n':
		taken = take_word(parser, "null");
		break;
	default:
		taken = take_number(parser, datum);
	}
	datum->source_length = (guint)(parser->at - datum->source);
	return taken ? datum : NULL;
}

/* --- The whole --------------------------------------------------------------------------------- */

struct datum *datum_parse(const char *text, gsize length, enum datum_problem *problem)
{
	struct document *document = g_new(struct document, 1);
	document->first.before = NULL;
	document->first.used = 0;
	document->last = &document->first;
	document->strings = g_malloc(length + 1);
	struct parser parser = { .at = text, .end = text + length, .document = document, .room = document->strings,
		.problem = DATUM_NOT_JSON };
	struct datum *root = take_value(&parser);
	skip_space(&parser);
	if (root == NULL || parser.at < parser.end) {
		*problem = parser.problem;
		datum_free(document->first.data);
		return NULL;
	}
	return root;
}

void datum_free(struct datum *root)
{
	if (root == NULL) {
		return;
	}
	struct document *document = (void *)((char *)root - offsetof(struct document, first.data));
	while (document->last != &document->first) {
		struct block *block = document->last;
		document->last = block->before;
		g_free(block);
	}
	g_free(document->strings);
	g_free(document);
}

const struct datum *datum_get(const struct datum *object, const char *name)
{
	const struct datum *member = datum_is(object, DATUM_OBJECT) ? object->first : NULL;
	while (member != NULL && strcmp(member->name, name) != 0) {
		member = member->next;
	}
	return member;
}

bool datum_is(const struct datum *datum, enum datum_kind kind)
{
	return datum != NULL && datum->kind == kind;
}

bool datum_is_true(const struct datum *datum)
{
	return datum_is(datum, DATUM_BOOL) && datum->truth;
}

const char *datum_string(const struct datum *datum)
{
	return datum_is(datum, DATUM_STRING) && !datum->halved
			&& strlen(datum->string) == datum->length
		? datum->string
		: NULL;
}

bool datum_whole(const struct datum *datum, gint64 *whole)
{
	if (datum_is(datum, DATUM_INT)) {
		*whole = datum->integer;
		return true;
	}
	if (!datum_is(datum, DATUM_REAL) || datum->real != trunc(datum->real) || fabs(datum->real) > LARGEST_EXACT) {
		return false;
	}
	*whole = (gint64)datum->real;
	return true;
}
