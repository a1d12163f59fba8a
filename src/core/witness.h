/* SPDX-License-Identifier: MIT */
#ifndef CORE_WITNESS_H
#define CORE_WITNESS_H

#include "core/expect.h"

/*
 * What was seen of an action's effect, and whether that proves it: the only place of the rules of
 * the contract's section 5. Armed before the dispatch, asked after it.
 */
enum effect {
	EFFECT_UNVERIFIABLE,
	EFFECT_CONFIRMED,
	EFFECT_SUSPECTED_NOOP,
};

/* Why something that was seen is no proof; for the text of the answer. */
enum doubt {
	DOUBT_NONE,
	DOUBT_UNSEEN,     /* nothing was seen that could be one */
	DOUBT_WEB,        /* web content echoes what it did not apply */
	DOUBT_OTHER,      /* another value than asked */
	DOUBT_ECHO,       /* the text is there, but the number that it stands for is not */
	DOUBT_GUESSED,    /* it has moved, but perhaps not by its own step */
	DOUBT_ALREADY,    /* it had the value before */
	DOUBT_USER,       /* the user works in the same application */
	DOUBT_DEAF,       /* not listened to for long enough */
	DOUBT_EARLIER,    /* an earlier action may be the cause, or it moves by itself */
	DOUBT_FOCUS,      /* the focus, or the click for it, before the keys may be the cause */
	DOUBT_UNHEARD,    /* it is selected, and its application need not know */
	DOUBT_FIRST,      /* that it was selected first may be the cause */
	DOUBT_BLOCKED,    /* a dialog has to be answered first */
	DOUBT_ENDED,      /* the application has ended */
	DOUBT_SILENT,     /* the application does not answer */
};

struct witness {
	struct action *action;
	const struct element *before;  /* the target just before; NULL if none was named */
	const char *provider;          /* who answers for the window's elements; NULL if unknown */
	bool user_elsewhere;           /* the user's focus is in another process */
	guint64 deed;                  /* of the past */
	guint64 moment;                /* what the provider said until then is no answer; 0 unknown */
	guint64 from;                  /* where to look on in the past */

	enum effect effect;
	enum doubt doubt;
	GArray *evidence;              /* struct change */
	GPtrArray *candidates;         /* of other elements: see witness.c */
	const struct element *unread;  /* who told that it is something else, and has to be read; NULL: nobody */
	bool own;                      /* the target spoke: read it again */
	bool awaited;                  /* others spoke, and count once it has been read again */
	gint64 read_at;                /* when it was asked the last time; 0: not since the dispatch */
	bool heard;                    /* anything at all happened */
	struct window_rect drawn;      /* what of the window was drawn; empty: nothing */
	bool opened;                   /* a window of the process came */
	gint64 opened_at;              /* when; 0 if none did */
	gint64 armed_at;               /* just before the dispatch */
	bool copied;                   /* the process put something on the clipboard */
	bool taken;                    /* something was taken from the user */
	bool closed, gone, ended;      /* the target's window, the target, the application went */
	bool told;                     /* the loss has been judged */
	gint64 lost_at;                /* when the first of them was noticed; 0 if none was */
	gint64 heard_at;               /* when something last happened that does not happen anyway */
};

/* Before the dispatch. The witness borrows everything. */
void witness_arm(struct witness *witness, struct action *action, const struct element *before,
	bool user_elsewhere);

/* Something was dispatched. */
void witness_sent(struct witness *witness);

/* Takes in what happened since the last look. True when the effect is proven. */
bool witness_look(struct witness *witness);

/* Takes in a new reading of `unread`; NULL if it does not exist any more. True when proven. */
bool witness_reread(struct witness *witness, const struct element *now);

/* Whether a change of that kind is compared with what was before. */
bool witness_compares(const struct element *element, const char *what);

/* Keeps a reading of an element to compare with, before anything is done. */
void witness_know(struct past *past, const struct element *now);

/* Takes in a reading of the target that was begun `at`; NULL if it does not exist any more. True when proven. */
bool witness_read(struct witness *witness, const struct element *after, gint64 at);

/* Takes in what the rung's look() says now. True when proven. */
bool witness_find(struct witness *witness, const char *now);

/* Whether the target itself could show the effect, so that reading it again is worth while. */
bool witness_can_show(const struct action *action, const struct element *before);

/* The same of this witness's target, where nothing else was said to be looked for. */
bool witness_shows_itself(const struct witness *witness);

/* Whether what was seen is all that can be had: more would not prove it either. */
bool witness_is_done(const struct witness *witness);

/* When witness_look() has to be called again even if nothing more happens; `settle` at the latest. */
struct deadline witness_until(const struct witness *witness, struct deadline settle);

/* The end: nothing more is waited for. */
void witness_close(struct witness *witness);
void witness_clear(struct witness *witness);

/* The wire name. */
const char *effect_name(enum effect effect);

#endif
