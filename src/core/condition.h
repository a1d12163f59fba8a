/* SPDX-License-Identifier: MIT */
#ifndef CORE_CONDITION_H
#define CORE_CONDITION_H

#include "core/element.h"
#include "core/window.h"

/*
 * What a caller waits for, and whether it holds in what was seen. Nothing here talks to anybody: the
 * looking is done by core/waiting.c.
 */
enum condition_kind {
	CONDITION_ELEMENT_APPEARS,
	CONDITION_ELEMENT_DISAPPEARS,
	CONDITION_ELEMENT_HAS_VALUE,
	CONDITION_ELEMENT_HAS_STATE,
	CONDITION_ELEMENT_HAS_LABEL,
	CONDITION_WINDOW_OPENS,
	CONDITION_WINDOW_CLOSES,
	CONDITION_WINDOW_TITLE,
	CONDITION_TEXT_PRESENT,
	CONDITION_IDLE,
};

/* Their names on the wire, in that order; NULL-terminated. */
extern const char *const condition_kinds[];

/* The strings are borrowed, from the arguments of the call. */
struct condition {
	enum condition_kind kind;
	bool negated;            /* it holds when what it says does not */
	bool exact;              /* label, value, title: the whole of it, else a part in any case */
	struct element *element; /* one element, by its identity; NULL: any that fits */
	const char *role;              /* NULL: any */
	const char *label;             /* NULL: any */
	const char *value;
	unsigned state;          /* one enum element_state bit */
	guint64 window_id;       /* 0: any */
	pid_t pid;               /* 0: any */
	const char *title;             /* NULL: any */
	const char *app_name;          /* NULL: any */
	bool fresh;              /* only a window that was not there when the waiting began */
	const char *text;
	int quiet_ms;
};

/* What was seen at one moment. Everything is borrowed. */
struct scene {
	const GPtrArray *windows;  /* struct window; NULL: not looked at */
	GHashTable *earlier;       /* set of guint64 ids when the waiting began; NULL: nothing began */
	const struct window *window; /* whose elements are meant; NULL: none, or it is closed */
	bool closed;               /* it was there and is not any more */
	const struct tree *tree;   /* NULL: not read */
	const char *problem;       /* why it could not be read */
	gint64 quiet_us;           /* since when nothing was heard; -1: nobody listens */
};

enum holds {
	HOLDS_NO,
	HOLDS_YES,
	HOLDS_UNKNOWN,             /* it could not be seen */
};

struct sighting {
	enum holds holds;
	bool final;                /* no, and it will not become true any more */
	char *seen;                /* in words; never NULL */
	guint64 window_id;         /* the window that was found; 0: none was looked for, or found */
	pid_t pid;                 /* its owner */
};
void sighting_clear(struct sighting *sighting);

void condition_free(struct condition *condition);

/* What has to be looked at for it. */
bool condition_reads_tree(const struct condition *condition);
bool condition_reads_windows(const struct condition *condition);

struct sighting condition_check(const struct condition *condition, const struct scene *scene);

/* It in a few words: element_appears push button "Save". The caller frees it. */
char *condition_words(const struct condition *condition);

#endif
