/* SPDX-License-Identifier: MIT */
#ifndef CORE_PAST_H
#define CORE_PAST_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/deadline.h"
#include "core/frame.h"
#include "core/telling.h"

/*
 * What happened lately: told by the platform's own threads as they hear it, together with what the
 * driver itself did. From both follows what a change may be taken for. A change proves nothing if its
 * element was moving before the action, or if an earlier action of ours may still be its cause.
 * Any function may be called from any thread.
 */
struct past;

struct past *past_new(void);
void past_free(struct past *past);

enum happening_kind {
	HAPPENED_ELEMENT,   /* an element said that it changed */
	HAPPENED_OPENED,    /* a window came */
	HAPPENED_CLOSED,    /* a window went */
	HAPPENED_RETITLED,  /* a window has another title */
	HAPPENED_PIXELS,    /* something was drawn in a window that is watched for it */
	HAPPENED_TAKEN,     /* an application took focus or keyboard from the user and was put back */
	HAPPENED_PLACED,    /* a window that is watched was moved or changed its size, or another one is active */
	HAPPENED_COPIED,    /* a process put something on the clipboard */
	HAPPENED_LEFT,      /* a provider is gone, with all its elements */
};

struct happening {
	enum happening_kind kind;
	gint64 at;               /* monotonic microseconds */
	const char *provider;    /* ELEMENT, LEFT: see struct element */
	const char *object;
	guint64 moment;          /* ELEMENT: its place in what the provider said; see struct element */
	const char *what;        /* ELEMENT: "name", "value", "text", "children", "selection" or a state;
				    TAKEN: "focus" or "keyboard" */
	int detail;              /* ELEMENT: whether a state is on */
	const char *text;        /* "name": the new one; NULL if it was not told */
	const char *was;         /* "name", "text", "value": what it was when our last action on its application began;
				    NULL if that is not known; set by past_note() */
	gint64 since;            /* since when; 0 if it told of none before that; set by past_note() */
	bool again;              /* "checked", "name": it has said the same before; set by past_note() */
	guint64 window;          /* all others */
	struct window_rect area; /* PIXELS: what was drawn */
	pid_t pid;               /* OPENED: its owner; COPIED, TAKEN: who; 0 if unknown */
	pid_t cause;             /* TAKEN: who was acted on, which it answers; 0 if unknown */
};

/* What an application took from the user and was made to give back. */
struct taking {
	gint64 at;
	pid_t pid;               /* who; 0 if unknown */
	pid_t cause;             /* in answer to an action on whom; the same */
	bool keyboard;           /* or the focus */
};

/* The latest ones, oldest first: struct taking. The caller unrefs it. */
GArray *past_takings(struct past *past);

/* What the "name", "text" or "value" of an element was read to be; NULL: it may be another one by now. */
void past_read(struct past *past, const char *provider, const char *object, const char *what, const char *text);

/* Who of the provider told something of this since then, and nobody knows what: see tellings_unread(). */
GPtrArray *past_unread(struct past *past, const char *provider, gint64 since);

/* Takes a copy. */
void past_note(struct past *past, const struct happening *happening);

/* How many happenings were noted so far: where to begin to look. */
guint64 past_count(struct past *past);

/*
 * Calls `look` for those from number `*from` on, until it returns false, and moves `*from` behind
 * what was looked at. Very old ones are forgotten. Do not call into the past from there.
 */
void past_look(struct past *past, guint64 *from,
	bool (*look)(const struct happening *happening, void *data), void *data);

/* Waits until there is more than `count`. False when the deadline passed or the call was cancelled. */
bool past_wait(struct past *past, guint64 count, struct deadline deadline);

/*
 * Calls `heard` for every happening from now on, on whatever thread it is noted; it must not block, nor call
 * into the past. Returns what past_unfollow() takes; when that has returned, `heard` is not called any more.
 */
void *past_follow(struct past *past, void (*heard)(const struct happening *happening, void *data),
	void *data);
void past_unfollow(struct past *past, void *follower);

/* How many follow. */
guint past_followers(struct past *past);

/* Whether a window of that process has come since the past had that count, as far as it is remembered. */
bool past_opened(struct past *past, guint64 from, pid_t pid);
/* Whether all is remembered that has come since then. */
bool past_remembers(struct past *past, guint64 from);

/*
 * From now on everything this provider says is heard; or, with NULL, nobody is heard any more.
 */
void past_listen(struct past *past, const char *provider);
/* This one has left, and says nothing any more. */
void past_unlisten(struct past *past, const char *provider);
/* Whether the provider has been listened to for long enough to know what is silent. */
bool past_knows(struct past *past, const char *provider);
/* Whether for so long that who refreshes what it shows has done so. */
bool past_knows_well(struct past *past, const char *provider);
/* Whether it has, and nothing at all was heard of it for so many microseconds. */
bool past_is_quiet(struct past *past, const char *provider, gint64 us);

/* Waits until it is listened to at all. */
void past_await_hearing(struct past *past, const char *provider, struct deadline deadline);

/* The last that the element said of being checked: 1 it is, 0 it is not, -1 nothing, 2 nothing though it was asked. */
int past_said(struct past *past, const char *provider, const char *object);
/* That it is on, if it said so, is doubted: -1 until it says so again. What follows is compared
 * with it all the same. */
void past_doubt_said(struct past *past, const char *provider, const char *object);
/* It was asked and said nothing. */
void past_note_silent(struct past *past, const char *provider, const char *object);

/*
 * One action of ours on an element of a provider, or on the window of a process, about to be sent. Returns its
 * number.
 */
guint64 past_begin(struct past *past, const char *provider, const char *object, pid_t pid);
/*
 * It was sent: `moment` is its place in all the provider said, or, where that is not known, that of the last reading of
 * the element; 0 unknown. What the provider said since past_begin() is only now an answer to it or not.
 */
void past_sent(struct past *past, guint64 deed, guint64 moment);
/* It is over; `seen` if its effect on its own target was. */
void past_end(struct past *past, guint64 deed, bool seen);

/* Nothing was sent after all. */
void past_drop(struct past *past, guint64 deed);

/*
 * Whether a change of that element since the action began has no other cause that we know of: it was
 * listened to and silent before, and no earlier action of the last seconds may have caused it late. An
 * element that answered each of those earlier actions at once is no late effect.
 */
bool past_explains(struct past *past, guint64 deed, const char *provider, const char *object);

/* Whether any earlier action on the same application may still have effects to come. */
bool past_owes(struct past *past, guint64 deed);

/* Whether an earlier action on the same target, whose effect was not seen, may still have it. */
bool past_owes_target(struct past *past, guint64 deed);

/* Whether that element moved by itself before the action, be it once. */
bool past_moved(struct past *past, guint64 deed, const char *provider, const char *object);

/* Whether that element moves by itself, as clocks do. */
bool past_restless(struct past *past, guint64 deed, const char *provider, const char *object);

#endif
