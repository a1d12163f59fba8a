/* SPDX-License-Identifier: MIT */
#ifndef X11_KNOWLEDGE_H
#define X11_KNOWLEDGE_H

#include "x11/desk.h"
#include "x11/facts.h"

struct x11_sentry;

/*
 * What is known of the display without asking again. The server tells of every change of it, and tells it before
 * it answers whatever is asked later: after any answer, once all events that came are noted, what holds is so.
 * What nobody is told of, the focus and the pointer, is not in here.
 */

/* How long answers hold. Answers and events are ordered by the requests the server had worked on before them. */
struct x11_term {
	bool answered, stirred;
	bool holds;
	unsigned from;             /* answered: the first of the requests */
	unsigned news;             /* stirred: the last request before the last event that may have changed it */
};

/* A frame, what is in it, and so on. */
enum { X11_MOST_ANCESTORS = 8 };

struct x11_knowledge {
	/* Of the desk; as it was answered last, whether that still holds or not. */
	struct x11_term desk;
	struct x11_term children;  /* of the root, whose order counts where nobody manages */
	bool managed;
	xcb_window_t active;       /* 0 if none */
	GArray *order;             /* xcb_window_t that the window manager has, back to front; NULL: there is none */
	GArray *stacking;          /* guint64 window ids, back to front; NULL before the first answer */
	xcb_window_t check;        /* the window manager's own window, which is heard */

	/* Of the window that is acted on. */
	xcb_window_t window;       /* 0: none */
	unsigned turns;            /* how often it became another one */
	struct x11_term facts_term;
	struct x11_facts facts;
	/* It moves with what it is in: from its parent up to a child of the root, if all of them are known. */
	xcb_window_t ancestors[X11_MOST_ANCESTORS];
	unsigned depth;
	bool rooted;
	struct x11_term line;
};

/* What was asked to know it; nothing of what is known. */
struct x11_knowing {
	bool asks_desk, asks_facts;
	bool heard;                /* the window manager's window was, when it was asked */
	bool rooted;               /* the ancestors were known */
	struct x11_desk_asked desk;
	struct x11_facts_asked facts;
	xcb_window_t window;       /* whose facts; 0: nobody's */
	unsigned turns;            /* how often another one had been acted on */
	xcb_window_t child;        /* 0, or whose parent was asked for */
	unsigned parent;
};

/* Asks for what is not known, `whole`: for all of it; facts of `window`, 0: of none. Focus and pointer in any case. */
void x11_knowledge_ask(struct x11_sentry *sentry, xcb_window_t window, bool whole, struct x11_knowing *asked);
/*
 * Answers to that. The caller clears `desk`, which besides focus and pointer has children if the desk was asked for,
 * and `facts`, which are there if they were.
 */
void x11_knowledge_collect(struct x11_sentry *sentry, const struct x11_knowing *asked, struct x11_desk *desk,
	struct x11_facts *facts);
/* Whether all that was not asked for is known still, now that the events before the answers are noted. */
bool x11_knowledge_holds(const struct x11_sentry *sentry, const struct x11_knowing *asked);
/* What the window manager says, or said when it was asked last. */
bool x11_knowledge_is_active(const struct x11_sentry *sentry, xcb_window_t window);

/* Another window is acted on, or none. */
void x11_knowledge_turn(struct x11_sentry *sentry, xcb_window_t window);
/* An event, before anything is done about it. */
void x11_knowledge_note(struct x11_sentry *sentry, const xcb_generic_event_t *event);
/* What has to be heard of a window for it. */
uint32_t x11_knowledge_mask(const struct x11_sentry *sentry, xcb_window_t window);
void x11_knowledge_clear(struct x11_knowledge *knowledge);

#endif
