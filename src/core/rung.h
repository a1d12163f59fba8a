/* SPDX-License-Identifier: MIT */
#ifndef CORE_RUNG_H
#define CORE_RUNG_H

#include "core/platform.h"

struct session;
struct recheck;

enum action_kind {
	ACTION_CLICK,        /* one press of `button`, `count` times */
	ACTION_TYPE_TEXT,    /* `text` at the caret, in place of the selection */
	ACTION_SET_VALUE,    /* `text` becomes the value */
	ACTION_SCROLL,       /* `amount` lines or pages in `direction` */
	ACTION_PRESS_KEY,    /* `keys`: modifiers first, the key last */
	ACTION_INVOKE_MENU,  /* the item at `path` */
	ACTION_DRAG,         /* `button` pressed at the point, moved to `to`, released */
	ACTION_HOVER,        /* the pointer comes to the point and stays */
	ACTION_BUTTON_DOWN,  /* `button` pressed at the point and kept */
	ACTION_BUTTON_UP,    /* and released there */
};

enum button {
	BUTTON_LEFT,
	BUTTON_MIDDLE,
	BUTTON_RIGHT,
};

enum direction {
	DIRECTION_UP,
	DIRECTION_DOWN,
	DIRECTION_LEFT,
	DIRECTION_RIGHT,
};

/* Who may notice: nobody, or everybody. */
enum delivery {
	DELIVERY_BACKGROUND,
	DELIVERY_FOREGROUND,
};

/* How an action names its target; bits, because a rung may take several. */
enum addressing {
	ADDRESS_ELEMENT = 1 << 0,
	ADDRESS_POINT = 1 << 1,
	ADDRESS_FOCUS = 1 << 2,   /* whatever has the focus in the window */
	ADDRESS_SCREEN = 1 << 3,  /* a pixel of the screen or whatever has the user's focus; there is no window */
};

/* What of the user's an action in the foreground uses: bits. */
enum disturbance {
	DISTURBED_FOCUS = 1 << 0,
	DISTURBED_ACTIVE_WINDOW = 1 << 1,
	DISTURBED_POINTER = 1 << 2,
	DISTURBED_STACKING = 1 << 3,
	DISTURBED_CLIPBOARD = 1 << 4,
};

/*
 * What a rung found out about its target while it delivered. The verdict compares what the target
 * shows later with `before` and `wanted`; the rest goes into the answer.
 */
struct finding {
	const char *kind;               /* evidence kind of before and wanted: "text", "value", "state",
					   "selection"; NULL: the rung cannot tell */
	char *before, *wanted;          /* what its look() said and what it says when all is as asked */
	const char *detail;             /* "state": which; otherwise NULL */
	bool secret;                    /* neither may go into an answer */
	char *object;                   /* who is looked at, if not the target itself; same provider */
	int from, to, length;           /* texts: what part is looked at, and how long the whole becomes */

	bool kept;                      /* accessibility cannot do it, but knows what to look for when another rung has */
	unsigned button;                /* then: a pointer that presses this one (4 and 5 are the wheel) `presses` times
					   above the target does it; 0: none does */
	guint32 key;                    /* or this key (X's number of it), pressed in it until it is as asked for, at
					   most `presses` times; 0: none does */
	int presses;
	guint32 back;                   /* and this one if that leads to nothing; 0: none does */
	bool at_once;                   /* all `presses` without a look after each: the target tells late what it shows */
	struct element *part;           /* what of the target is clicked, if not its middle; owned */
	bool retype;                    /* or keys that select all of it and type `text` */
	bool digits;                    /* those of a part of a date or time: nothing is selected before */

	bool guessed;                   /* by how much its own key would have moved it, nobody tells */
	bool echo;                      /* it shows what was written, and its number is still the old one */
	bool idle;                      /* it was as asked before: nothing was sent */
	bool picked;                    /* it was selected first, which may have effects of its own */
	bool unheard;                   /* it was selected in a way of which applications of its toolkit need not hear */
	bool hovered;                   /* a pointer came over the window to do it, of which its status bar may tell */
	bool keyed;                     /* the window was given the focus of a keyboard of ours, which may have effects of its own */
	bool clicked;                   /* so may the click on the target before the keys */
	const char *unit;               /* "chars", "steps": what done and asked count; NULL: not partial */
	int done, asked;
	const char *device;             /* static: what did it, where that is not the usual one; else NULL */
	int held_ms;                    /* for so long the user's pointer stood still; 0: it did not */
	bool held_moved;                /* and the user moved it meanwhile */
	char **items;                   /* ERROR_ITEM_NOT_FOUND: the labels there are */
	const char *instead;            /* static: ERROR_BACKGROUND_UNAVAILABLE: what would do, if not px; else NULL */
	bool limited;                   /* ERROR_VALUE_OUT_OF_RANGE: the limits are known */
	double minimum, maximum;
};
void finding_clear(struct finding *finding);

/*
 * One thing to do. Everything it points to is borrowed for the time of the call; effect_act() clears
 * what a rung found.
 */
