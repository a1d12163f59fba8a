/* SPDX-License-Identifier: MIT */
#ifndef CORE_DATUM_H
#define CORE_DATUM_H

#include <glib.h>
#include <stdbool.h>

/*
 * What clients send: JSON, read in one go into a few pieces of memory. A message of a hundred bytes comes before each call,
 * and a library that makes an object of each value takes longer to read it than many calls take.
 */
enum datum_kind {
	DATUM_NULL,
	DATUM_BOOL,
	DATUM_INT,    /* whole, and fits */
	DATUM_REAL,   /* finite; also a whole number that does not fit */
	DATUM_STRING,
	DATUM_ARRAY,
	DATUM_OBJECT,
};

/* One value. All of them belong to the one that datum_parse() returned, and nothing of them changes. */
struct datum {
	enum datum_kind kind;
	guint length;              /* of the string, which may hold U+0000 */
	bool halved; /* the string holds half a character (a lone surrogate), as three bytes that
			are no UTF-8 */
	union {
		bool truth;
		gint64 integer;
		double real;
		const char *string;    /* valid UTF-8 unless halved, and a zero behind it */
		const struct datum *first; /* of what is in an array or object; NULL: it is empty */
	};
	const struct datum *next;  /* in the same array or object; NULL: it is the last */
	const char *name;          /* of a member of an object */
	const char *source;        /* as it is written in the text that was parsed, for as long as that lives */
	guint source_length;
};

/* Why a text cannot be read. */
enum datum_problem {
	DATUM_NOT_JSON,
	DATUM_NOT_UTF8,
	DATUM_TOO_LARGE,      /* a number that no double holds */
	DATUM_TOO_DEEP,
	DATUM_TWICE,          /* two members of one name */
};

/* Of a text shorter than 4 GiB. Returns NULL and the problem if it cannot be read. Free it with datum_free(). */
struct datum *datum_parse(const char *text, gsize length, enum datum_problem *problem);
void datum_free(struct datum *root);

/* The member of that name; NULL if there is none, or `object` is none or NULL. */
const struct datum *datum_get(const struct datum *object, const char *name);

/* Whether it is there and of that kind. */
bool datum_is(const struct datum *datum, enum datum_kind kind);
bool datum_is_true(const struct datum *datum);

/* The string; NULL if it is none, or holds U+0000 or half a character: no text that is meant does.
 */
const char *datum_string(const struct datum *datum);

/* Whether it is a whole number, however it is written, that doubles or integers hold exactly; and which. */
bool datum_whole(const struct datum *datum, gint64 *whole);

#endif
