/* SPDX-License-Identifier: MIT */
#ifndef CORE_ELEMENT_H
#define CORE_ELEMENT_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/frame.h"

/* States a client sees, as bits. The order is the order on the wire. */
enum element_state {
	STATE_ENABLED = 1 << 0,
	STATE_FOCUSED = 1 << 1,
	STATE_FOCUSABLE = 1 << 2,
	STATE_CHECKED = 1 << 3,
	STATE_PRESSED = 1 << 4,
	STATE_SELECTED = 1 << 5,
	STATE_EXPANDABLE = 1 << 6,
	STATE_EXPANDED = 1 << 7,
	STATE_EDITABLE = 1 << 8,
	STATE_READ_ONLY = 1 << 9,
	STATE_INDETERMINATE = 1 << 10,
	STATE_MODAL = 1 << 11,
	STATE_BUSY = 1 << 12,
	STATE_OFFSCREEN = 1 << 13, /* exists, but is not drawn now */
};

/* The wire name of one state bit. */
const char *element_state_name(enum element_state state);
#define ELEMENT_STATE_COUNT 14
/* A field's text is cut after so many characters: a document is not a value. */
#define ELEMENT_TEXT_LIMIT 10000

/*
 * One node of an accessibility tree. Its identity is (provider, object) plus what is re-checked
 * before it is used: role, name and surroundings (core/surroundings.h). All strings are owned and valid UTF-8.
 */
struct element {
	char *provider;          /* who answers for it; on Linux a unique bus name */
	char *object;            /* its name there; on Linux an object path */
	guint provider_id;       /* which registry of providers; names of another one mean others */
	guint64 moment;          /* its place in all the provider said: later events have a higher one; 0 unknown */
	char *role;              /* "push button", "check box", … */
	char *name;              /* as its toolkit tells it; "" if unnamed */
	char *label; /* the texts in it, or that label it, where it has no name (core/label.h);
			NULL: none */
	char *description;       /* NULL if none */
	char *value;             /* text of a field or number of a range; NULL if it has none */
	char **actions;          /* names as the toolkit spells them; NULL-terminated, never NULL */
	bool settled;            /* its role and actions are what they are as long as it is there */
	bool lasting;            /* its object is the same widget as long as it is there: its place tells nothing more */
	char *binding;           /* keys that perform its action, as the toolkit spells them; NULL if none */
	unsigned states;         /* enum element_state bits */
	bool selectable;         /* can be chosen in its container */
	bool several;            /* a container in which more than one can be chosen */
	bool chooses;            /* a container whose items can be chosen: list, tree, row of tabs */
	bool has_value;          /* a range: slider, spin button, progress bar */
	bool secret;             /* password field: value is withheld and NULL */
	bool in_web_content;     /* has a document ancestor in a browser engine */
	bool plugged;            /* another process than the window's shows it, as WebKitGTK its pages */
	pid_t pid; /* of the process that answers for it, if that is not the window's; 0: it is, or
		      nobody can tell */
	bool foreign; /* that process has nothing to do with the window's: what is done to it is
			 done elsewhere */
	bool has_frame;
	struct screen_rect frame; /* on the screen */
	struct screen_px doubt; /* by at most so much it may be elsewhere, where its toolkit does
				   not tell (GTK4) */
	bool has_told, has_inside;
	struct screen_rect told, inside; /* by GTK4's word, in its window and in what it is in;
					    while a tree is read */
	int parent;              /* position in the tree's array; -1 for the root */
	int depth;               /* 0 for the root */
	int place;               /* index among its siblings */
	int index;               /* element_index; -1 if it has none */
	int position;            /* in the tree's array */
	int previous, next;      /* positions of its siblings, once numbered; -1 if it is the first, the last */
	const struct tree *tree; /* what it is part of, once numbered; NULL for a copy or a reading */
};

/* The accessibility tree of one window, in reading order: parents before children. */
struct tree {
	GPtrArray *elements;     /* struct element */
	guint *prints;           /* of the role and name of each, once numbered: tells most that differ */
	int indexed;             /* how many of them have an index */
	bool complete;           /* nothing was cut */
	char *truncated;         /* what was cut and how much; NULL if complete */
	char *degraded;          /* why there is no (whole) tree, and what helps; NULL if all is well */
	bool skeleton;           /* degraded, but there is something: a frame without its content */
	unsigned requests;       /* messages sent to read it */
	gint64 read_at;          /* what was so before is in it; monotonic microseconds */
};

struct element *element_new(void);
struct element *element_copy(const struct element *element);
void element_free(struct element *element);

/*
 * Whether it deserves an index: it has an action that means something, or a value, takes text, can be
 * selected, or is what a person would press.
 */
bool element_is_indexable(const struct element *element);

/* Whether it is chosen among others like it in a list, table, tree or icon view. */
bool element_is_item(const struct element *element);

/*
 * Whether it is a popover of GTK4's. Before 4.10 such an element is called by the name of its
 * class; later ones have an action of its class that only windows have besides.
 */
bool element_is_popover(const struct element *element);

/* Whether its value is its text, and not its number or withheld. */
bool element_has_text(const struct element *element);

/* Whether a click in the middle of its frame may miss it, because its toolkit does not tell where
 * it is. */
bool element_is_vague(const struct element *element);

/* The document of an office that it is in, whose cells and texts follow a cursor; NULL if none, or without a numbered tree. */
const struct element *element_document(const struct element *element);

struct tree *tree_new(void);
void tree_free(struct tree *tree);

/* NULL if there is none of these names. */
const struct element *tree_find(const struct tree *tree, const char *provider, const char *object);

/* Whether it is `outer`, or somewhere in it. */
bool tree_is_within(const struct tree *tree, const struct element *element, const struct element *outer);

/*
 * Knows siblings and prints from then on. Gives the indexable elements their numbers, in order, a combo box that tells no text the name of
 * what is selected in it, and those without a name their labels. Call it when the tree is complete; it does not change any more then.
 */
void tree_number(struct tree *tree);

/* The element of that index, borrowed; NULL if there is none. */
struct element *tree_at(const struct tree *tree, int index);

#endif