struct action {
	enum action_kind kind;
	enum delivery delivery;
	enum addressing addressing;
	struct platform *platform;
	struct session *session;        /* whose pointer and keyboard are used */
	const struct window *window;    /* NULL: ADDRESS_SCREEN */
	const struct tree *tree;        /* of the snapshot: what belongs to the window; NULL if there is none */
	const struct element *element;  /* ADDRESS_ELEMENT: of the snapshot */
	struct recheck *ahead;          /* of it, begun when the call came (core/recheck.h); NULL: none */
	const struct element *now;      /* the same, read again just before the dispatch */
	struct screen_px point;         /* ADDRESS_POINT; of an element its centre when it was seen */
	bool pointed;                   /* the caller named the point, whatever element is there */
	bool in_page;                   /* that point is one of a page, where no element of it is known */
	bool on_title; /* that point is an empty place of a title bar that the application draws
			  itself */
	bool takes_drag;                /* or on something that takes a drag for itself */
	bool focused;                   /* the caller named nothing, and the element had the window's focus */
	struct screen_px to;            /* DRAG */
	guint64 to_window;              /* DRAG: the window it is in */
	int steps, duration_ms;         /* DRAG */
	int delay_ms;                   /* TYPE_TEXT: between two keys */
	const char *verb;               /* the caller's `action` argument; NULL: the usual one */
	enum button button;
	int count;                      /* clicks: 1, 2 or 3 */
	const char *const *modifiers;   /* CLICK: keys held meanwhile; NULL-terminated, or NULL */
	const char *const *keys;        /* PRESS_KEY: names as the caller spelt them; NULL-terminated */
	const char *text;               /* TYPE_TEXT, SET_VALUE */
	enum direction direction;       /* SCROLL */
	int amount;
	bool by_page;
	const char *const *path;        /* INVOKE_MENU: labels from the menu bar down; NULL-terminated */
	bool real_device;               /* only a pointer that the system itself takes for a real one will do */
	bool patient;                   /* the caller did not say how long to wait: a delay of the toolkit's own comes on top */
	bool allow_grab;                /* a menu may take the user's keyboard and stay open */
	const struct probe *since;      /* the user's side before the first of several actions of one call;
					   NULL: before this one */
	struct deadline deadline;
	struct window *blocker;         /* the dialog the window waits for; NULL if there is none. core/effect.c looks */

	const char *performed;          /* set by the rung: the toolkit's verb it used; static or borrowed
					   from the element */
	bool put_away;                  /* set by the rung: the element is on a part of its window that is not shown */
	bool vague; /* set by the rung: its toolkit does not tell where the element is
		       (element_is_vague()) */
	struct screen_rect view;        /* set by the rung: what is to be seen of what the element is in; empty if nothing is */
	gint64 scrolled_at;             /* set by the rung: when what was scrolled out had been brought into view; 0: it was not */
	bool last;                      /* set by the rung: no better way was left */
	guint64 moment;                 /* set by the rung: its place in all the provider said (struct element); 0 unknown */
	bool stirred;                   /* set by the rung: the target was not any more as it was read before */
	int lag_ms;                     /* set by the rung: the toolkit does it that much later than it accepts it */
	struct finding finding;         /* set by the rung */
	unsigned disturbed;             /* enum disturbance: what a rung in the foreground took from the user */
	unsigned restored;              /* of these, what it put back and saw to be back */
	bool waits_for_menu;            /* the rest is put back when the menu that the action opened is closed */
	enum error_code refused;        /* why a rung before did not or could not, if `has_refused`; set by the ladder */
	bool has_refused;
};

/* Why a rung cannot deliver an action. */
struct refusal {
	enum error_code code;
	char *reason;                   /* owned; a sentence for the caller */
};
void refusal_clear(struct refusal *refusal);

enum verdict {
	VERDICT_NO,      /* never for this action; `why` is set */
	VERDICT_YES,
};

/*
 * One way to deliver an action. Tables are const; a platform lists its rungs in order. A rung does
 * not judge what its delivery achieved: core/effect.c does.
 */
struct rung_impl {
	const char *path;         /* wire name: "x11_atspi", "x11_pixel", … */
	enum delivery delivery;
	unsigned takes;           /* enum addressing bits */
	bool through_accessibility; /* its effect can be read back */

	/* Looks only; sends nothing to the application. */
	enum verdict (*can)(const struct action *action, struct refusal *why);

	/*
	 * Sends it. DELIVERED_NONE is a promise that nothing reached the application, and lets the
	 * ladder try the next rung; an error is set for everything but DELIVERED_FULL.
	 */
	enum delivered (*deliver)(struct action *action, GError **error);

	/*
	 * What the target shows now of what was asked for, to be compared with what deliver() found; the
	 * caller owns it. NULL if it cannot be read. The slot is NULL where a rung finds nothing out.
	 */
	char *(*look)(const struct action *action, struct deadline deadline);
};

#endif
